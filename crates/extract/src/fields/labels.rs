//! Word lists per language: labels, flags and promotion. No phrase here belongs to one site.

use firstknock_listing::Flags;
pub(crate) use firstknock_listing::fold;

use super::card::Card;
use crate::page::annotate::{self, Word};
use crate::page::doc::Doc;

/// The leaf's text behind the label that stands right before it (`Kaution` | `2.400 €`).
pub(crate) fn with_label(card: &Card, leaf: usize, text: &str) -> String {
    let Some(before) = leaf.checked_sub(1).map(|i| &card.leaves[i].text) else {
        return text.to_owned();
    };
    // "1.020 € Warmmiete": it names itself, and what stands before it names another.
    let is_rent = |text: &str| has_word(&fold(text), &RENT_WORDS);
    if is_rent(text) && is_rent(before) {
        return text.to_owned();
    }
    let is_label = before.chars().count() <= 30
        && before.chars().any(char::is_alphabetic)
        && !before.bytes().any(|b| b.is_ascii_digit())
        && is_cost_word(before)
        && !text.contains(before.as_str());
    if is_label { format!("{}: {text}", before.trim_end_matches(':')) } else { text.to_owned() }
}

/// What a value is called: the only other text of the smallest element around both; else the text
/// right before it.
pub(crate) fn name_of<'c>(doc: &Doc<'_>, card: &'c Card, leaf: usize) -> Option<&'c str> {
    let at = card.leaves[leaf].node;
    let is_name = |text: &&str| {
        text.chars().count() <= 30
            && text.chars().any(char::is_alphabetic)
            && !text.bytes().any(|b| b.is_ascii_digit())
    };
    let mut up = doc.flat.nodes[at as usize].parent as usize;
    while up > card.at {
        let end = doc.flat.nodes[up].end;
        let mut others =
            card.leaves.iter().filter(|l| (up as u32) < l.node && l.node < end && l.node != at);
        match (others.next(), others.next()) {
            (None, _) => up = doc.flat.nodes[up].parent as usize,
            (Some(other), None) => return Some(other.text.as_str()).filter(is_name),
            _ => break,
        }
    }
    let before = leaf.checked_sub(1).map(|i| card.leaves[i].text.as_str());
    before.filter(is_name)
}

/// A bare number with the word for rooms that stands before or behind it.
pub(crate) fn with_room_label(card: &Card, leaf: usize) -> String {
    let text = &card.leaves[leaf].text;
    let says_rooms = |i: usize| {
        let word = card.leaves.get(i).map(|l| l.text.as_str())?;
        (annotate::word_of(word) == Some(Word::Rooms)).then_some(word)
    };
    let before = leaf.checked_sub(1).and_then(says_rooms);
    match (before, says_rooms(leaf + 1)) {
        (Some(word), _) => format!("{}: {text}", word.trim_end_matches(':')),
        (None, Some(word)) => format!("{text} {word}"),
        (None, None) => text.clone(),
    }
}

