//! A saved page and the address it came from.

use std::path::PathBuf;

use anyhow::{Context, Result};
use url::Url;

use crate::Usage;

/// A file with the address it came from.
#[derive(clap::Args)]
pub(crate) struct PageFile {
    /// The saved body (HTML or JSON), `-` for stdin.
    file: PathBuf,
    /// The address that it came from.
    #[arg(long)]
    pub(crate) url: String,
}

impl PageFile {
    /// The text, read leniently: bytes that are no UTF-8 become U+FFFD.
    pub(crate) fn text(&self) -> Result<String> {
        let bytes = if self.file.as_os_str() == "-" {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes)?;
            bytes
        } else {
            std::fs::read(&self.file)
                .map_err(|e| Usage(format!("cannot read {}: {e}", self.file.display())))?
        };
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })
    }

    /// The address.
    pub(crate) fn address(&self) -> Result<Url> {
        Url::parse(&self.url)
            .map_err(|e| Usage(format!("--url {}: {e}", self.url)))
            .context("give the address that the page came from, with https://")
    }
}
