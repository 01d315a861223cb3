//! `verdicts.tsv`: what the classifier must say, and that it calls no good page a wall.

use std::path::Path;

use anyhow::Result;

use super::{Entry, Kind, Knock};

/// One page with its verdict.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) path: String,
    /// Alternatives.
    pub(crate) expected: Vec<String>,
    /// The verdict, or why there is none.
    pub(crate) got: String,
    pub(crate) reason: String,
    /// A page of the manifest's kind `listing`.
    pub(crate) is_listing: bool,
}

impl Judged {
    pub(crate) fn is_right(&self) -> bool {
        self.expected.contains(&self.got)
    }
}

struct Case {
    path: String,
    status: String,
    url: String,
    expected: Vec<String>,
    is_listing: bool,
}

/// Classifies every page of `verdicts.tsv` with its status, and every listing page with 200.
pub(crate) fn run(
    dir: &Path,
    entries: &[Entry],
    threads: usize,
    knock: &Knock,
) -> Result<Vec<Judged>> {
    let mut cases = Vec::new();
    let file = dir.join("verdicts.tsv");
    if file.is_file() {
        cases = table(&super::read_text(&file)?, entries);
    }
    cases.extend(entries.iter().filter(|e| e.kind == Kind::Listing).map(|e| Case {
        path: e.path.clone(),
        status: "200".into(),
        url: e.url.clone(),
        expected: vec!["answer".into()],
        is_listing: true,
    }));
    super::in_parallel(&cases, threads, |case| {
        let verdict = knock.classify(&dir.join(&case.path), &case.url, &case.status);
        let (got, reason) = match verdict {
            Ok(v) => (v.verdict, v.reason.unwrap_or_default()),
            Err(error) => (format!("{error:#}"), String::new()),
        };
        Ok(Judged {
            path: case.path.clone(),
            expected: case.expected.clone(),
            got,
            reason,
            is_listing: case.is_listing,
        })
    })
}

/// Rows whose page is not among the entries (`--only`) are left out.
fn table(text: &str, entries: &[Entry]) -> Vec<Case> {
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter_map(|cells| {
        let cell = |i: usize| cells.get(i).copied().unwrap_or_default().trim();
        let entry = entries.iter().find(|e| e.path == cell(0))?;
        let expected: Vec<String> = cell(4).split('|').map(|v| v.trim().to_owned()).collect();
        Some(Case {
            path: cell(0).to_owned(),
            status: cell(1).to_owned(),
            url: super::manifest::page_url(cell(3), &entry.host),
            expected,
            is_listing: false,
        })
    })
    .collect()
}
