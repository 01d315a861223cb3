//! The window's pages in a real browser, and the names of the tests that failed: a summary that
//! only says "failed" helps nobody who has nothing but the end of a log.

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::ui;

/// How many words of a failure are repeated.
const WORDS: usize = 40;

/// What Playwright's JSON reporter writes, as far as it is read here.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Suite {
    suites: Vec<Suite>,
    specs: Vec<Spec>,
}

#[derive(Deserialize)]
struct Spec {
    title: String,
    file: String,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    status: String,
    results: Vec<Attempt>,
}

#[derive(Deserialize)]
struct Attempt {
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    message: Option<String>,
}

/// Runs all of them; the error names each test that failed, with the first words of why.
pub(crate) fn run() -> Result<()> {
    let report = ui::folder().join("test-results/report.json");
    if report.exists() {
        std::fs::remove_file(&report).context("removing the former report")?;
    }
    let outcome = ui::npm(&["run", "e2e"]).env("CI", "true").env("FORCE_COLOR", "0").run();
    let told = std::fs::read(&report).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let suite: Suite = told.unwrap_or_default();
    for flaky in named(&suite, "flaky") {
        println!("passed only when begun anew: {flaky}");
    }
    if let Err(error) = outcome {
        bail!("{error:#}; {}", named(&suite, "unexpected").join("; "));
    }
    Ok(())
}

fn named(suite: &Suite, status: &str) -> Vec<String> {
    let own = suite.specs.iter().flat_map(|spec| {
        spec.tests.iter().filter(|test| test.status == status).map(|test| {
            let error = test.results.iter().find_map(|attempt| attempt.error.as_ref());
            let why = error.and_then(|error| error.message.as_deref()).unwrap_or("no reason given");
            let why: Vec<&str> = why.split_whitespace().take(WORDS).collect();
            format!("{}: {}: {}", spec.file, spec.title, why.join(" "))
        })
    });
    own.chain(suite.suites.iter().flat_map(|inner| named(inner, status))).collect()
}
