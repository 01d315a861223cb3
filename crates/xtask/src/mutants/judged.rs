//! Mutants that change nothing that anybody can see, each with the reason. They are found by the
//! text of their line, so that the list survives other lines coming and going.

use anyhow::{Context, Result, bail};

use crate::sh::root;

const LIST: &str = "crates/xtask/mutants.txt";

pub(super) struct Judged {
    file: String,
    line: String,
    change: String,
    used: bool,
}

/// Reads the list: paragraphs of file, line, change and reason; `#` begins a comment.
pub(super) fn read() -> Result<Vec<Judged>> {
    let text = std::fs::read_to_string(root().join(LIST)).context(LIST)?;
    let text: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let paragraphs = text.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty());
    let mut list = Vec::new();
    for lines in paragraphs {
        let [file, line, change, _reason, ..] = lines else {
            bail!("{LIST}: file, line, change and reason expected at {lines:?}")
        };
        let [file, line, change] = [file, line, change].map(|text| text.trim().to_owned());
        list.push(Judged { file, line, change, used: false });
    }
    Ok(list)
}

/// Whether a survivor is on the list.
pub(super) fn excuses(list: &mut [Judged], file: &str, line: &str, change: &str) -> bool {
    let fits = |j: &&mut Judged| j.file == file && j.line == line && j.change == change;
    let found = list.iter_mut().find(fits);
    found.map(|judged| judged.used = true).is_some()
}

/// Entries that no survivor needed: the list must not outlive the code.
pub(super) fn unused(list: &[Judged]) -> Vec<String> {
    let unused = list.iter().filter(|judged| !judged.used);
    unused.map(|j| format!("{}: {} ({})", j.file, j.line, j.change)).collect()
}
