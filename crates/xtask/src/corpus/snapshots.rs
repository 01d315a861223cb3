//! Two snapshots of one search: the same listing must have the same key in both.

use std::collections::HashMap;

use super::page::{Hits, PageScore};

/// Pairs of pages of one search, and how many of their common listings kept their key.
pub(crate) fn kept(pages: &[PageScore]) -> Vec<(String, String, Hits)> {
    let mut pairs = Vec::new();
    for old in pages {
        let Some(name) = newer_name(&old.entry.path) else { continue };
        let Some(new) = pages.iter().find(|p| p.entry.path == name) else { continue };
        let known: HashMap<&str, &str> =
            old.keys.iter().map(|(i, k)| (i.as_str(), k.as_str())).collect();
        let mut hits = Hits::default();
        for (id, key) in &new.keys {
            if let Some(before) = known.get(id.as_str()) {
                hits.of += 1;
                hits.right += usize::from(before == key);
            }
        }
        pairs.push((old.entry.path.clone(), name, hits));
    }
    pairs
}

/// `x-2026-04.html` is the older snapshot of `x.html`.
fn newer_name(path: &str) -> Option<String> {
    let (stem, extension) = path.rsplit_once('.')?;
    let at = stem.len().checked_sub(8)?;
    let date = stem.get(at..)?.as_bytes();
    let is_date = date[0] == b'-'
        && date[5] == b'-'
        && date.iter().enumerate().all(|(i, b)| i == 0 || i == 5 || b.is_ascii_digit());
    is_date.then(|| format!("{}.{extension}", &stem[..at]))
}

#[cfg(test)]
mod tests {
    use super::newer_name;

    #[test]
    fn a_date_at_the_end_of_the_name_marks_the_older_snapshot() {
        assert_eq!(newer_name("pages/a/x-2026-04.html").as_deref(), Some("pages/a/x.html"));
        assert_eq!(newer_name("pages/a/x-2019.html"), None);
        assert_eq!(newer_name("pages/a/b.html"), None);
    }
}
