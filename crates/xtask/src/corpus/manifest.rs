//! `manifest.tsv`: one line per page.

use std::path::Path;

use anyhow::{Context, Result};

/// What a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A result list: it is scored.
    Listing,
    /// A page of one listing.
    Detail,
    /// Anything else: no listing may be read from it.
    Other,
}

/// One page of the corpus.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Relative to the folder.
    pub(crate) path: String,
    pub(crate) kind: Kind,
    /// The manifest's word for the kind.
    pub(crate) kind_word: String,
    pub(crate) host: String,
    pub(crate) bytes: u64,
    /// The page's address; made of the host where the manifest has none.
    pub(crate) url: String,
    /// Counts; silver pages are debatable and only shown.
    pub(crate) gold: bool,
    /// The truth file, for listings.
    pub(crate) truth: Option<String>,
}

impl Entry {
    /// A JSON answer; these are scored apart.
    pub(crate) fn is_json(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == "json")
    }
}

/// Reads the manifest by its header line.
pub(crate) fn manifest(dir: &Path) -> Result<Vec<Entry>> {
    parse(&super::read_text(&dir.join("manifest.tsv"))?)
}

fn parse(text: &str) -> Result<Vec<Entry>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        header
            .iter()
            .position(|h| *h == name)
            .with_context(|| format!("manifest.tsv has no column {name}"))
    };
    let (path, kind, host, bytes) =
        (column("path")?, column("kind")?, column("host")?, column("bytes")?);
    let (url, grade, truth) = (column("page_url")?, column("grade")?, column("truth")?);
    let entries = lines.filter(|l| !l.trim().is_empty()).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |i: usize| cells.get(i).copied().unwrap_or_default().trim().to_owned();
        Entry {
            path: cell(path),
            kind: match cell(kind).as_str() {
                "listing" => Kind::Listing,
                "detail" => Kind::Detail,
                _ => Kind::Other,
            },
            kind_word: cell(kind),
            url: page_url(&cell(url), &cell(host)),
            host: cell(host),
            bytes: cell(bytes).parse().unwrap_or(0),
            gold: cell(grade) != "silver",
            truth: Some(cell(truth)).filter(|t| !t.is_empty()),
        }
    });
    Ok(entries.collect())
}

/// The first word of the cell, made absolute: some cells say "(POST answer)", some give a path.
pub(crate) fn page_url(cell: &str, host: &str) -> String {
    let host = if host.is_empty() { "unknown.example" } else { host };
    let first = cell.split_whitespace().next().unwrap_or_default();
    if first.starts_with("http") {
        return first.to_owned();
    }
    format!("https://{host}/{}", first.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_by_the_header_and_its_address_is_made_absolute() {
        let text = "kind\tpath\thost\tbytes\tpage_url\tgrade\ttruth\n\
                    listing\tpages/a/x.html\ta.example\t12\thttps://a.example/s (POST answer)\tgold\ttruth/a/x.json\n\
                    detail\tother/y.html\tb.example\t1\t/flat/1\t\t\n\
                    wall\twalls/z.json\t\t1\t\tsilver\t\n";
        let entries = parse(text).expect("a manifest");
        assert_eq!(entries[0].url, "https://a.example/s");
        assert_eq!((entries[0].kind, entries[0].gold), (Kind::Listing, true));
        assert_eq!(entries[1].url, "https://b.example/flat/1");
        assert_eq!((entries[1].kind, entries[1].truth.as_deref()), (Kind::Detail, None));
        assert_eq!(entries[2].url, "https://unknown.example/");
        assert!(entries[2].is_json() && !entries[2].gold && entries[2].kind == Kind::Other);
    }

    #[test]
    fn a_manifest_without_a_needed_column_is_refused() {
        assert!(parse("path\tkind\n").is_err());
    }
}
