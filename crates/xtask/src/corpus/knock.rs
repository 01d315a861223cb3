//! The built `knock`, as a child with a deadline.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::Entry;

/// A page that takes longer than this has hung.
const DEADLINE: Duration = Duration::from_secs(20);

/// The binary.
pub(crate) struct Knock {
    path: PathBuf,
}

/// What `knock extract --json` documents.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Extracted {
    pub(crate) page_kind: String,
    pub(crate) confidence: f64,
    pub(crate) listings: Vec<Predicted>,
}

/// One listing of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Predicted {
    pub(crate) key: String,
    pub(crate) keys: Vec<serde_json::Value>,
    pub(crate) url: String,
    pub(crate) title: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) price: Option<Price>,
    pub(crate) size_m2: Option<f64>,
    pub(crate) rooms: Option<f64>,
    pub(crate) bedrooms: Option<f64>,
    pub(crate) image: Option<String>,
    pub(crate) role: String,
}

/// A price of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Price {
    pub(crate) amount: f64,
    pub(crate) currency: Option<String>,
}

/// What `knock classify --json` documents.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Classified {
    pub(crate) verdict: String,
    pub(crate) reason: Option<String>,
}

impl Knock {
    /// The given binary, or our own after a build.
    pub(crate) fn new(path: Option<PathBuf>) -> Result<Self> {
        let path = path.or_else(|| std::env::var_os("FIRSTKNOCK_KNOCK").map(PathBuf::from));
        if let Some(path) = path {
            if !path.is_file() {
                bail!("{} is no file", path.display());
            }
            return Ok(Self { path });
        }
        // Nothing on stdout but the score: `--json` is one object.
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--package", "firstknock-cli"])
            .current_dir(crate::sh::root())
            .stdout(Stdio::null())
            .status()
            .context("cannot start cargo")?;
        if !built.success() {
            bail!("`knock` could not be built");
        }
        Ok(Self { path: crate::sh::target().join("debug/knock") })
    }

    /// The listings of a page, or why there is no answer.
    pub(crate) fn extract(
        &self,
        file: &std::path::Path,
        entry: &Entry,
    ) -> (Result<Extracted>, Duration) {
        let started = Instant::now();
        let out = self.json(&[
            "extract".as_ref(),
            file.as_os_str(),
            "--url".as_ref(),
            entry.url.as_ref(),
            "--json".as_ref(),
        ]);
        (out, started.elapsed())
    }

    /// The verdict on a page that came with a status.
    pub(crate) fn classify(
        &self,
        file: &std::path::Path,
        url: &str,
        status: &str,
    ) -> Result<Classified> {
        self.json(&[
            "classify".as_ref(),
            file.as_os_str(),
            "--status".as_ref(),
            status.as_ref(),
            "--url".as_ref(),
            url.as_ref(),
            "--json".as_ref(),
        ])
    }

    fn json<T: for<'de> Deserialize<'de>>(&self, args: &[&std::ffi::OsStr]) -> Result<T> {
        let mut child = Command::new(&self.path)
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", self.path.display()))?;
        let mut stdout = child.stdout.take().context("no pipe")?;
        let mut stderr = child.stderr.take().context("no pipe")?;
        let out = std::thread::spawn(move || {
            let mut text = Vec::new();
            stdout.read_to_end(&mut text).map(|_| text)
        });
        let err = std::thread::spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).map(|_| text)
        });
        let started = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if started.elapsed() > DEADLINE {
                child.kill()?;
                child.wait()?;
                bail!("no answer within {} s", DEADLINE.as_secs());
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let out = out.join().map_err(|_| anyhow::anyhow!("reading failed"))??;
        let err = err.join().map_err(|_| anyhow::anyhow!("reading failed"))??;
        if !status.success() {
            let text = String::from_utf8_lossy(&err);
            bail!("ended with {status}: {}", text.lines().next().unwrap_or_default());
        }
        serde_json::from_slice(&out).context("the output is not the documented JSON")
    }
}
