//! One build for many mutants: every site becomes a choice that an environment variable makes, so
//! that the tests are built once and run once per mutant. What is fixed at compile time is written
//! into the file, one at a time.

use std::ops::Range;

use super::find::Site;

/// The variable that names the mutant to run.
pub(super) const CHOICE: &str = "FIRSTKNOCK_MUTANT";

/// What a crate's root gets in addition.
pub(super) const CHOOSER: &str = r#"
mod mutant {
    pub(crate) fn is(n: u32) -> bool {
        static CHOSEN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
            std::env::var("FIRSTKNOCK_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
        });
        *CHOSEN == n
    }
}
"#;

/// A file's text in which every site that can be is a choice. `ids` gives the number of a site's
/// first variant; `written` is a fixed site and the text that stands there instead.
pub(super) struct Switched<'a> {
    pub(super) source: &'a str,
    pub(super) sites: &'a [Site],
    pub(super) ids: &'a [u32],
    pub(super) written: Option<(usize, &'a str)>,
}

impl Switched<'_> {
    pub(super) fn text(&self) -> String {
        self.range(0..self.source.len(), 0, self.sites.len(), None)
    }

    /// The text of a range, whose sites are among `first..end`; `token` is replaced in passing.
    fn range(
        &self,
        range: Range<usize>,
        first: usize,
        end: usize,
        token: Option<(&Range<usize>, &str)>,
    ) -> String {
        let mut text = String::new();
        let mut at = range.start;
        let mut next = first;
        // The token lies between the sites, never inside one.
        let copy = |text: &mut String, from: usize, to: usize| match token {
            Some((token, other)) if from <= token.start && token.end <= to => {
                text.push_str(&self.source[from..token.start]);
                text.push_str(other);
                text.push_str(&self.source[token.end..to]);
            }
            Some(_) | None => text.push_str(&self.source[from..to]),
        };
        while next < end && self.sites[next].whole.start < range.end {
            let site = &self.sites[next];
            let inside = next
                + 1
                + self.sites[next + 1..end]
                    .iter()
                    .take_while(|inner| inner.whole.start < site.whole.end)
                    .count();
            copy(&mut text, at, site.whole.start);
            text.push_str(&self.site(next, inside));
            at = site.whole.end;
            next = inside;
        }
        copy(&mut text, at, range.end);
        text
    }

    fn site(&self, at: usize, end: usize) -> String {
        let site = &self.sites[at];
        let body = |token| self.range(site.whole.clone(), at + 1, end, token);
        if site.fixed {
            let written = self.written.filter(|(which, _)| *which == at);
            return body(written.map(|(_, text)| (&site.token, text)));
        }
        let mut text = "(".to_owned();
        for (id, variant) in (self.ids[at]..).zip(&site.variants) {
            let changed = body(Some((&site.token, variant)));
            text.push_str(&format!("if crate::mutant::is({id}) {{ {changed} }} else "));
        }
        text + &format!("{{ {} }})", body(None))
    }
}

#[cfg(test)]
mod tests {
    use super::Switched;
    use crate::mutants::find::sites;

    fn switched(source: &str, written: Option<(usize, &str)>) -> String {
        let sites = sites(source).expect("Rust");
        let ids: Vec<u32> = (0..sites.len()).map(|at| 10 * (1 + at as u32)).collect();
        Switched { source, sites: &sites, ids: &ids, written }.text()
    }

    #[test]
    fn a_comparison_and_the_number_inside_it_are_choices_of_their_own() {
        let ten =
            "(if crate::mutant::is(20) { 11 } else if crate::mutant::is(21) { 9 } else { 10 })";
        let expected = format!(
            "fn f(a: u8) -> bool {{ (if crate::mutant::is(10) {{ a <= {ten} }} \
             else if crate::mutant::is(11) {{ a >= {ten} }} else {{ a < {ten} }}) }}"
        );
        assert_eq!(switched("fn f(a: u8) -> bool { a < 10 }", None), expected);
    }

    #[test]
    fn a_pattern_is_left_alone_or_written_into_the_file() {
        let source = "fn f(a: u8) -> u8 { match a { 5 => a, b => b } }";
        assert_eq!(switched(source, None), source);
        assert_eq!(switched(source, Some((0, "6"))), source.replace('5', "6"));
    }

    #[test]
    fn what_binds_in_a_condition_and_test_code_are_left_alone() {
        let source =
            "fn f(a: Option<u8>) -> bool { if let Some(b) = a && g(b) { h() } else { i() } }";
        assert_eq!(switched(source, None), source);
        let source = "#[cfg(test)] mod tests { fn f() -> u8 { 5 } }";
        assert_eq!(switched(source, None), source);
    }
}
