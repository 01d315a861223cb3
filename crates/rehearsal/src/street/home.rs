//! Homes, thrown by dice; all names are invented.

use crate::Dice;
use crate::street::Markup;

/// One home on a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// The site's own number of it.
    pub id: u64,
    /// What the ad is called.
    pub title: String,
    /// Street and number.
    pub street: String,
    /// Town.
    pub town: String,
    /// Postcode.
    pub postcode: String,
    /// Whole units a month.
    pub rent: u32,
    /// Square metres.
    pub size: u32,
    /// Rooms (bedrooms on the British site).
    pub rooms: u32,
}

struct Words {
    moods: &'static [&'static str],
    kinds: &'static [&'static str],
    streets: &'static [&'static str],
    towns: &'static [&'static str],
}

const DUTCH: Words = Words {
    moods: &["Lichte", "Ruime", "Rustige", "Nette", "Gerenoveerde", "Sfeervolle"],
    kinds: &[
        "bovenwoning",
        "benedenwoning",
        "hoekwoning met tuin",
        "etage met balkon",
        "studio aan het water",
    ],
    streets: &["Oude Zeilmakersgang", "Vlierlaantje", "Kuipersgracht", "Lindenhof"],
    towns: &["Waterveen", "Oosterdam", "Rietwijk"],
};
const GERMAN: Words = Words {
    moods: &["Helle", "Ruhige", "Sanierte", "Großzügige", "Gemütliche", "Sonnige"],
    kinds: &[
        "Altbauwohnung",
        "Wohnung mit Einbauküche",
        "Dachwohnung mit Blick",
        "Wohnung am Park",
    ],
    streets: &["Fliederweg", "Am Alten Hafen", "Töpferstraße", "Mühlgasse"],
    towns: &["Neustetten", "Lindow am See", "Kirchheim-Süd"],
};
const ENGLISH: Words = Words {
    moods: &["Bright", "Quiet", "Spacious", "Newly painted", "Charming", "Furnished"],
    kinds: &[
        "flat near the green",
        "garden apartment",
        "terraced house",
        "top floor flat",
        "maisonette",
    ],
    streets: &["Lantern Street", "Mill Row", "Chandler Close", "Orchard Terrace"],
    towns: &["Eastmere", "Fairwell", "Stonebridge"],
};

impl Home {
    /// A home as one would find it on a site of this kind.
    pub(crate) fn throw(id: u64, markup: Markup, dice: &mut Dice) -> Self {
        let words = match markup {
            Markup::Cards | Markup::Script => &DUTCH,
            Markup::Table => &GERMAN,
            Markup::JsonLd => &ENGLISH,
        };
        let number = dice.between(1, 180);
        let rooms = dice.between(1, 4);
        let size = rooms * 17 + dice.between(8, 24);
        let rent = 300 + size * 11 + dice.between(0, 20) * 10;
        let postcode = match markup {
            Markup::Cards | Markup::Script => {
                format!("{} {}", 1000 + dice.between(11, 8999), dice.pick(&["AB", "KX", "VR"]))
            }
            Markup::Table => format!("{}", 10_000 + dice.between(115, 89_000)),
            Markup::JsonLd => format!("EM{} {}QD", dice.between(1, 19), dice.between(1, 9)),
        };
        let small = |n: u64| u32::try_from(n).unwrap_or_default();
        Self {
            id,
            title: format!("{} {}", dice.pick(words.moods), dice.pick(words.kinds)),
            street: format!("{} {number}", dice.pick(words.streets)),
            town: (*dice.pick(words.towns)).to_owned(),
            postcode,
            rent: small(rent),
            size: small(size),
            rooms: small(rooms),
        }
    }
}
