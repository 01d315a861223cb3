use std::fmt::Write;

use scraper::Html;

use super::parse_document;

/// Pieces that mean something to the tokenizer; put together at random, they meet all its corners.
const PIECES: [&str; 72] = [
    "<",
    ">",
    "</",
    "/>",
    "<!",
    "<!--",
    "-->",
    "--!>",
    "--",
    "-",
    "!",
    "<?",
    "<!doctype html>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" 'x'>",
    "<!doctype a system \"b",
    "<![CDATA[",
    "]]>",
    "<script>",
    "</script>",
    "</SCRIPT ",
    "<script",
    "</scriptx>",
    "<style>",
    "</style>",
    "<title>",
    "</title>",
    "</titl",
    "<textarea>\n",
    "</textarea>",
    "<pre>\n",
    "<noscript>",
    "</noscript>",
    "<iframe>",
    "</iframe>",
    "<plaintext>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mi>",
    "<template>",
    "</template>",
    "<table>",
    "<tr><td>",
    "</table>",
    "<p>",
    "</p>",
    "</br>",
    "<div class=a class='b' CLASS=\"c\">",
    "<a href=?a=1&copy=2&amp;b&lt",
    "<b x",
    "=",
    "\"",
    "'",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "&",
    "&amp;",
    "&notit;",
    "&#x80;",
    "&#0;",
    "&#xD800;",
    "&#1234567890123;",
    "&#",
    "&euro",
    "&NotEqualTilde;",
    "&nosuch;",
    "é",
    "\u{feff}",
    "x y",
];

/// Every node in order, with its depth.
fn shown(html: &Html) -> String {
    let mut out = format!("{:?}\n", html.quirks_mode);
    for node in html.tree.root().descendants() {
        let depth = node.ancestors().count();
        writeln!(out, "{depth} {:?}", node.value()).expect("a string takes all");
    }
    out
}

fn check(source: &str) {
    let (ours, theirs) = (parse_document(source), Html::parse_document(source));
    assert_eq!(shown(&ours), shown(&theirs), "{source:?}");
}

#[test]
fn a_tree_from_our_tokens_is_the_parsers_own_tree() {
    for file in ["cards.html", "detail.html", "embedded.html", "empty.html"] {
        let path = format!("{}/../../fuzz/seeds/page/{file}", env!("CARGO_MANIFEST_DIR"));
        check(&std::fs::read_to_string(path).expect("a seed"));
    }
    for piece in PIECES {
        check(piece);
        check(&format!("<body>{piece}"));
        check(&format!("<script>{piece}</script>y"));
        check(&format!("<p title='{piece}'>y"));
    }
}

#[test]
fn a_tree_from_our_tokens_is_the_parsers_own_tree_for_any_soup() {
    // splitmix64: small, seeded, the same everywhere.
    let mut state = 7_u64;
    let mut dice = |bound: usize| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % bound as u64).expect("below the bound")
    };
    for _ in 0..20_000 {
        let pieces = 1 + dice(9);
        let soup: String = (0..pieces).map(|_| PIECES[dice(PIECES.len())]).collect();
        check(&soup);
    }
}
