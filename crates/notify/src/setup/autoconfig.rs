//! What a provider publishes about its own servers, in Mozilla's format of the file
//! `config-v1.1.xml`. It is asked over HTTPS and without the address.

use super::{Access, Account, LoginName, Origin};
use crate::Security;
use crate::channel::post;

/// More of an answer is not read (by [`post::body`]); the real files have 2 to 10 KB.
const PLACES: [(&str, &str); 2] = [
    ("https://autoconfig.", "/mail/config-v1.1.xml"),
    ("https://", "/.well-known/autoconfig/mail/config-v1.1.xml"),
];

/// Asks the domain of an address; `None` if it publishes nothing usable.
pub async fn autoconfig(address: &str) -> Option<Account> {
    let (_, domain) = address.trim().rsplit_once('@')?;
    let url::Host::Domain(domain) = url::Host::parse(domain).ok()? else { return None };
    let urls = PLACES.map(|(before, after)| format!("{before}{domain}{after}"));
    ask(&urls, address).await
}

async fn ask(urls: &[String], address: &str) -> Option<Account> {
    let client = post::client().ok()?;
    for url in urls {
        let Ok(answer) = client.get(url).send().await else { continue };
        if answer.status().is_success() {
            let body = post::body(answer).await;
            if let Some(account) = read(&String::from_utf8_lossy(&body), address) {
                return Some(account);
            }
        }
    }
    None
}

/// The best outgoing server of a file: encrypted or none at all, implicit TLS before STARTTLS.
pub fn read(xml: &str, address: &str) -> Option<Account> {
    let (user, domain) = address.trim().rsplit_once('@')?;
    let mut servers: Vec<Account> = elements(xml, "outgoingServer")
        .filter(|(attributes, _)| attributes.is_empty() || attributes.contains("smtp"))
        .filter_map(|(_, inside)| server(inside, user, domain))
        .collect();
    servers.sort_by_key(|account| {
        (account.access != Access::Password, account.security != Security::ImplicitTls)
    });
    let mut best = servers.into_iter().next()?;
    best.provider = text(xml, "displayName").or_else(|| text(xml, "displayShortName"));
    Some(best)
}

fn server(inside: &str, user: &str, domain: &str) -> Option<Account> {
    let fill = |text: String| {
        text.replace("%EMAILADDRESS%", &format!("{user}@{domain}"))
            .replace("%EMAILLOCALPART%", user)
            .replace("%EMAILDOMAIN%", domain)
    };
    let host = fill(text(inside, "hostname")?);
    let url::Host::Domain(server) = url::Host::parse(&host).ok()? else { return None };
    let security = match text(inside, "socketType")?.to_ascii_uppercase().as_str() {
        "SSL" => Security::ImplicitTls,
        "STARTTLS" => Security::StartTls,
        // `plain`, and whatever else there may be.
        _ => return None,
    };
    let logins: Vec<String> = elements(inside, "authentication")
        .filter_map(|(_, inside)| plain(inside))
        .map(|login| login.to_ascii_lowercase())
        .collect();
    let password = logins.is_empty() || logins.iter().any(|login| login.starts_with("password"));
    let oauth = logins.iter().any(|login| login == "oauth2");
    let access = match (password, oauth) {
        (true, _) => Access::Password,
        (false, true) => Access::NoPasswords,
        (false, false) => return None,
    };
    Some(Account {
        provider: None,
        server,
        port: text(inside, "port")?.parse().ok().filter(|port| *port > 0)?,
        security,
        user: match text(inside, "username") {
            Some(name) => fill(name),
            None => LoginName::Address.of(user, domain),
        },
        access,
        origin: Origin::Autoconfig,
    })
}

/// The text of the first element of a name; nothing with markup inside.
fn text(xml: &str, name: &str) -> Option<String> {
    elements(xml, name).find_map(|(_, inside)| plain(inside))
}

/// Text of at most 200 characters, its five entities resolved. There are no others: a file with a
/// document type of its own is not believed.
fn plain(inside: &str) -> Option<String> {
    let text = inside.trim();
    let sane = !text.is_empty() && text.len() <= 200 && !text.contains(['<', '>']);
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
    sane.then(|| firstknock_listing::clean_line(&text))
}

