//! The score as a table, or as one JSON object.

use serde_json::{Value, json};

use super::Kind;
use super::page::{FIELDS, Hits, PageScore, share};
use super::totals::{Sum, Totals};
use super::verdicts::Judged;

/// A table for people.
pub(crate) fn print(pages: &[PageScore], verdicts: &[Judged], totals: &Totals) {
    println!(
        "{:<62} {:>4} {:>4} {:>6} {:>6} {:>6}  price cur.  size  room  img   head    ms",
        "page", "true", "read", "P", "R", "F1"
    );
    for page in pages.iter().filter(|p| p.entry.kind == Kind::Listing) {
        let cells: Vec<String> = page.fields.iter().map(|h| cell(*h)).collect();
        let grade = if page.entry.gold { "" } else { " (silver)" };
        let name = format!("{}{grade}", page.entry.path.trim_start_matches("pages/"));
        println!(
            "{:<62} {:>4} {:>4} {:>6.3} {:>6.3} {:>6.3}  {} {:>6.1}{}",
            name,
            page.truths,
            page.counted,
            page.precision(),
            page.recall(),
            page.f1(),
            cells.join(" "),
            page.took.as_secs_f64() * 1000.0,
            page.failure.as_ref().map_or(String::new(), |f| format!("  FAILED: {f}")),
        );
    }
    for page in pages.iter().filter(|p| p.false_listings > 0) {
        let why = page.failure.as_deref().unwrap_or("listings were read");
        println!(
            "false: {} ({}): {}, {why}",
            page.entry.path, page.entry.kind_word, page.false_listings
        );
    }
    for v in verdicts.iter().filter(|v| !v.is_right()) {
        println!("verdict: {}: {} ({}), not {}", v.path, v.got, v.reason, v.expected.join(" or "));
    }
    for (old, new, hits) in totals.pairs.iter().filter(|(_, _, h)| h.right < h.of) {
        println!("keys: {old} and {new}: {} of {} kept", hits.right, hits.of);
    }
    print_sum("gold HTML", &totals.html);
    print_sum("gold JSON", &totals.json);
    print_sum("silver", &totals.silver);
    println!(
        "keys kept over {} pairs of snapshots: {} of {}",
        totals.pairs.len(),
        totals.kept.right,
        totals.kept.of
    );
    println!(
        "pages with false listings: {} of {} that are no list, {} of {} detail pages",
        totals.others.right, totals.others.of, totals.details.right, totals.details.of
    );
    println!(
        "verdicts right: {} of {}; listing pages called a wall: {}; walls read as an answer: {}",
        totals.verdicts.right,
        totals.verdicts.of,
        totals.listings_called_walls,
        totals.walls_called_answers
    );
    println!(
        "time per list page with the start of the program: mean {:.1} ms, worst {:.1} ms",
        totals.mean_ms, totals.worst_ms
    );
    for line in totals.missed() {
        println!("below target: {line}");
    }
}

fn cell(hits: Hits) -> String {
    if hits.of == 0 { "  –  ".into() } else { format!("{:.3}", hits.share()) }
}

fn print_sum(name: &str, sum: &Sum) {
    if sum.pages == 0 {
        return;
    }
    println!(
        "{name}: {} pages, {} listings · micro P {:.4} R {:.4} F1 {:.4} · macro P {:.4} R {:.4} F1 {:.4} · perfect {} ({:.1} %) · keys distinct {:.4}",
        sum.pages,
        sum.truths,
        sum.micro_p(),
        sum.micro_r(),
        sum.micro_f1(),
        sum.macro_p,
        sum.macro_r,
        sum.macro_f1,
        sum.perfect,
        100.0 * share(sum.perfect, sum.pages),
        sum.distinct_keys.share(),
    );
    let fields: Vec<String> = FIELDS
        .iter()
        .zip(sum.fields)
        .map(|(name, h)| format!("{name} {:.4} of {}", h.share(), h.of))
        .collect();
    println!("  {}", fields.join(" · "));
}

/// One object with everything.
pub(crate) fn json(pages: &[PageScore], verdicts: &[Judged], totals: &Totals) -> Value {
    json!({
        "pages": pages.iter().map(page_json).collect::<Vec<_>>(),
        "html": sum_json(&totals.html),
        "json": sum_json(&totals.json),
        "silver": sum_json(&totals.silver),
        "keys_kept": hits_json(totals.kept),
        "false_listing_pages": totals.others.right,
        "false_detail_pages": hits_json(totals.details),
        "verdicts": hits_json(totals.verdicts),
        "wrong_verdicts": verdicts.iter().filter(|v| !v.is_right()).map(|v| json!({
            "page": v.path, "got": v.got, "reason": v.reason, "expected": v.expected,
        })).collect::<Vec<_>>(),
        "listings_called_walls": totals.listings_called_walls,
        "walls_called_answers": totals.walls_called_answers,
        "mean_ms": totals.mean_ms,
        "worst_ms": totals.worst_ms,
        "missed": totals.missed(),
    })
}

fn page_json(page: &PageScore) -> Value {
    let fields: serde_json::Map<String, Value> = FIELDS
        .iter()
        .zip(page.fields)
        .map(|(name, h)| ((*name).to_owned(), hits_json(h)))
        .collect();
    json!({
        "page": page.entry.path,
        "kind": page.entry.kind_word,
        "gold": page.entry.gold,
        "bytes": page.entry.bytes,
        "failure": page.failure,
        "page_kind": page.page_kind,
        "confidence": page.confidence,
        "truths": page.truths,
        "counted": page.counted,
        "matched": page.matched,
        "f1": page.f1(),
        "fields": fields,
        "false_listings": page.false_listings,
        "ms": page.took.as_secs_f64() * 1000.0,
    })
}

fn sum_json(sum: &Sum) -> Value {
    let fields: serde_json::Map<String, Value> =
        FIELDS.iter().zip(sum.fields).map(|(name, h)| ((*name).to_owned(), hits_json(h))).collect();
    json!({
        "pages": sum.pages,
        "perfect": sum.perfect,
        "listings": sum.truths,
        "micro": { "precision": sum.micro_p(), "recall": sum.micro_r(), "f1": sum.micro_f1() },
        "macro": { "precision": sum.macro_p, "recall": sum.macro_r, "f1": sum.macro_f1 },
        "keys_distinct": sum.distinct_keys.share(),
        "fields": fields,
    })
}

fn hits_json(hits: Hits) -> Value {
    json!({ "right": hits.right, "of": hits.of, "share": hits.share() })
}
