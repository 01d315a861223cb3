//! One item of a feed: its fields, and the card that they make.

use serde_json::{Map, Value};

use super::xml::{self, Piece};
use super::{escaped, put};

/// Bytes of one field that are kept.
const MOST_TEXT: usize = 8_000;
/// Pieces of a description that are shown.
const MOST_PIECES: usize = 60;

/// Names of elements that carry a price, without their namespace.
const PRICES: [&str; 12] = [
    "price",
    "rent",
    "preis",
    "miete",
    "kaltmiete",
    "huur",
    "huurprijs",
    "prijs",
    "prix",
    "loyer",
    "precio",
    "prezzo",
];
/// … a floor area in square metres, where it is a bare number.
const SIZES: [&str; 10] = [
    "size",
    "area",
    "livingarea",
    "surface",
    "wohnflaeche",
    "wohnfläche",
    "oppervlakte",
    "woonoppervlakte",
    "superficie",
    "sqm",
];
const ROOMS: [&str; 6] = ["rooms", "zimmer", "kamers", "pieces", "locali", "numberofrooms"];
const BEDROOMS: [&str; 5] = ["bedrooms", "beds", "slaapkamers", "chambres", "habitaciones"];
const PLACES: [&str; 12] = [
    "address", "location", "street", "city", "adresse", "adres", "plaats", "ort", "ville",
    "postcode", "zip", "plz",
];

/// The fields of an item.
#[derive(Default)]
pub(super) struct Item {
    title: String,
    link: String,
    guid: String,
    description: String,
    content: String,
    image: String,
    price: String,
    currency: String,
    size: String,
    rooms: String,
    bedrooms: String,
    place: Vec<String>,
}

impl Item {
    /// What the attributes of an element say.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, String)]) {
        let get = |key: &str| attributes.iter().find(|(k, _)| *k == key).map(|(_, v)| v.as_str());
        match name {
            "link" if get("rel").is_none_or(|rel| rel == "alternate") => {
                if let Some(href) = get("href").filter(|_| self.link.is_empty()) {
                    href.clone_into(&mut self.link);
                }
            }
            "img" => keep(&mut self.image, get("src").unwrap_or_default()),
            "enclosure" | "content" | "thumbnail" | "image" => {
                let kind = get("type").or_else(|| get("medium")).unwrap_or("image");
                let address = get("url").or_else(|| get("href"));
                if let Some(url) = address.filter(|_| kind.starts_with("image")) {
                    keep(&mut self.image, url);
                }
            }
            _ if PRICES.contains(&name.to_ascii_lowercase().as_str()) => {
                keep(&mut self.price, get("value").or_else(|| get("amount")).unwrap_or_default());
                keep(&mut self.currency, get("currency").unwrap_or_default());
            }
            _ => {}
        }
    }

    /// A text inside an element; `path` are the item's open elements, outermost first.
    pub(super) fn text(&mut self, path: &[&str], name: &str, text: &str) {
        let outermost = path.first().copied().unwrap_or(name);
        // Markup that is not escaped stands inside its field as elements.
        if path.len() > 1 && matches!(outermost, "content" | "description" | "summary") {
            return self.nested(text);
        }
        let low = name.to_ascii_lowercase();
        let field = match &*low {
            "title" => &mut self.title,
            "link" => &mut self.link,
            "guid" | "id" | "identifier" => &mut self.guid,
            "description" | "summary" => &mut self.description,
            "encoded" | "content" => &mut self.content,
            "url" if outermost == "image" => return keep(&mut self.image, text.trim()),
            "currency" => return keep(&mut self.currency, text.trim()),
            name if PRICES.contains(&name) => &mut self.price,
            name if SIZES.contains(&name) => &mut self.size,
            name if ROOMS.contains(&name) => &mut self.rooms,
            name if BEDROOMS.contains(&name) => &mut self.bedrooms,
            name if PLACES.contains(&name) => {
                self.place.push(text.trim().to_owned());
                return;
            }
            _ => return,
        };
        if field.len() < MOST_TEXT {
            field.push_str(&text[..text.floor_char_boundary(MOST_TEXT)]);
        }
    }

    fn nested(&mut self, text: &str) {
        if self.description.len() < MOST_TEXT {
            self.description.push_str("<br>");
            let text = &text[..text.floor_char_boundary(MOST_TEXT)];
            self.description.push_str(&escaped(text));
        }
    }

    /// An item of a JSON Feed; `None` if it leads nowhere.
    pub(super) fn of_json(object: &Map<String, Value>) -> Option<Self> {
        let get = |keys: &[&str]| {
            let found = keys.iter().find_map(|key| object.get(*key)?.as_str());
            let text = found.unwrap_or_default();
            text[..text.floor_char_boundary(MOST_TEXT)].to_owned()
        };
        let item = Self {
            title: escaped(&get(&["title"])),
            link: get(&["url", "external_url"]),
            guid: get(&["id"]),
            description: get(&["content_html", "content_text", "summary"]),
            image: get(&["image", "banner_image"]),
            ..Self::default()
        };
        (!item.link.is_empty()).then_some(item)
    }

    /// The card.
    pub(super) fn write(&self, out: &mut String) {
        let (guid, title) = (escaped(self.guid.trim()), xml::plain(&self.title));
        let link = Some(self.link.trim()).filter(|link| !link.is_empty());
        let link = escaped(link.unwrap_or(self.guid.trim()));
        put(out, format_args!("<article data-guid=\"{guid}\">"));
        put(out, format_args!("<h2><a href=\"{link}\">{}</a></h2>", escaped(title.trim())));
        let price = with_unit(&self.price, self.currency.trim());
        let facts = [
            price,
            with_unit(&self.size, "m²"),
            with_unit(&self.rooms, "rooms"),
            with_unit(&self.bedrooms, "bedrooms"),
        ];
        for fact in facts.iter().filter(|fact| !fact.is_empty()) {
            put(out, format_args!("<p>{}</p>", escaped(fact)));
        }
        let place: Vec<&str> =
            self.place.iter().map(String::as_str).filter(|p| !p.is_empty()).collect();
        if !place.is_empty() {
            put(out, format_args!("<address>{}</address>", escaped(&place.join(", "))));
        }
        let mut image = self.image.clone();
        let told =
            if self.description.trim().is_empty() { &self.content } else { &self.description };
        for piece in xml::pieces(told).take(MOST_PIECES) {
            match piece {
                Piece::Text(text) => put(out, format_args!("<p>{}</p>", escaped(&text))),
                Piece::Image(address) => keep(&mut image, &address),
            }
        }
        if image.is_empty()
            && let Some(Piece::Image(address)) =
                xml::pieces(&self.content).find(|p| matches!(p, Piece::Image(_)))
        {
            image = address;
        }
        if !image.is_empty() {
            put(out, format_args!("<img src=\"{}\">", escaped(&image)));
        }
        out.push_str("</article>");
    }
}

/// The first that is said counts.
fn keep(field: &mut String, text: &str) {
    if field.is_empty() && text.len() <= 2_000 {
        text.clone_into(field);
    }
}

/// A bare number with its unit; a text that says more stays as it is.
fn with_unit(text: &str, unit: &str) -> String {
    let text = text.trim();
    let bare = !text.is_empty()
        && !unit.is_empty()
        && !text.contains(|c: char| c.is_alphabetic() || c == '€');
    if bare { format!("{text} {unit}") } else { text.to_owned() }
}
