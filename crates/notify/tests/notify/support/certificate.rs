//! A certificate authority of the test's own, and a server certificate for loopback.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

pub(crate) struct Certificate {
    pub(crate) root: CertificateDer<'static>,
    pub(crate) leaf: CertificateDer<'static>,
    pub(crate) leaf_pem: String,
    pub(crate) key: KeyPair,
}

impl Certificate {
    pub(crate) fn new(name: &str) -> Self {
        let ca_key = KeyPair::generate().expect("a key");
        let mut ca = CertificateParams::new(Vec::new()).expect("parameters");
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root = ca.self_signed(&ca_key).expect("a root").der().clone();
        let issuer = Issuer::new(ca, ca_key);
        let key = KeyPair::generate().expect("a key");
        let names = vec![name.to_owned()];
        let mut leaf = CertificateParams::new(names).expect("parameters");
        leaf.use_authority_key_identifier_extension = true;
        leaf.extended_key_usages = vec![rcgen::ExtendedKeyUsagePurpose::ServerAuth];
        let leaf = leaf.signed_by(&key, &issuer).expect("a certificate");
        Self { root, leaf: leaf.der().clone(), leaf_pem: leaf.pem(), key }
    }

    pub(crate) fn server(&self) -> Arc<ServerConfig> {
        let key = PrivateKeyDer::try_from(self.key.serialize_der()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("protocol versions")
            .with_no_client_auth()
            .with_single_cert(vec![self.leaf.clone()], key)
            .expect("a server configuration");
        Arc::new(config)
    }
}
