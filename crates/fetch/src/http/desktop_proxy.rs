//! The proxy of a Linux desktop's settings.
//!
//! The HTTP library reads the environment everywhere and the settings of Windows and macOS; a
//! program that GNOME or Cinnamon starts has no such environment. Promises to ask only where a
//! desktop runs and the environment says nothing. Leaves out proxy scripts (PAC): they are told
//! in the log, not run.

use reqwest::{NoProxy, Proxy};

const SCHEMA: &str = "org.gnome.system.proxy";
const ENVIRONMENT: [&str; 6] =
    ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/// What the settings say: proxies as `scheme → address`, and hosts that need none.
#[derive(Debug, Default, PartialEq, Eq)]
struct Settings {
    http: Option<String>,
    https: Option<String>,
    socks: Option<String>,
    ignored: Vec<String>,
}

/// The proxies to use; empty for none, or where this is not ours to say.
pub(super) fn proxies() -> Result<Vec<Proxy>, reqwest::Error> {
    let desktop = std::env::var_os("XDG_CURRENT_DESKTOP").is_some();
    let said = ENVIRONMENT.iter().any(|name| std::env::var_os(name).is_some());
    if !cfg!(target_os = "linux") || !desktop || said {
        return Ok(Vec::new());
    }
    let asked = std::process::Command::new("gsettings").args(["list-recursively", SCHEMA]).output();
    match asked {
        Ok(output) => read(&String::from_utf8_lossy(&output.stdout)).into_proxies(),
        // Another desktop: there is nobody to ask.
        Err(_) => Ok(Vec::new()),
    }
}

/// Reads `SCHEMA KEY VALUE` lines.
fn read(lines: &str) -> Settings {
    let value = |schema: &str, key: &str| {
        lines.lines().find_map(|line| {
            let rest = line.strip_prefix(schema)?.strip_prefix(' ')?;
            let value = rest.strip_prefix(key)?.strip_prefix(' ')?;
            Some(value.trim().trim_matches('\'').to_owned())
        })
    };
    match value(SCHEMA, "mode").as_deref() {
        Some("manual") => {}
        Some("auto") => {
            tracing::warn!("the desktop's proxy is chosen by a script, which is not run");
            return Settings::default();
        }
        _ => return Settings::default(),
    }
    let address = |kind: &str| {
        let schema = format!("{SCHEMA}.{kind}");
        let host = value(&schema, "host").filter(|host| !host.is_empty())?;
        let port = value(&schema, "port").filter(|port| port != "0")?;
        Some(format!("{host}:{port}"))
    };
    let ignored = value(SCHEMA, "ignore-hosts").unwrap_or_default();
    let ignored = ignored.trim_matches(['[', ']']).split(',');
    Settings {
        http: address("http"),
        https: address("https"),
        socks: address("socks"),
        ignored: ignored
            .map(|host| host.trim().trim_matches('\'').trim_start_matches("*.").to_owned())
            .filter(|host| !host.is_empty())
            .collect(),
    }
}

impl Settings {
    fn into_proxies(self) -> Result<Vec<Proxy>, reqwest::Error> {
        let direct = NoProxy::from_string(&self.ignored.join(","));
        let mut proxies = Vec::new();
        if let Some(address) = self.http {
            proxies.push(Proxy::http(format!("http://{address}"))?);
        }
        if let Some(address) = self.https {
            proxies.push(Proxy::https(format!("http://{address}"))?);
        }
        if let Some(address) = self.socks {
            proxies.push(Proxy::all(format!("socks5h://{address}"))?);
        }
        Ok(proxies.into_iter().map(|proxy| proxy.no_proxy(direct.clone())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANUAL: &str = "\
org.gnome.system.proxy autoconfig-url ''
org.gnome.system.proxy ignore-hosts ['localhost', '127.0.0.0/8', '*.lan', '::1']
org.gnome.system.proxy mode 'manual'
org.gnome.system.proxy.http authentication-user ''
org.gnome.system.proxy.http host 'proxy.example'
org.gnome.system.proxy.http port 3128
org.gnome.system.proxy.https host 'proxy.example'
org.gnome.system.proxy.https port 0
org.gnome.system.proxy.socks host ''
org.gnome.system.proxy.socks port 1080
";

    #[test]
    fn a_manual_proxy_is_read_with_its_exceptions() {
        let settings = read(MANUAL);
        assert_eq!(settings.http.as_deref(), Some("proxy.example:3128"));
        assert_eq!((&settings.https, &settings.socks), (&None, &None));
        assert_eq!(settings.ignored, ["localhost", "127.0.0.0/8", "lan", "::1"]);
        assert_eq!(settings.into_proxies().unwrap().len(), 1);
    }

    #[test]
    fn no_proxy_a_script_and_nonsense_are_none() {
        for other in ["'none'", "'auto'", "'new'"] {
            assert_eq!(read(&MANUAL.replace("'manual'", other)), Settings::default());
        }
        assert_eq!(read("No such schema"), Settings::default());
    }
}
