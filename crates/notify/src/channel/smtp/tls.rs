//! Whom to trust: the platform's own roots, and in tests one more.

use std::sync::Arc;

use lettre::transport::smtp::client::{Certificate, TlsParameters};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, crypto::ring};
use rustls_platform_verifier::Verifier;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// The trust store of this computer. There is no way to accept a bad certificate.
#[derive(Clone)]
pub(super) struct Trust {
    config: Arc<ClientConfig>,
    extra_root: Option<CertificateDer<'static>>,
}

/// Why a connection cannot be encrypted.
#[derive(Debug, Error)]
pub(super) enum TlsError {
    #[error("not a name that a certificate can be for: {0}")]
    Name(#[from] rustls::pki_types::InvalidDnsNameError),
    #[error("{0}")]
    Handshake(#[from] std::io::Error),
    #[error("{0}")]
    Rustls(#[from] rustls::Error),
    #[error("{0}")]
    Lettre(#[from] lettre::transport::smtp::Error),
}

impl Trust {
    pub(super) fn new(extra_root: Option<CertificateDer<'static>>) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier::new_with_extra_roots(extra_root.clone(), Arc::clone(&provider))?;
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        Ok(Self { config: Arc::new(config), extra_root })
    }

    /// TLS from the first byte.
    pub(super) async fn handshake(
        &self,
        server: &str,
        tcp: TcpStream,
    ) -> Result<TlsStream<TcpStream>, TlsError> {
        let bare = server.trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(bare)?;
        Ok(TlsConnector::from(Arc::clone(&self.config)).connect(name, tcp).await?)
    }

    /// The same trust in lettre's form, for STARTTLS.
    pub(super) fn parameters(&self, server: &str) -> Result<TlsParameters, TlsError> {
        let bare = server.trim_start_matches('[').trim_end_matches(']').to_owned();
        let mut builder = TlsParameters::builder(bare);
        if let Some(root) = &self.extra_root {
            builder = builder.add_root_certificate(Certificate::from_der(root.to_vec())?);
        }
        Ok(builder.build()?)
    }
}

/// Whether rustls stands anywhere behind an error: a bad certificate, or no TLS at all.
pub(super) fn is_tls(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.is::<rustls::Error>() {
            return true;
        }
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if inner.is_some_and(|inner| inner.is::<rustls::Error>()) {
            return true;
        }
        next = error.source();
    }
    false
}
