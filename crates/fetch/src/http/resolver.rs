//! Names to addresses, with an error of its own, so that DNS trouble is known as such.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::public::is_public;

/// The system's resolver, behind a few fixed names.
#[derive(Debug)]
pub(super) struct Resolver {
    fixed: Arc<HashMap<String, Vec<SocketAddr>>>,
    /// Only addresses of the public internet are given.
    public_only: bool,
}

/// The name could not be resolved.
#[derive(Debug, thiserror::Error)]
#[error("no address for this name")]
pub(super) struct NoAddress(#[source] std::io::Error);

/// The name stands for addresses at home only.
#[derive(Debug, thiserror::Error)]
#[error("a private address")]
pub(super) struct Private;

impl Resolver {
    pub(super) fn new(fixed: &[(String, Vec<SocketAddr>)], public_only: bool) -> Self {
        Self { fixed: Arc::new(fixed.iter().cloned().collect()), public_only }
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let fixed = Arc::clone(&self.fixed);
        let public_only = self.public_only;
        Box::pin(async move {
            let mut found: Vec<SocketAddr> = match fixed.get(name.as_str()) {
                Some(addresses) => addresses.clone(),
                None => match tokio::net::lookup_host((name.as_str(), 0)).await {
                    Ok(found) => found.collect(),
                    Err(error) => return Err(NoAddress(error).into()),
                },
            };
            if public_only {
                found.retain(|address| is_public(address.ip()));
                if found.is_empty() {
                    return Err(Private.into());
                }
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