/// A cheap test before the date parser: words that stand beside "from when".
pub(crate) fn may_say_when(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    [
        "frei",
        "verf",
        "sofort",
        "avail",
        "beschik",
        "per ",
        "direct",
        "dispon",
        "libre",
        "liber",
        "woln",
        "zaraz",
        "ledig",
        "immedi",
        "omg",
        "snarest",
        "ab ",
        "vanaf",
        "bezug",
        "move",
        "now",
        "tillträde",
        "overtag",
        "inn",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Words for the rent itself, of whatever kind.
const RENT_WORDS: [&str; 8] = [
    "kaltmiete",
    "warmmiete",
    "gesamtmiete",
    "nettomiete",
    "bruttomiete",
    "kale huur",
    "rekenhuur",
    "huurprijs",
];

/// Words that say what an amount is for.
fn is_cost_word(text: &str) -> bool {
    let text = fold(text);
    [
        "kaution",
        "borg",
        "deposit",
        "caution",
        "fianza",
        "cauzione",
        "kaucja",
        "nebenkosten",
        "servicekosten",
        "heizkosten",
        "service",
        "charges",
        "gastos",
        "spese",
        "czynsz",
        "kalt",
        "warm",
        "netto",
        "brutto",
        "miete",
        "huur",
        "loyer",
        "rent",
        "preis",
        "prijs",
        "prix",
        "price",
        "precio",
        "prezzo",
        "preco",
        "cena",
        "pris",
        "hyra",
        "leje",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// A word for rooms or bedrooms in the name of a picture or a class.
pub(crate) fn room_word(name: &str) -> Option<&'static str> {
    let name = fold(name);
    let bath = ["bath", "bad", "bano", "salle", "bagn", "lazienk"].iter().any(|w| name.contains(w));
    if bath {
        return None;
    }
    let bed =
        ["bed", "slaap", "schlaf", "chambre", "dorm", "sovrum", "soverom", "habitac", "quarto"];
    let room = ["zimmer", "kamer", "room", "piece", "locali", "pokoj", "vaerelse"];
    if bed.iter().any(|w| name.contains(w)) {
        Some("bedrooms")
    } else if room.iter().any(|w| name.contains(w)) {
        Some("rooms")
    } else {
        None
    }
}

/// Somebody looks for a home, offers an exchange, or it is gone already.
pub(crate) fn flags(card: &Card, title: Option<&str>) -> Flags {
    let mut flags = Flags::default();
    let title = title.map(fold).unwrap_or_default();
    flags.exchange = has_word(&title, &EXCHANGE);
    flags.wanted = WANTED.iter().any(|w| title.starts_with(w));
    for leaf in &card.leaves {
        if leaf.text.len() > 32 || leaf.text.bytes().all(|b| !b.is_ascii_alphabetic()) {
            continue;
        }
        let text = fold(&leaf.text);
        if text == title {
            continue;
        }
        flags.let_already |= LET.iter().any(|word| text == *word || starts_word(&text, word));
        flags.exchange |= EXCHANGE.iter().any(|word| text == *word);
        flags.wanted |= WANTED_LABEL.contains(&text.as_str());
    }
    flags
}

/// The label of a paid place.
pub(crate) fn is_promotion(text: &str) -> bool {
    if text.len() > 30 {
        return false;
    }
    let text = fold(text);
    PROMOTED.contains(&text.trim_end_matches(['.', ':', '!']))
}

fn has_word(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn starts_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

const LET: [&str; 34] = [
    "verhuurd",
    "onder optie",
    "verkocht",
    "onder bod",
    "vermietet",
    "reserviert",
    "verkauft",
    "let",
    "let agreed",
    "rented",
    "sold",
    "sold stc",
    "under offer",
    "under option",
    "reserved",
    "loue",
    "sous option",
    "vendu",
    "sous compromis",
    "alquilado",
    "reservado",
    "vendido",
    "affittato",
    "venduto",
    "arrendado",
    "wynajete",
    "zarezerwowane",
    "uthyrd",
    "sald",
    "udlejet",
    "solgt",
    "utleid",
    "pronajato",
    "rezervovano",
];
const EXCHANGE: [&str; 9] = [
    "woningruil",
    "wohnungstausch",
    "tauschwohnung",
    "home swap",
    "house swap",
    "echange",
    "intercambio",
    "bytesbostad",
    "bytte bolig",
];
const WANTED: [&str; 9] = [
    "suche ",
    "gesucht",
    "gezocht",
    "wanted",
    "cherche",
    "recherche ",
    "busco ",
    "cerco ",
    "szukam ",
];
const WANTED_LABEL: [&str; 6] = ["gesuch", "gesucht", "gezocht", "wanted", "recherche", "demande"];
const PROMOTED: [&str; 31] = [
    "top",
    "topanzeige",
    "top-anzeige",
    "topadvertentie",
    "top ad",
    "top-ad",
    "anzeige",
    "advertentie",
    "ad",
    "ads",
    "sponsored",
    "gesponsert",
    "gesponsord",
    "promoted",
    "promoted listing",
    "featured",
    "featured property",
    "featured listing",
    "sponsorise",
    "annonce sponsorisee",
    "a la une",
    "patrocinado",
    "destacado",
    "sponsorizzato",
    "in evidenza",
    "wyroznione",
    "promowane",
    "dagtopper",
    "uitgelicht",
    "sponsrad",
    "annons",
];
