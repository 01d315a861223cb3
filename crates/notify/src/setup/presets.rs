//! The table of mail providers: a minute of typing saved, and a wrong password not tried where
//! none is taken.

use std::sync::LazyLock;

use super::{Access, Account, LoginName, Origin};
use crate::Security;

/// One provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// Its name, as people know it.
    pub provider: &'static str,
    /// The domains of its addresses.
    pub domains: Vec<&'static str>,
    /// The server; empty where the provider has none for others.
    pub server: &'static str,
    /// The port; 0 without a server.
    pub port: u16,
    /// How it is encrypted.
    pub security: Security,
    /// What to log in with.
    pub login_name: LoginName,
    /// What the provider wants of its users first.
    pub access: Access,
    /// The public page that states these facts.
    pub source: &'static str,
}

static TABLE: LazyLock<Vec<Preset>> =
    LazyLock::new(|| include_str!("presets.tsv").lines().filter_map(row).collect());

/// All providers.
pub fn presets() -> &'static [Preset] {
    &TABLE
}

/// The account that the table knows for an address.
pub fn preset(address: &str) -> Option<Account> {
    let (user, domain) = address.trim().rsplit_once('@')?;
    let preset = by_domain(domain)?;
    Some(Account {
        provider: Some(preset.provider.to_owned()),
        server: preset.server.to_owned(),
        port: preset.port,
        security: preset.security,
        user: preset.login_name.of(user, domain),
        access: preset.access,
        origin: Origin::Preset,
    })
}

/// The provider of a domain.
pub(crate) fn by_domain(domain: &str) -> Option<&'static Preset> {
    let domain = domain.trim_end_matches('.').to_ascii_lowercase();
    presets().iter().find(|preset| preset.domains.contains(&domain.as_str()))
}

/// The provider that runs a server.
pub(crate) fn by_server(server: &str) -> Option<&'static Preset> {
    let server = server.to_ascii_lowercase();
    let same = presets().iter().find(|preset| preset.server == server);
    // Company accounts with Microsoft refuse passwords as its private ones do.
    same.or_else(|| (server == "smtp.office365.com").then(|| by_domain("outlook.com")).flatten())
}

fn row(line: &'static str) -> Option<Preset> {
    if line.starts_with('#') || line.is_empty() {
        return None;
    }
    let mut columns = line.split('\t');
    let mut next = || columns.next().expect("BUG: a row of presets.tsv has eight columns");
    Some(Preset {
        provider: next(),
        domains: next().split(' ').collect(),
        server: next(),
        port: next().parse().expect("BUG: a port in presets.tsv is a number"),
        security: match next() {
            "tls" => Security::ImplicitTls,
            _ => Security::StartTls,
        },
        login_name: match next() {
            "local" => LoginName::LocalPart,
            _ => LoginName::Address,
        },
        access: Access::from_code(next()).expect("BUG: presets.tsv knows the kinds of access"),
        source: next(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_whole_and_no_domain_is_there_twice() {
        let mut domains: Vec<&str> = presets().iter().flat_map(|p| p.domains.clone()).collect();
        let count = domains.len();
        assert!(count >= 80, "{count} domains");
        for preset in presets() {
            let Preset { provider, server, port, security, access, source, .. } = preset;
            assert!(source.starts_with("http"), "{provider}: a public source");
            assert!(server.is_empty() == (*access == Access::NoSmtp), "{provider}");
            let usual = match security {
                Security::ImplicitTls => 465,
                Security::StartTls => 587,
            };
            assert!(*port == usual || server.is_empty(), "{provider}: {port}");
            let plain = |name: &&str| {
                name.contains('.')
                    && !name.contains(|c: char| c.is_uppercase() || c.is_whitespace())
            };
            assert!(preset.domains.iter().all(plain), "{provider}: {:?}", preset.domains);
        }
        domains.sort_unstable();
        domains.dedup();
        assert_eq!(domains.len(), count, "each domain once");
    }

    #[test]
    fn an_address_finds_its_account() {
        let account = preset(" Noor@GMX.de ").expect("GMX");
        assert_eq!((account.server.as_str(), account.port), ("mail.gmx.net", 465));
        assert_eq!(account.user, "Noor@GMX.de");
        assert_eq!(account.access, Access::SwitchOn);
        assert_eq!(preset("noor@web.de").expect("WEB.DE").user, "noor");
        assert_eq!(preset("noor@hotmail.nl").expect("Microsoft").access, Access::NoPasswords);
        assert_eq!(preset("noor@tuta.com").expect("Tuta").access, Access::NoSmtp);
        assert_eq!(preset("noor@mailhuis.example"), None);
        assert_eq!(preset("noor"), None);
    }
}
