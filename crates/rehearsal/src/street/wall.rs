//! Walls of every kind of the policy, with the headers and bodies of that kind; written by us.

/// What a site puts up instead of its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wall {
    /// A check page that never ends by itself (header and body of Cloudflare's kind).
    Challenge,
    /// A check page that a browser gets past after so many milliseconds.
    ClearsAfter {
        /// How long its script waits before it lets go.
        ms: u64,
    },
    /// 429, with or without a Retry-After.
    RateLimited {
        /// The header's value, as it stands there.
        retry_after: Option<String>,
    },
    /// A flat refusal: a captcha page (403).
    Denied,
    /// A check that only a click passes: a button that sets a cookie.
    NeedsClick,
    /// The page wants a login.
    Login,
    /// 404 for the page, while the host answers.
    Gone,
    /// 500.
    ServerError,
    /// The connection breaks off in the middle.
    BreaksOff,
    /// Nothing comes for so long.
    Silent {
        /// Milliseconds.
        ms: u64,
    },
    /// 503 with words about maintenance.
    Maintenance,
}

/// What is answered.
pub(crate) struct WallAnswer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

/// The cookie that says "passed".
pub(crate) const PASSED: &str = "street_passed=1";

impl Wall {
    /// Whether a request with this cookie header gets past it.
    pub(crate) fn lets_in(&self, cookies: &str) -> bool {
        matches!(self, Self::ClearsAfter { .. } | Self::NeedsClick) && cookies.contains(PASSED)
    }

    pub(crate) fn answer(&self) -> WallAnswer {
        match self {
            Self::Challenge => WallAnswer {
                status: 403,
                headers: vec![
                    ("cf-mitigated", "challenge".into()),
                    ("server", "cloudflare".into()),
                ],
                body: check_page(
                    "<noscript>Enable JavaScript and cookies to continue</noscript>\
                     <script>window._cf_chl_opt={cType:'managed'};</script>",
                ),
            },
            Self::ClearsAfter { ms } => WallAnswer {
                status: 403,
                headers: vec![("cf-mitigated", "challenge".into())],
                body: check_page(&format!(
                    "<script>window._cf_chl_opt={{cType:'non-interactive'}};setTimeout(()=>{{\
                     document.cookie='{PASSED};path=/;max-age=86400';location.reload();}},{ms});</script>"
                )),
            },
            Self::RateLimited { retry_after } => WallAnswer {
                status: 429,
                headers: retry_after.iter().map(|v| ("retry-after", v.clone())).collect(),
                body: "<html><body><h1>429 Too Many Requests</h1></body></html>".into(),
            },
            Self::Denied => WallAnswer {
                status: 403,
                headers: vec![("x-dd-b", "1".into())],
                body: "<html><head><title>Toegang geweigerd</title></head><body>\
                       <p>Toegang geweigerd.</p></body></html>"
                    .into(),
            },
            Self::NeedsClick => WallAnswer {
                status: 403,
                headers: vec![("x-px-block", "1".into())],
                body: format!(
                    "<html><head><title>Access to this page has been denied</title></head><body>\
                     <div id=\"px-captcha\"><button style=\"width:400px;height:200px\" \
                     onclick=\"document.cookie='{PASSED};path=/;max-age=86400';location.reload()\">\
                     Press here to go on</button></div></body></html>"
                ),
            },
            Self::Login => WallAnswer {
                status: 200,
                headers: Vec::new(),
                body: "<html><head><title>Inloggen</title></head><body><h1>Inloggen</h1>\
                       <form action=\"/inloggen\"><input name=\"email\"><input type=\"password\" \
                       name=\"wachtwoord\"><button>Inloggen</button></form></body></html>"
                    .into(),
            },
            Self::Gone => WallAnswer {
                status: 404,
                headers: Vec::new(),
                body: "<html><head><title>Niet gevonden</title></head><body>\
                       <h1>Deze pagina bestaat niet</h1></body></html>"
                    .into(),
            },
            Self::ServerError | Self::BreaksOff | Self::Silent { .. } => WallAnswer {
                status: 500,
                headers: Vec::new(),
                body: "<html><body><h1>500</h1></body></html>".into(),
            },
            Self::Maintenance => WallAnswer {
                status: 503,
                headers: Vec::new(),
                body: "<html><head><title>Onderhoud</title></head><body>\
                       <h1>Wij voeren onderhoud uit</h1><p>Tot zo.</p></body></html>"
                    .into(),
            },
        }
    }
}

fn check_page(inner: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en-US\"><head><title>Just a moment...</title></head><body>{inner}</body></html>"
    )
}