/// The elements of a name in order: their attributes and what stands between their tags. A
/// scanner and no parser: it allocates nothing, follows nothing, and cannot recurse.
fn elements<'a>(xml: &'a str, name: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let mut rest = xml;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find('<')?;
            rest = &rest[at + 1..];
            if let Some(comment) = rest.strip_prefix("!--") {
                rest = comment.split_once("-->").map_or("", |(_, after)| after);
                continue;
            }
            let Some(tag) = rest.strip_prefix(name) else { continue };
            if !tag.starts_with(|c: char| c == '>' || c.is_ascii_whitespace()) {
                continue;
            }
            let (attributes, after) = tag.split_once('>')?;
            if attributes.ends_with('/') {
                rest = after;
                continue;
            }
            let mut end = after.match_indices("</").map(|(at, _)| at);
            let end = end.find(|at| {
                after[at + 2..].strip_prefix(name).is_some_and(|t| t.trim_start().starts_with('>'))
            })?;
            rest = &after[end..];
            return Some((attributes.trim(), &after[..end]));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"<?xml version="1.0"?>
<clientConfig version="1.1"><emailProvider id="mailhuis.example">
  <domain>mailhuis.example</domain>
  <displayName>Mailhuis &amp; Zonen</displayName>
  <incomingServer type="imap"><hostname>imap.mailhuis.example</hostname><port>993</port>
    <socketType>SSL</socketType></incomingServer>
  <!-- <outgoingServer type="smtp"><hostname>old.mailhuis.example</hostname><port>465</port>
    <socketType>SSL</socketType></outgoingServer> -->
  <outgoingServer type="smtp"><hostname>plain.mailhuis.example</hostname><port>25</port>
    <socketType>plain</socketType></outgoingServer>
  <outgoingServer type="smtp"><hostname>smtp.mailhuis.example</hostname><port>587</port>
    <socketType>STARTTLS</socketType><username>%EMAILLOCALPART%</username>
    <authentication>password-cleartext</authentication></outgoingServer>
  <outgoingServer type="smtp"><hostname>smtp.%EMAILDOMAIN%</hostname><port>465</port>
    <socketType>SSL</socketType><username>%EMAILADDRESS%</username>
    <authentication>OAuth2</authentication>
    <authentication>password-cleartext</authentication></outgoingServer>
</emailProvider></clientConfig>"#;

    #[test]
    fn the_best_encrypted_server_is_taken() {
        let account = read(FILE, "noor@mailhuis.example").expect("an account");
        let expect = Account {
            provider: Some("Mailhuis & Zonen".into()),
            server: "smtp.mailhuis.example".into(),
            port: 465,
            security: Security::ImplicitTls,
            user: "noor@mailhuis.example".into(),
            access: Access::Password,
            origin: Origin::Autoconfig,
        };
        assert_eq!(account, expect);
    }

    #[tokio::test]
    async fn the_provider_is_asked_without_the_address_and_a_404_asks_the_next_place() {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(async move {
            let mut heads = String::new();
            for status in ["404 Not Found", "200 OK"] {
                let (mut tcp, _) = listener.accept().await.expect("a connection");
                let mut head = vec![0; 4096];
                let read = tcp.read(&mut head).await.expect("a request");
                heads.push_str(&String::from_utf8_lossy(&head[..read]));
                let length = FILE.len();
                let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n");
                tcp.write_all(head.as_bytes()).await.expect("written");
                tcp.write_all(FILE.as_bytes()).await.expect("written");
            }
            heads
        });
        let urls = [format!("{base}/one"), format!("{base}/two")];
        let account = ask(&urls, "noor@mailhuis.example").await.expect("an account");
        assert_eq!(account.server, "smtp.mailhuis.example");
        let heads = serving.await.expect("served");
        assert!(heads.contains("GET /two") && !heads.contains("noor"), "{heads}");
    }

    #[test]
    fn a_server_that_takes_oauth_only_is_named_as_such() {
        let file = FILE.replace("password-cleartext", "OAuth2");
        let account = read(&file, "noor@mailhuis.example").expect("an account");
        assert_eq!(account.access, Access::NoPasswords);
    }

    #[test]
    fn nonsense_is_no_account_and_no_panic() {
        for broken in [
            "",
            "<",
            "<outgoingServer",
            "<outgoingServer>",
            "<outgoingServer type=\"smtp\"></outgoingServer>",
            "<html><body>404</body></html>",
            "<!-- <outgoingServer>",
            &"<outgoingServer>".repeat(10_000),
        ] {
            assert_eq!(read(broken, "noor@mailhuis.example"), None);
        }
        for at in 0..FILE.len() {
            if FILE.is_char_boundary(at) {
                read(&FILE[..at], "noor@mailhuis.example");
            }
        }
        let evil = FILE.replace("smtp.%EMAILDOMAIN%", "a b/../@evil<x>");
        let account = read(&evil, "noor@mailhuis.example").expect("the other one");
        assert_eq!(account.port, 587);
    }
}
