//! What a page says about its list: the count, the next page and a name.

use firstknock_listing::{clean_line, truncate_chars};
use url::Url;

use crate::fields::labels::fold;
use crate::page::doc::Doc;
use crate::page::flat::{HIDDEN, IN_HEADING, NAV, NOSCRIPT, TEMPLATE, attr};
use crate::page::tag::Tag;

/// A longer text is prose, not a statement about the list.
const MAX_STATEMENT: usize = 160;

/// Words for hits, per language.
const HITS: [&str; 84] = [
    "result",
    "results",
    "properties",
    "homes",
    "listings",
    "rentals",
    "matches",
    "places",
    "ads",
    "ergebnis",
    "ergebnisse",
    "ergebnissen",
    "treffer",
    "angebot",
    "angebote",
    "angeboten",
    "inserate",
    "immobilien",
    "wohnungen",
    "mietwohnungen",
    "objekte",
    "objekten",
    "anzeigen",
    "resultaten",
    "resultaat",
    "huurwoningen",
    "woningen",
    "koopwoningen",
    "objecten",
    "advertenties",
    "résultat",
    "résultats",
    "annonce",
    "annonces",
    "biens",
    "logements",
    "resultados",
    "anuncios",
    "inmuebles",
    "viviendas",
    "risultati",
    "annunci",
    "immobili",
    "imóveis",
    "anúncios",
    "ogłoszeń",
    "ogłoszenia",
    "ofert",
    "wyników",
    "träffar",
    "annonser",
    "bostäder",
    "objekt",
    "boliger",
    "resultater",
    "treff",
    "nemovitostí",
    "nabídek",
    "inzerátů",
    "appartementen",
    "huizen",
    "mietangebote",
    "mietobjekte",
    "vermietungen",
    "apartments",
    "flats",
    "houses",
    "lettings",
    "aanbod",
    "huuraanbod",
    "woningaanbod",
    "appartements",
    "locations",
    "maisons",
    "pisos",
    "casas",
    "alquileres",
    "propiedades",
    "apartamentos",
    "appartamenti",
    "affitti",
    "mieszkania",
    "lägenheter",
    "lejligheder",
];
/// "1 - 20 von 345": what stands between the page's range and the count.
const OF: [&str; 9] = ["von", "van", "of", "de", "sur", "su", "di", "av", "af"];
/// A number before these is no count of hits.
const ROOM_WORDS: [&str; 6] = ["zimmer", "kamer", "bed", "bedroom", "room", "pièces"];

const NEXT: [&str; 22] = [
    "next",
    "next page",
    "weiter",
    "nachste",
    "nachste seite",
    "naechste",
    "volgende",
    "volgende pagina",
    "suivant",
    "page suivante",
    "suivante",
    "siguiente",
    "pagina siguiente",
    "successiva",
    "pagina successiva",
    "avanti",
    "seguinte",
    "proxima",
    "nastepna",
    "nasta",
    "naeste",
    "neste",
];

/// The page's own count of hits; `cards` are the elements of the list, whose texts do not count.
pub(crate) fn result_count(doc: &Doc<'_>, cards: &[u32]) -> Option<u32> {
    let first = cards.first().map_or(doc.flat.nodes.len(), |c| *c as usize);
    let mut best: Option<(u8, u32)> = None;
    let mut at = 0;
    let mut card = 0;
    while at < doc.flat.nodes.len() {
        if cards.get(card).is_some_and(|c| *c as usize == at) {
            at = doc.flat.nodes[at].end as usize;
            card += 1;
            continue;
        }
        let node = &doc.flat.nodes[at];
        let hidden = node.flags & (HIDDEN | TEMPLATE | NOSCRIPT | NAV) != 0;
        if !node.text.is_empty() && !hidden && node.text.len() <= MAX_STATEMENT {
            let heading = node.flags & IN_HEADING != 0;
            let rank = 1 + u8::from(at < first) + 2 * u8::from(heading && at < first);
            if best.is_none_or(|(r, _)| rank > r)
                && let Some(count) = count_in(doc, at)
            {
                best = Some((rank, count));
            }
        }
        at += 1;
    }
    best.map(|(_, count)| count).or_else(|| count_of(&clean_line(doc.flat.title)))
}

