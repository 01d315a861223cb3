//! Whether a page says that its list is empty.

use crate::fields::labels::fold;
use crate::hints::count_of;
use crate::page::doc::Doc;
use crate::page::flat::{HIDDEN, IN_HEADING, NAV, NOSCRIPT, TEMPLATE};

/// Statements that nothing was found, folded, per language.
const NOTHING: [&str; 58] = [
    "keine treffer",
    "keine ergebnisse",
    "keine angebote",
    "keine immobilien",
    "keine wohnungen",
    "keine anzeigen",
    "keine objekte",
    "nichts gefunden",
    "leider nichts",
    "0 treffer",
    "0 ergebnisse",
    "geen resultaten",
    "geen woningen",
    "niets gevonden",
    "geen aanbod",
    "geen huurwoningen",
    "geen advertenties",
    "geen objecten",
    "0 resultaten",
    "no results",
    "no properties",
    "no listings",
    "nothing found",
    "no matches",
    "no homes",
    "0 results",
    "couldn't find any",
    "could not find any",
    "did not match any",
    "no rentals",
    "aucun resultat",
    "aucune annonce",
    "aucun bien",
    "aucun logement",
    "0 annonce",
    "sin resultados",
    "no hay resultados",
    "no se han encontrado",
    "no hemos encontrado",
    "nessun risultato",
    "nessun annuncio",
    "nenhum resultado",
    "nenhum imovel",
    "nao foram encontrad",
    "nao encontramos",
    "pas d'annonce",
    "pas de resultat",
    "nicht fundig",
    "non ci sono",
    "brak wynikow",
    "brak ogloszen",
    "nie znaleziono",
    "inga traffar",
    "inga resultat",
    "inga annonser",
    "ingen treff",
    "ingen resultater",
    "zadne vysledky",
];

/// A text without any of these words, with which [`NOTHING`] begins and [`DENIES`] denies, says
/// nothing of the kind: most texts are done with here.
fn may_deny(folded: &str) -> bool {
    words(folded).any(|word| DENIES.contains(&word) || BEGINS.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The first words of [`NOTHING`] that are not among [`DENIES`].
const BEGINS: [&str; 11] = [
    "nichts", "leider", "niets", "nothing", "couldn", "could", "did", "nao", "nicht", "non", "nie",
];

/// Words that deny what stands behind them, folded.
const DENIES: [&str; 22] = [
    "kein", "keine", "keinen", "geen", "no", "aucun", "aucune", "ningun", "ninguna", "sin",
    "nessun", "nessuna", "nenhum", "nenhuma", "brak", "inga", "inget", "ingen", "zadne", "zadny",
    "pas", "0",
];
/// How words for hits and homes begin, folded.
const FOUND: [&str; 52] = [
    "result",
    "ergebnis",
    "treffer",
    "angebot",
    "inserat",
    "immobil",
    "wohnung",
    "mietwohnung",
    "mietobjekt",
    "objekt",
    "anzeige",
    "woning",
    "huurwoning",
    "aanbod",
    "advertentie",
    "object",
    "kamer",
    "propert",
    "homes",
    "listing",
    "rental",
    "match",
    "annonce",
    "biens",
    "huuraanbod",
    "huurobject",
    "logement",
    "anuncio",
    "inmueble",
    "vivienda",
    "piso",
    "risultat",
    "annunci",
    "imove",
    "ofert",
    "oglosze",
    "wynik",
    "traff",
    "bostad",
    "bostader",
    "lagenhet",
    "bolig",
    "treff",
    "nemovitost",
    "vysled",
    "inzerat",
    "mieszka",
    "lejebolig",
    "apartment",
    "appartement",
    "huizen",
    "flats",
];
/// What calls upon people ("Never miss a home again") denies nothing.
const CALLS: [&str; 8] = ["verpass", "miss", "mis ", "manqu", "ratez", "perder", "pierd", "fee"];

/// "Keine passenden Angebote", "no hay inmuebles": a denial with a word for hits right behind it.
fn denies_hits(text: &str) -> bool {
    if text.len() > 200 || text.ends_with('?') || CALLS.iter().any(|word| text.contains(word)) {
        return false;
    }
    let words: Vec<&str> = words(text).collect();
    words.iter().enumerate().any(|(i, word)| {
        DENIES.contains(word)
            && words[i + 1..]
                .iter()
                .take(2)
                .any(|next| FOUND.iter().any(|found| next.starts_with(found)))
    })
}

/// Whether a text of the page is a visible statement that nothing was found.
fn denies(doc: &Doc<'_>, at: usize) -> bool {
    let node = &doc.flat.nodes[at];
    if node.text.is_empty()
        || node.text.len() > 400
        || node.flags & (HIDDEN | TEMPLATE | NOSCRIPT | NAV) != 0
    {
        return false;
    }
    let text = fold(node.text).replace('’', "'");
    may_deny(&text)
        && (NOTHING.iter().any(|phrase| contains_phrase(&text, phrase)) || denies_hits(&text))
}

/// Whether the page says before its first card that nothing was found, counts nothing there, and
/// opens the cards with a heading of their own: nobody asked for them.
pub(crate) fn offers_instead(doc: &Doc<'_>, first: usize) -> bool {
    let Some(said) = (0..first).rev().find(|&at| denies(doc, at)) else { return false };
    let counts = |at: &usize| {
        let node = &doc.flat.nodes[*at];
        node.flags & (HIDDEN | TEMPLATE | NOSCRIPT | NAV) == 0
            && node.text.len() <= 80
            && count_of(node.text).is_some_and(|n| n > 0)
    };
    let heading = |at: usize| {
        let node = &doc.flat.nodes[at];
        !node.text.is_empty() && node.flags & IN_HEADING != 0 && node.flags & (HIDDEN | NAV) == 0
    };
    !(0..first).any(|at| counts(&at)) && (said + 1..first).any(heading)
}

/// Whether the page visibly says that nothing was found. The phrase in a hidden template of a full
/// page proves nothing, so hidden texts do not count.
pub(crate) fn says_nothing_found(doc: &Doc<'_>) -> bool {
    (0..doc.flat.nodes.len()).any(|at| denies(doc, at))
}

fn contains_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '.' || c == ',')
    })
}

#[cfg(test)]
mod tests {
    use super::{NOTHING, may_deny};

    #[test]
    fn no_statement_is_passed_over_for_its_first_word() {
        for phrase in NOTHING {
            assert!(may_deny(phrase), "{phrase}");
            assert!(may_deny(&format!("so, {phrase}.")), "{phrase}");
        }
        assert!(!may_deny("lichte bovenwoning in de binnenstad, 3 kamers"));
    }
}
