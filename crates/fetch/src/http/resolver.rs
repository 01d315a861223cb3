//! Names to addresses, with an error of its own, so that DNS trouble is known as such.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// The system's resolver, behind a few fixed names.
#[derive(Debug)]
pub(super) struct Resolver {
    fixed: Arc<HashMap<String, Vec<SocketAddr>>>,
}

/// The name could not be resolved.
#[derive(Debug, thiserror::Error)]
#[error("no address for this name")]
pub(super) struct NoAddress(#[source] std::io::Error);

impl Resolver {
    pub(super) fn new(fixed: &[(String, Vec<SocketAddr>)]) -> Self {
        Self { fixed: Arc::new(fixed.iter().cloned().collect()) }
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let fixed = Arc::clone(&self.fixed);
        Box::pin(async move {
            if let Some(addresses) = fixed.get(name.as_str()) {
                return Ok(Box::new(addresses.clone().into_iter()) as Addrs);
            }
            match tokio::net::lookup_host((name.as_str(), 0)).await {
                Ok(found) => Ok(Box::new(found.collect::<Vec<_>>().into_iter()) as Addrs),
                Err(error) => Err(NoAddress(error).into()),
            }
        })
    }
}