/// The number may stand in an element of its own: the parent's short text is read too.
fn count_in(doc: &Doc<'_>, at: usize) -> Option<u32> {
    let text = doc.flat.nodes[at].text;
    if !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    if text.len() > 80 {
        return None;
    }
    count_of(text).or_else(|| {
        let parent = doc.flat.nodes[at].parent as usize;
        let up = match doc.flat.nodes[parent].tag {
            Tag::Span | Tag::Bold => doc.flat.nodes[parent].parent as usize,
            _ => parent,
        };
        let inside = doc.flat.inside(up);
        if inside.len() > 24 {
            return None;
        }
        let whole: Vec<&str> = inside.map(|i| doc.flat.nodes[i].text.trim()).collect();
        let whole = clean_line(&whole.join(" "));
        if whole.len() > MAX_STATEMENT { None } else { count_of(&whole) }
    })
}

pub(crate) fn count_of(text: &str) -> Option<u32> {
    let spaced = text.to_lowercase().replace(['-', '–', '(', ')', ':'], " - ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    while at < tokens.len() {
        let Some((count, next)) = number_at(&tokens, at) else {
            at += 1;
            continue;
        };
        if let Some(total) = range_total(&tokens, next) {
            return Some(total);
        }
        for word in tokens[next..].iter().take(3) {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            if HITS.contains(&word) {
                return Some(count);
            }
            if word.is_empty()
                || ROOM_WORDS.contains(&word)
                || word.starts_with(|c: char| c.is_numeric())
            {
                break;
            }
        }
        at = next;
    }
    None
}

/// Whether a text has a word for hits or homes in the plural.
pub(crate) fn names_hits(text: &str) -> bool {
    let low = text.to_lowercase();
    low.len() <= MAX_STATEMENT
        && low.split(|c: char| !c.is_alphanumeric()).any(|w| HITS.contains(&w))
}

/// A number of up to a million at a token, with its groups of three; and the token behind it.
fn number_at(tokens: &[&str], at: usize) -> Option<(u32, usize)> {
    let token = tokens.get(at)?.trim_end_matches(['+', ',', '.']);
    let allowed = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '’');
    if token.is_empty() || !token.chars().all(allowed) {
        return None;
    }
    let groups = token.split(|c: char| !c.is_ascii_digit()).skip(1).all(|g| g.len() == 3);
    let mut digits: String = token.chars().filter(char::is_ascii_digit).collect();
    let mut next = at + 1;
    while let Some(group) = tokens.get(next)
        && digits.len() <= 3
        && group.len() == 3
        && group.bytes().all(|b| b.is_ascii_digit())
    {
        digits.push_str(group);
        next += 1;
    }
    let number = digits.parse().ok().filter(|n| groups && *n <= 1_000_000)?;
    Some((number, next))
}

/// The total of "1 - 20 von 345", from the token behind the 1.
fn range_total(tokens: &[&str], at: usize) -> Option<u32> {
    let dash = matches!(*tokens.get(at)?, "-" | "bis" | "to" | "tot" | "t/m" | "à" | "a" | "al");
    let (_, after) = number_at(tokens, at + 1).filter(|_| dash && at + 1 < tokens.len())?;
    if !OF.contains(tokens.get(after)?) {
        return None;
    }
    (after + 1..(after + 3).min(tokens.len())).find_map(|i| number_at(tokens, i)).map(|(n, _)| n)
}

/// Whether a text counts homes ("31 Wohnungen ab 400 €"): what it stands on leads to a list.
pub(crate) fn counts_homes(text: &str) -> bool {
    text.len() <= 120 && text.bytes().any(|b| b.is_ascii_digit()) && {
        count_of(text).is_some_and(|n| n != 1)
    }
}

