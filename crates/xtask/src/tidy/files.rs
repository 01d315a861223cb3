//! The layout of the top level, the size of files, and what must never be written down.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};

use crate::sh::{root, sh};

/// All that may stand at the top level, besides dotfiles.
const TOP: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "clippy.toml",
    "crates",
    "deny.toml",
    "docs",
    "fuzz",
    "icons",
    "migrations",
    "rustfmt.toml",
    "src-tauri",
    "ui",
];

/// Longer files hold a second idea.
const MAX_LINES: usize = 400;

pub(super) fn check() -> Result<Vec<String>> {
    let listed = sh("git", &["ls-files", "--cached", "--others", "--exclude-standard"])
        .read()
        .context("git ls-files failed")?;
    let files: Vec<&str> = listed.lines().collect();
    let mut wrong = Vec::new();
    let tops: BTreeSet<&str> = files.iter().filter_map(|f| f.split('/').next()).collect();
    for top in tops {
        if !top.starts_with('.') && !TOP.contains(&top) {
            wrong.push(format!("{top} does not belong at the top level"));
        }
    }
    for file in &files {
        let kind = Path::new(file).extension().and_then(|e| e.to_str()).unwrap_or_default();
        if matches!(kind, "rs" | "ts" | "svelte") && !file.ends_with("bindings.ts") {
            let Ok(text) = std::fs::read_to_string(root().join(file)) else { continue };
            wrong.extend(source(file, &text));
        }
    }
    wrong.extend(catalogue()?);
    Ok(wrong)
}

fn source(file: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_LINES {
        wrong.push(format!("{file} has {lines} lines, over {MAX_LINES}: two ideas?"));
    }
    let words = [
        (concat!("#[", "allow("), "use #[expect(…, reason = …)]"),
        (concat!("{@", "html"), "a page's text is never markup"),
    ];
    for (word, why) in words {
        if text.contains(word) && !file.ends_with(".test.ts") {
            wrong.push(format!("{file} has `{word}`: {why}"));
        }
    }
    let is_door = file == "ui/src/backend/tauri.ts";
    if file.starts_with("ui/src/") && !is_door && text.contains("from '@tauri-apps/") {
        wrong.push(format!("{file} imports @tauri-apps: only backend/tauri.ts may"));
    }
    wrong
}

/// The three languages have the same keys.
fn catalogue() -> Result<Vec<String>> {
    type Texts = std::collections::BTreeMap<String, String>;
    let read = |language: &str| -> Result<Texts> {
        let path = root().join(format!("ui/messages/{language}.json"));
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    };
    let english = read("en")?;
    let mut wrong = Vec::new();
    for language in ["nl", "de"] {
        let texts = read(language)?;
        for key in english.keys().filter(|key| !texts.contains_key(*key)) {
            wrong.push(format!("{language}.json lacks {key}"));
        }
        for (key, text) in &texts {
            match english.get(key) {
                None => wrong.push(format!("{language}.json has {key}, which en.json has not")),
                Some(original) if places(original) != places(text) => {
                    wrong.push(format!("{language}.json: {key} has other places than in en.json"));
                }
                Some(_) => {}
            }
        }
    }
    Ok(wrong)
}

fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name).collect()
}
