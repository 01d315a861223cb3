//! Four ways to write a result page, in the shape of the real thing.

mod cards;
mod jsonld;
mod script;
mod table;

use crate::street::Home;

/// How a site writes its pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// Dutch, `<article>` cards.
    Cards,
    /// German, a table with one row a home.
    Table,
    /// British, divs with JSON-LD beside them.
    JsonLd,
    /// Dutch, an empty shell that a script fills from a second request.
    Script,
}

impl Markup {
    /// The result page.
    pub(crate) fn list(self, homes: &[Home], town: &str) -> String {
        match self {
            Self::Cards => cards::list(homes, town),
            Self::Table => table::list(homes, town),
            Self::JsonLd => jsonld::list(homes, town),
            Self::Script => script::list(town),
        }
    }

    /// The page of one home.
    pub(crate) fn detail(self, home: &Home) -> String {
        frame(
            &home.title,
            &format!(
                "<main><h1>{}</h1><p>{}, {} {}</p><p>€ {} per maand</p><p>{} m² · {} kamers</p>\
                 <p>Deze woning ligt in een rustige straat en is per direct beschikbaar. \
                 Neem contact op voor een bezichtiging.</p></main>",
                home.title, home.street, home.postcode, home.town, home.rent, home.size, home.rooms
            ),
        )
    }
}

/// What a script asks for.
pub(crate) fn data(homes: &[Home]) -> String {
    script::data(homes)
}

/// The page around everything.
fn frame(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"nl\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>body{{font-family:sans-serif;margin:2rem}}article,li{{margin:1rem 0}}</style></head>\
         <body><header><nav><a href=\"/\">Home</a> <a href=\"/over-ons\">Over ons</a> \
         <a href=\"/contact\">Contact</a></nav></header>{body}\
         <footer><a href=\"/voorwaarden\">Voorwaarden</a></footer></body></html>"
    )
}

/// 1250 as `1.250`.
fn dotted(n: u32) -> String {
    grouped(n, '.')
}

fn grouped(n: u32, mark: char) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(mark);
        }
        out.push(digit);
    }
    out
}
