//! Python's and Node's parsers in pinned versions under `target/`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::extract::feed;
use crate::sh::{root, target};

const CHEERIO: &str = "cheerio@1.2.0";

/// Median seconds by peer and page. A peer that cannot be installed is said and left out.
pub(super) fn run(pages: &[(String, String)]) -> Result<BTreeMap<String, BTreeMap<String, f64>>> {
    let lines: String = pages.iter().map(|(file, css)| format!("{file}\t{css}\n")).collect();
    let mut all = BTreeMap::new();
    for (name, ready) in [("Python", python(&lines)), ("Node", node(&lines))] {
        match ready {
            Ok(out) => {
                let read: BTreeMap<String, BTreeMap<String, f64>> =
                    serde_json::from_str(&out).with_context(|| format!("{name}'s output"))?;
                all.extend(read);
            }
            Err(error) => eprintln!("{name}'s parsers are left out: {error:#}"),
        }
    }
    Ok(all)
}

fn here() -> PathBuf {
    root().join("crates/xtask/src/bench")
}

fn python(lines: &str) -> Result<String> {
    let venv = target().join("bench-venv");
    let python = venv.join("bin/python");
    let wanted = std::fs::read_to_string(here().join("requirements.txt"))?;
    let mark = venv.join("installed.txt");
    if std::fs::read_to_string(&mark).ok().as_ref() != Some(&wanted) {
        quietly(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        quietly(
            Command::new(&python)
                .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
                .arg(here().join("requirements.txt")),
        )?;
        std::fs::write(mark, wanted)?;
    }
    feed(Command::new(python).arg(here().join("peers.py")), lines)
}

fn node(lines: &str) -> Result<String> {
    let dir = target().join("bench-node");
    std::fs::create_dir_all(&dir)?;
    let mark = dir.join("installed.txt");
    if std::fs::read_to_string(&mark).ok().as_deref() != Some(CHEERIO) {
        std::fs::write(dir.join("package.json"), "{\"private\":true}\n")?;
        quietly(
            Command::new("npm")
                .args(["install", "--silent", "--no-audit", CHEERIO])
                .current_dir(&dir),
        )?;
        std::fs::write(mark, CHEERIO)?;
    }
    // Node finds packages beside the script, so the script is copied there.
    std::fs::copy(here().join("peers.mjs"), dir.join("peers.mjs"))?;
    feed(Command::new("node").arg("peers.mjs").current_dir(&dir), lines)
}

fn quietly(command: &mut Command) -> Result<()> {
    let name = command.get_program().display().to_string();
    let status =
        command.stdout(Stdio::null()).status().with_context(|| format!("cannot start {name}"))?;
    anyhow::ensure!(status.success(), "{name} ended with {status}");
    Ok(())
}
