//! Amounts that can be compared and stored exactly: integers in hundredths.

use serde::{Deserialize, Serialize};

/// A price as shown on a page. `amount` is never converted: the shown figure is what people know.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    /// In hundredths of the currency's unit (cents): 1,149.50 is 114950.
    pub cents: i64,
    /// The upper bound where the page shows a range (`€ 1.090 - 1.160`), in hundredths.
    pub upper_cents: Option<i64>,
    /// `None` where the page names none and the country is unknown.
    pub currency: Option<Currency>,
    /// `None` where the page says nothing.
    pub period: Option<Period>,
    /// Cold or warm; `None` where the page says nothing. Cold is never compared with warm.
    pub kind: Option<RentKind>,
    /// "from", "ab", "v.a.": the lower end of something.
    pub from: bool,
}

/// An ISO 4217 code of three upper-case letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency([u8; 3]);

/// What a price is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// A night or day.
    Day,
    /// A week.
    Week,
    /// A month.
    Month,
    /// A year.
    Year,
}

/// Whether running costs are in the rent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RentKind {
    /// Without costs (Kaltmiete, kale huur, HC).
    Cold,
    /// With costs (Warmmiete, incl., CC, bills included).
    Warm,
}

/// A floor area in hundredths of a square metre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Area(u32);

/// A count of rooms or bedrooms in tenths, since half rooms exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rooms(u16);

impl Money {
    /// A plain amount in hundredths, nothing else known.
    pub const fn of_cents(cents: i64) -> Self {
        Self { cents, upper_cents: None, currency: None, period: None, kind: None, from: false }
    }

    /// The shown amount in whole units, for JSON and for people.
    #[expect(clippy::cast_precision_loss, reason = "prices stay far below 2^53 cents")]
    pub fn amount(&self) -> f64 {
        self.cents as f64 / 100.0
    }

    /// The upper bound in whole units.
    #[expect(clippy::cast_precision_loss, reason = "prices stay far below 2^53 cents")]
    pub fn upper(&self) -> Option<f64> {
        self.upper_cents.map(|cents| cents as f64 / 100.0)
    }

    /// The amount per month in hundredths: week × 52/12, day × 30, year / 12. For filters only.
    pub fn monthly_cents(&self) -> i64 {
        match self.period {
            Some(Period::Day) => self.cents.saturating_mul(30),
            Some(Period::Week) => self.cents.saturating_mul(52) / 12,
            Some(Period::Year) => self.cents / 12,
            Some(Period::Month) | None => self.cents,
        }
    }

    /// Whether two prices may be compared: same currency, period and kind where both say so.
    pub fn comparable(&self, other: &Self) -> bool {
        fn agree<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
            a.is_none() || b.is_none() || a == b
        }
        agree(self.currency, other.currency)
            && agree(self.period, other.period)
            && agree(self.kind, other.kind)
    }
}

impl Currency {
    /// The euro.
    pub const EUR: Self = Self(*b"EUR");
    /// Pound sterling.
    pub const GBP: Self = Self(*b"GBP");
    /// The US dollar.
    pub const USD: Self = Self(*b"USD");
    /// The Swiss franc.
    pub const CHF: Self = Self(*b"CHF");

    /// A code of three ASCII letters, in any case.
    pub fn parse(code: &str) -> Option<Self> {
        let bytes: [u8; 3] = code.as_bytes().try_into().ok()?;
        bytes
            .iter()
            .all(u8::is_ascii_alphabetic)
            .then(|| Self(bytes.map(|b| b.to_ascii_uppercase())))
    }

    /// The code.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).expect("BUG: a currency is three ASCII letters")
    }
}

impl Serialize for Currency {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::parse(&code).ok_or_else(|| serde::de::Error::custom("not a currency code"))
    }
}

impl Period {
    /// The word used in JSON and in the database.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// Reads [`Period::code`] back.
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Day, Self::Week, Self::Month, Self::Year].into_iter().find(|p| p.code() == code)
    }
}

impl RentKind {
    /// The word used in JSON and in the database.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Warm => "warm",
        }
    }

    /// Reads [`RentKind::code`] back.
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Cold, Self::Warm].into_iter().find(|k| k.code() == code)
    }
}

impl Area {
    /// From hundredths of a square metre.
    pub const fn from_hundredths(hundredths: u32) -> Self {
        Self(hundredths)
    }

    /// From square metres; `None` outside 0 to 1,000,000 or not a number.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked"
    )]
    pub fn from_m2(m2: f64) -> Option<Self> {
        (m2 > 0.0 && m2 <= 1_000_000.0).then(|| Self((m2 * 100.0).round() as u32))
    }

    /// Square metres.
    pub fn m2(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Hundredths of a square metre, as stored.
    pub const fn hundredths(self) -> u32 {
        self.0
    }
}

impl Rooms {
    /// From tenths, as stored.
    pub const fn from_tenths(tenths: u16) -> Self {
        Self(tenths)
    }

    /// From a count; `None` outside 0 to 1,000 or not a number.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked"
    )]
    pub fn from_count(count: f64) -> Option<Self> {
        (0.0..=1_000.0).contains(&count).then(|| Self((count * 10.0).round() as u16))
    }

    /// The count, with halves.
    pub fn count(self) -> f64 {
        f64::from(self.0) / 10.0
    }

    /// Tenths, as stored.
    pub const fn tenths(self) -> u16 {
        self.0
    }
}
