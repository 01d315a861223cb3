//! Who may use whom: the table of ARCHITECTURE.md against `cargo metadata`.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::sh::cargo;

/// Every crate with the crates of ours that it may use. An edge that is not here is a red test.
const EDGES: &[(&str, &[&str])] = &[
    ("listing", &[]),
    ("policy", &[]),
    ("schedule", &["listing", "policy"]),
    ("extract", &["listing"]),
    ("fetch", &["listing", "policy"]),
    ("store", &["listing", "policy", "schedule"]),
    ("notify", &["listing", "policy"]),
    ("monitor", &["listing", "policy", "schedule", "extract", "fetch", "store", "notify"]),
    ("ipc", &["listing", "schedule", "monitor"]),
    ("api", &["monitor", "ipc", "policy"]),
    (
        "rehearsal",
        &["monitor", "listing", "policy", "schedule", "extract", "fetch", "store", "notify"],
    ),
    (
        "cli",
        &[
            "listing",
            "policy",
            "schedule",
            "extract",
            "fetch",
            "store",
            "notify",
            "monitor",
            "ipc",
            "api",
            "rehearsal",
        ],
    ),
    ("xtask", &["ipc"]),
    ("src-tauri", &["monitor", "ipc", "fetch", "api", "rehearsal"]),
];

/// A library that only some crates may use directly, and why.
const TIED: &[(&str, &[&str], &str)] = &[
    ("rusqlite", &["store"], "SQL lives in one crate"),
    ("reqwest", &["fetch", "notify"], "pages are asked through the plan only"),
    ("lettre", &["notify"], "mail goes through the outbox only"),
    ("tauri", &["src-tauri"], "everything else runs without a window"),
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    publish: Option<Vec<String>>,
    rust_version: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
}

pub(super) fn check() -> Result<Vec<String>> {
    let json = cargo(&["metadata", "--no-deps", "--format-version", "1"])
        .read()
        .context("cargo metadata failed")?;
    let metadata: Metadata = serde_json::from_str(&json)?;
    let mut wrong = Vec::new();
    for package in &metadata.packages {
        let short = short(&package.name);
        let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == short) else {
            wrong.push(format!("crate {} is not in the design", package.name));
            continue;
        };
        if package.publish.as_ref().is_none_or(|list| !list.is_empty()) {
            wrong.push(format!("{} must say publish = false", package.name));
        }
        if package.rust_version.as_deref() != Some("1.95") {
            wrong.push(format!("{} must say rust-version = 1.95", package.name));
        }
        for dependency in &package.dependencies {
            wrong.extend(edge(short, allowed, dependency));
        }
    }
    for (name, _) in EDGES {
        if !metadata.packages.iter().any(|p| short(&p.name) == *name) {
            wrong.push(format!("crate {name} of the design is missing"));
        }
    }
    Ok(wrong)
}

fn edge(from: &str, allowed: &[&str], dependency: &Dependency) -> Option<String> {
    let dev = dependency.kind.as_deref() == Some("dev");
    if let Some(to) = dependency.name.strip_prefix("firstknock-") {
        let fine = allowed.contains(&to) || (dev && to == "rehearsal");
        return (!fine).then(|| format!("{from} may not use {to}"));
    }
    let (name, may, why) = TIED.iter().find(|(name, ..)| *name == dependency.name)?;
    (!dev && !may.contains(&from)).then(|| format!("{from} may not use {name}: {why}"))
}

fn short(package: &str) -> &str {
    match package {
        "firstknock" => "src-tauri",
        name => name.strip_prefix("firstknock-").unwrap_or(name),
    }
}
