//! The words beside numbers, in ten languages: what [`super::annotate`] looks for.

/// Before an amount.
pub(super) const CURRENCY_BEFORE: [&str; 26] = [
    "€", "$", "£", "₹", "₺", "r$", "aed", "lei", "eur", "euro", "chf", "fr.", "fr", "kr", "kr.",
    "sek", "nok", "dkk", "usd", "gbp", "pln", "zł", "czk", "kč", "cad", "aud",
];
pub(super) const CURRENCY_AFTER: [&str; 24] = [
    "€", "$", "£", "₺", "ft", "lei", "aed", "ron", "eur", "euro", "chf", "zł", "zl", "kr", "kč",
    "pln", "sek", "nok", "dkk", "usd", "gbp", ",-", ".-", ".–",
];
pub(super) const SIZE_AFTER: [&str; 19] = [
    "m²",
    "m2",
    "m 2",
    "qm",
    "sqm",
    "sq m",
    "sq.m",
    "sq. m",
    "kvm",
    "mq",
    "sqft",
    "sq ft",
    "sq. ft",
    "sq.ft",
    "ft²",
    "ft2",
    "metri quad",
    "square f",
    "square m",
];
/// These also stand before their number, in a text of their own: `mq 75`.
pub(super) const SIZE_BEFORE: [&str; 5] = ["mq", "mq:", "m²", "m²:", "sqm"];
/// How words for rooms and bedrooms begin: behind a number, and in an element of their own.
pub(super) const ROOM_WORDS: [&str; 21] = [
    "zimmer",
    "zi.",
    "kamer",
    "slaapkamer",
    "room",
    "bed",
    "bds",
    "bd",
    "br",
    "hab",
    "dorm",
    "pièce",
    "piece",
    "chambre",
    "local",
    "poko",
    "rum",
    "rok",
    "værelse",
    "soverom",
    "quarto",
];
/// These only behind a number.
pub(super) const ROOMS_AFTER: [&str; 23] = [
    "zi",
    "-zi",
    "-zimmer",
    "-kamer",
    "kmr",
    "-slaapkamer",
    "-room",
    "-bed",
    "p.",
    "-pièces",
    "vani",
    "pok.",
    "-roms",
    "raum",
    "-raum",
    "räume",
    "bett",
    "pokój",
    "vano",
    "ch.",
    "stanz",
    "double b",
    "assoalhad",
];
pub(super) const ROOMS_BEFORE: [&str; 12] = [
    "zimmer:",
    "zimmer",
    "zi.:",
    "kamers:",
    "kamers",
    "slaapkamers:",
    "slaapkamers",
    "rooms:",
    "beds:",
    "bedrooms:",
    "pièces:",
    "pièces",
];

/// These only in an element of their own.
pub(super) const ROOM_LABELS: [&str; 4] =
    ["anzahl zimmer", "aantal kamers", "schlafzimmer", "liczba pokoi"];
/// Labels of other facts: the number before or behind them is theirs.
pub(super) const OTHER_LABELS: [&str; 22] = [
    "bad", "bath", "ba", "baño", "salle", "bagn", "łazien", "wohnfl", "fläche", "grundst", "größe",
    "oppervl", "surface", "superf", "area", "size", "etage", "floor", "baujahr", "bouwjaar",
    "toilet", "garage",
];
