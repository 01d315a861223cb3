//! Sums over the corpus, and the targets that they must meet.

use super::Kind;
use super::page::{FIELDS, Hits, PageScore, f1, share};
use super::snapshots;
use super::verdicts::Judged;

/// Sums over pages of one sort.
#[derive(Debug, Default, Clone)]
pub(crate) struct Sum {
    pub(crate) pages: usize,
    pub(crate) perfect: usize,
    pub(crate) truths: usize,
    pub(crate) counted: usize,
    pub(crate) matched: usize,
    /// Means over the pages.
    pub(crate) macro_p: f64,
    pub(crate) macro_r: f64,
    pub(crate) macro_f1: f64,
    pub(crate) fields: [Hits; FIELDS.len()],
    pub(crate) distinct_keys: Hits,
}

/// All that the targets speak of.
#[derive(Debug)]
pub(crate) struct Totals {
    pub(crate) html: Sum,
    pub(crate) json: Sum,
    pub(crate) silver: Sum,
    pub(crate) pairs: Vec<(String, String, Hits)>,
    pub(crate) kept: Hits,
    /// Pages that are no result list, and how many of them gave a listing.
    pub(crate) others: Hits,
    pub(crate) details: Hits,
    pub(crate) verdicts: Hits,
    pub(crate) listings_called_walls: usize,
    pub(crate) walls_called_answers: usize,
    pub(crate) mean_ms: f64,
    pub(crate) worst_ms: f64,
}

impl Sum {
    fn of<'a>(pages: impl Iterator<Item = &'a PageScore>) -> Self {
        let mut sum = Self::default();
        for page in pages {
            sum.pages += 1;
            sum.perfect += usize::from(page.is_perfect());
            sum.truths += page.truths;
            sum.counted += page.counted;
            sum.matched += page.matched;
            sum.macro_p += page.precision();
            sum.macro_r += page.recall();
            sum.macro_f1 += page.f1();
            for (all, one) in sum.fields.iter_mut().zip(page.fields) {
                all.add(one);
            }
            sum.distinct_keys.add(page.distinct_keys);
        }
        let count = mean_divisor(sum.pages);
        sum.macro_p /= count;
        sum.macro_r /= count;
        sum.macro_f1 /= count;
        sum
    }

    pub(crate) fn micro_p(&self) -> f64 {
        share(self.matched, self.counted)
    }

    pub(crate) fn micro_r(&self) -> f64 {
        share(self.matched, self.truths)
    }

    pub(crate) fn micro_f1(&self) -> f64 {
        f1(self.matched, self.counted, self.truths)
    }

    fn field(&self, name: &str) -> f64 {
        let at = FIELDS.iter().position(|f| *f == name).expect("BUG: a field of the table");
        self.fields[at].share()
    }
}

impl Hits {
    pub(crate) fn add(&mut self, other: Self) {
        self.right += other.right;
        self.of += other.of;
    }

    pub(crate) fn share(self) -> f64 {
        share(self.right, self.of)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of pages")]
fn mean_divisor(count: usize) -> f64 {
    count.max(1) as f64
}

impl Totals {
    pub(crate) fn of(pages: &[PageScore], verdicts: &[Judged]) -> Self {
        let listing = |p: &&PageScore| p.entry.kind == Kind::Listing;
        let lists = || pages.iter().filter(listing);
        let no_lists = |kind| {
            let of: Vec<_> = pages.iter().filter(|p| p.entry.kind == kind).collect();
            Hits { right: of.iter().filter(|p| p.false_listings > 0).count(), of: of.len() }
        };
        let pairs = snapshots::kept(pages);
        let mut kept = Hits::default();
        pairs.iter().for_each(|(_, _, hits)| kept.add(*hits));
        let table = || verdicts.iter().filter(|v| !v.is_listing);
        let times: Vec<f64> = lists().map(|p| p.took.as_secs_f64() * 1000.0).collect();
        Self {
            html: Sum::of(lists().filter(|p| p.entry.gold && !p.entry.is_json())),
            json: Sum::of(lists().filter(|p| p.entry.gold && p.entry.is_json())),
            silver: Sum::of(lists().filter(|p| !p.entry.gold)),
            pairs,
            kept,
            others: no_lists(Kind::Other),
            details: no_lists(Kind::Detail),
            verdicts: Hits { right: table().filter(|v| v.is_right()).count(), of: table().count() },
            listings_called_walls: verdicts
                .iter()
                .filter(|v| v.is_listing && v.got != "answer")
                .count(),
            walls_called_answers: table()
                .filter(|v| v.got == "answer" && !v.expected.iter().any(|e| e == "answer"))
                .count(),
            mean_ms: times.iter().sum::<f64>() / mean_divisor(times.len()),
            worst_ms: times.iter().copied().fold(0.0, f64::max),
        }
    }

    /// The targets that are not met, one line each.
    pub(crate) fn missed(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mut at_least = |what: &str, got: f64, want: f64| {
            if got < want {
                out.push(format!("{what}: {got:.4}, target {want}"));
            }
        };
        let html = &self.html;
        at_least("listings, micro F1", html.micro_f1(), 0.99);
        at_least("listings, macro F1", html.macro_f1, 0.98);
        at_least("pages perfect", share(html.perfect, html.pages), 0.9);
        at_least("keys distinct", html.distinct_keys.share(), 0.995);
        at_least("price", html.field("price"), 0.985);
        at_least("currency", html.field("currency"), 0.95);
        at_least("size", html.field("size"), 0.96);
        at_least("rooms", html.field("rooms"), 0.95);
        at_least("image", html.field("image"), 0.97);
        at_least("title or address", html.field("title or address"), 0.99);
        at_least("keys kept over two snapshots", self.kept.share(), 1.0);
        at_least("verdicts right", self.verdicts.share(), 0.97);
        let mut at_most = |what: &str, got: usize, want: usize| {
            if got > want {
                out.push(format!("{what}: {got}, target at most {want}"));
            }
        };
        at_most("false listings on pages that are no result list", self.others.right, 0);
        at_most("detail pages with listings", self.details.right, self.details.of * 2 / 20);
        at_most("listing pages called a wall", self.listings_called_walls, 0);
        at_most("walls read as an answer", self.walls_called_answers, 0);
        out
    }
}
