//! The window's own build: `npm ci` and `vite build`, each only when something changed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::sh::{Sh, root, sh, target};

pub(crate) fn folder() -> PathBuf {
    root().join("ui")
}

/// An npm command in `ui`.
pub(crate) fn npm(args: &[&str]) -> Sh {
    sh("npm", args).dir(&folder())
}

/// Installs what the lock file says.
pub(crate) fn install() -> Result<()> {
    crate::setup::node()?;
    let mark = digest(&[folder().join("package-lock.json"), folder().join("package.json")]);
    if folder().join("node_modules").is_dir() && stamp_is("npm-ci", mark) {
        return Ok(());
    }
    npm(&["ci", "--no-audit", "--no-fund"]).run()?;
    write_stamp("npm-ci", mark)
}

/// Builds `ui/dist`, which the app embeds, unless the last build here made what lies there of
/// these very sources.
pub(crate) fn build() -> Result<()> {
    install()?;
    let mut sources: Vec<PathBuf> =
        ["src", "messages", "public"].iter().flat_map(|dir| files(&folder().join(dir))).collect();
    sources.extend(["index.html", "vite.config.ts", "package-lock.json"].map(|f| folder().join(f)));
    let mark = || digest(&[sources.as_slice(), &files(&folder().join("dist"))].concat());
    if folder().join("dist/index.html").is_file() && stamp_is("ui-build", mark()) {
        return Ok(());
    }
    npm(&["run", "build"]).run()?;
    write_stamp("ui-build", mark())
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => files(&path),
            path => vec![path],
        })
        .collect();
    paths.sort();
    paths
}

fn digest(paths: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        path.hash(&mut hasher);
        std::fs::read(path).unwrap_or_default().hash(&mut hasher);
    }
    hasher.finish()
}

fn stamp_file(name: &str) -> PathBuf {
    target().join(format!("{name}.stamp"))
}

fn stamp_is(name: &str, mark: u64) -> bool {
    std::fs::read_to_string(stamp_file(name)).is_ok_and(|text| text == mark.to_string())
}

fn write_stamp(name: &str, mark: u64) -> Result<()> {
    std::fs::create_dir_all(target())?;
    Ok(std::fs::write(stamp_file(name), mark.to_string())?)
}
