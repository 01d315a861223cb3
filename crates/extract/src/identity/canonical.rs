//! One address for one page, however the site decorates it (`extraction.md`, section 2.3).

use std::borrow::Cow;

use url::Url;

/// Parameter names that lead somewhere else than to the listing.
const NOT_A_TARGET: [&str; 14] = [
    "ref",
    "referrer",
    "referer",
    "back",
    "search",
    "img",
    "image",
    "src",
    "photo",
    "origin",
    "callback",
    "canonical",
    "icon",
    "logo",
];

/// The address that a redirect carries in its query: a value that is itself an http address.
pub(crate) fn unwrap_redirect(url: &Url, page: &Url) -> Option<Url> {
    let query = url.query()?;
    if !query.contains("http") {
        return None;
    }
    let mut best: Option<(u8, Url)> = None;
    for (name, value) in url.query_pairs() {
        if !(value.starts_with("http://") || value.starts_with("https://")) {
            continue;
        }
        let name = name.to_ascii_lowercase();
        if NOT_A_TARGET.iter().any(|word| name == *word || name.starts_with("image")) {
            continue;
        }
        let Ok(inner) = Url::parse(&value) else { continue };
        let back_here = inner.host_str() == page.host_str() && inner.path() == page.path();
        if inner.host_str().is_none() || back_here || inner.path().len() < 2 {
            continue;
        }
        let preferred = ["detail", "target", "dest", "redir", "url", "link", "goto", "to"]
            .iter()
            .any(|word| name.contains(word));
        let rank = u8::from(preferred);
        if best.as_ref().is_none_or(|(r, _)| rank > *r) {
            best = Some((rank, inner));
        }
    }
    best.map(|(_, inner)| inner)
}

/// An address as written, without the parameters that say where somebody clicked: two links of one
/// card that differ in nothing else lead to one place.
pub(crate) fn without_trackers(href: &str) -> Cow<'_, str> {
    let Some((path, rest)) = href.split_once('?') else { return Cow::Borrowed(href) };
    let (query, fragment) = match rest.split_once('#') {
        Some((query, _)) => (query, &rest[query.len()..]),
        None => (rest, ""),
    };
    let says_where = |pair: &&str| is_campaign(pair.split('=').next().unwrap_or_default());
    if !query.split('&').any(|pair| says_where(&pair)) {
        return Cow::Borrowed(href);
    }
    let kept: Vec<&str> = query.split('&').filter(|pair| !says_where(pair)).collect();
    let mark = if kept.is_empty() { "" } else { "?" };
    Cow::Owned(format!("{path}{mark}{}{fragment}", kept.join("&")))
}

/// Parameters that say where somebody clicked, whatever the site.
fn is_campaign(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_")
        || ["gclid", "fbclid", "msclkid", "pos", "position", "sid", "sessionid"]
            .contains(&name.as_str())
}

/// Parameters that hardly ever say which listing it is.
fn is_tracker(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let exact = [
        "ref",
        "referrer",
        "source",
        "src",
        "page",
        "context",
        "lang",
        "locale",
        "sort",
        "origin",
        "from",
        "t",
        "cid",
        "campaign",
        "tracking",
        "channel",
        "serp_view",
        "ca",
        "index",
        "list",
        "listname",
        "mode",
        "view",
        "rank",
        "phpsessid",
        "jsessionid",
        "correlationid",
        "reason",
    ];
    is_campaign(&name)
        || exact.contains(&name.as_str())
        || ["search", "session", "ga_", "mc_", "pk_", "mtm_", "at_", "trk"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

/// The canonical text of an address, for keys: no scheme, no `www.`, no session, no fragment
/// (unless it is the route), no trackers, decoded, parameters sorted. With `path_only` the whole
/// query goes, since the path is distinct already.
pub(crate) fn canonical(url: &Url, path_only: bool) -> String {
    canonical_with(url, path_only, None)
}

/// [`canonical`], where one parameter is known to tell the listings apart: it stays, even if
/// elsewhere its name is that of a tracker (`?t=31120`, `?ref=AB10233`).
pub(crate) fn canonical_with(url: &Url, path_only: bool, told_by: Option<&str>) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let mut out = String::from(host);
    if let Some(port) = url.port() {
        out.push(':');
        out.push_str(&port.to_string());
    }
    let path = decode(url.path());
    let path = match path.to_ascii_lowercase().find(";jsessionid") {
        Some(at) => &path[..at],
        None => &path,
    };
    out.push_str(path.trim().trim_end_matches('/'));
    if !path_only {
        let mut pairs: Vec<String> = url
            .query_pairs()
            .filter(|(name, _)| told_by == Some(&**name) || !is_tracker(name))
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        pairs.sort_unstable();
        if !pairs.is_empty() {
            out.push('?');
            out.push_str(&pairs.join("&"));
        }
    }
    // A fragment that starts like a path is the route of a one-page site.
    if let Some(fragment) = url.fragment().filter(|f| is_route(f) && url.path().len() <= 1) {
        out.push('#');
        out.push_str(fragment);
    }
    out
}

fn is_route(fragment: &str) -> bool {
    fragment.len() > 1 && (fragment.starts_with('/') || fragment.starts_with('!'))
}

/// Percent-decoded, where that gives text.
fn decode(path: &str) -> String {
    if !path.contains('%') {
        return path.to_owned();
    }
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |i: usize| bytes.get(i).and_then(|b| (*b as char).to_digit(16));
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
