//! Running other programs, loudly: the command is printed, and its failure names it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The workspace's root.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).map_or_else(|| here.to_owned(), Path::to_owned)
}

/// Where cargo builds to.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A program with arguments, in the workspace's root.
pub(crate) struct Sh {
    inner: Command,
    line: String,
}

/// A program.
pub(crate) fn sh<S: AsRef<OsStr>>(program: S, args: &[&str]) -> Sh {
    let mut inner = Command::new(&program);
    inner.args(args).current_dir(root());
    let name = Path::new(program.as_ref()).file_name().unwrap_or_default().to_string_lossy();
    Sh { inner, line: format!("{name} {}", args.join(" ")) }
}

/// The cargo that runs us.
pub(crate) fn cargo(args: &[&str]) -> Sh {
    sh(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), args)
}

impl Sh {
    pub(crate) fn arg(mut self, arg: &str) -> Self {
        self.inner.arg(arg);
        self.line = format!("{} {arg}", self.line);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.inner.env(name, value);
        self
    }

    pub(crate) fn dir(mut self, dir: &Path) -> Self {
        self.inner.current_dir(dir);
        self
    }

    /// Runs it, with its output shown; a failure is an error.
    pub(crate) fn run(mut self) -> Result<()> {
        println!("$ {}", self.line);
        let status =
            self.inner.status().with_context(|| format!("cannot start `{}`", self.line))?;
        if !status.success() {
            bail!("`{}` failed ({status})", self.line);
        }
        Ok(())
    }

    /// Runs it quietly and returns what it printed; `None` if it failed or is not there.
    pub(crate) fn read(mut self) -> Option<String> {
        let out = self.inner.stderr(Stdio::null()).stdin(Stdio::null()).output().ok()?;
        out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
    }
}

/// Whether a program is on the PATH.
pub(crate) fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}