/// The next page of the same list, on the same host.
pub(crate) fn next_page(doc: &Doc<'_>, page: &Url) -> Option<Url> {
    let good = |href: &str| {
        let url = doc.base.join(href).ok()?;
        let same = url.host_str().map(bare) == page.host_str().map(bare);
        let other = url.as_str().split('#').next() != page.as_str().split('#').next();
        (same && other && matches!(url.scheme(), "http" | "https")).then_some(url)
    };
    if let Some(url) = doc.flat.next.and_then(good) {
        return Some(url);
    }
    let mut by_words = None;
    for link in &doc.links {
        let at = link.node as usize;
        let Some(element) = doc.flat.nodes[at].element else { continue };
        let rel = attr(element, "rel").unwrap_or_default();
        let href = doc.hrefs[link.href as usize];
        if rel.split_ascii_whitespace().any(|r| r.eq_ignore_ascii_case("next"))
            && let Some(url) = good(href)
        {
            return Some(url);
        }
        if by_words.is_none() && doc.inside(at).chars <= 24 && says_next(doc, at) {
            by_words = good(href);
        }
    }
    by_words.or_else(|| by_number(doc, page, &good))
}

fn says_next(doc: &Doc<'_>, at: usize) -> bool {
    let element = doc.flat.nodes[at].element;
    let attribute = |name| element.and_then(|e| attr(e, name)).unwrap_or_default();
    let text: String = doc.flat.inside(at).map(|i| doc.flat.nodes[i].text).collect();
    let is_arrow = matches!(text.trim(), "›" | "»" | "→" | ">" | ">>" | "❯");
    let words = [attribute("aria-label"), attribute("title"), text.as_str()];
    is_arrow
        || words.iter().filter(|w| !w.is_empty() && w.len() <= 40).any(|w| {
            let word = fold(w);
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            NEXT.contains(&word)
        })
}

/// The link whose text is the number after this page's.
fn by_number(doc: &Doc<'_>, page: &Url, good: &dyn Fn(&str) -> Option<Url>) -> Option<Url> {
    let names = ["page", "p", "pagina", "seite", "pg", "pag", "side", "strona", "sida"];
    let current = page
        .query_pairs()
        .find(|(name, _)| names.contains(&name.to_ascii_lowercase().as_str()))
        .and_then(|(_, value)| value.parse::<u32>().ok())
        .unwrap_or(1);
    let wanted = current.checked_add(1)?.to_string();
    doc.links.iter().find_map(|link| {
        let at = link.node as usize;
        if doc.inside(at).chars as usize != wanted.len() {
            return None;
        }
        let text: String = doc.flat.inside(at).map(|i| doc.flat.nodes[i].text.trim()).collect();
        let url = (text == wanted).then(|| good(doc.hrefs[link.href as usize]))??;
        url.as_str().contains(&wanted).then_some(url)
    })
}

fn bare(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// A name for the search: the first heading if it is short, else the first part of the title.
pub(crate) fn name(doc: &Doc<'_>) -> Option<String> {
    let heading = doc.flat.nodes.iter().enumerate().find_map(|(at, node)| {
        let is_first = node.tag == Tag::Heading && node.element.is_some_and(|e| e.name() == "h1");
        if !is_first || node.flags & (HIDDEN | TEMPLATE) != 0 {
            return None;
        }
        let text: Vec<&str> = doc.flat.inside(at).map(|i| doc.flat.nodes[i].text).collect();
        let text = clean_line(&text.join(" "));
        (4..=60).contains(&text.chars().count()).then_some(text)
    });
    let title = || {
        let title = clean_line(doc.flat.title);
        let part = [" | ", " – ", " - ", " · ", " — "]
            .iter()
            .filter_map(|mark| title.split_once(mark).map(|(first, _)| first))
            .filter(|part| part.chars().count() >= 6)
            .min_by_key(|part| part.len())
            .unwrap_or(&title)
            .to_owned();
        (part.chars().count() >= 4).then(|| truncate_chars(&part, 60))
    };
    heading.or_else(title)
}
