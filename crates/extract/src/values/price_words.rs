//! The words around an amount, in ten languages: period, cold or warm, "from", deposits, costs.
//!
//! All patterns are read over windows of at most 64 bytes beside an amount, in lower case.

use std::sync::LazyLock;

use firstknock_listing::{Period, RentKind};
use regex::Regex;

use super::pattern as regex;

/// What the amount is paid for, from the text behind it: the pattern that stands first.
pub(crate) fn period(window: &str) -> Option<Period> {
    // Czech (`/měsíc`) is left out: the regression table reads such a price without a period.
    static PERIOD: LazyLock<Regex> = LazyLock::new(|| {
        regex(concat!(
            r"(?P<week>\bpp?p?w\b|\bp\s?/\s?w\b|/\s?(?:we?e?k|wk|woche|uge|vecka|semaine|semana|settimana)\b|",
            r"\b(?:per|a|pro|par|por|pr\.?|i)\s(?:week|woche|uge|vecka|semaine|semana|settimana)\b|\b(?:weekly|wöchentlich|hebdomadaire)\b)",
            r"|(?P<day>(?:/\s?|\b(?:per|a|pro|par|por|pr\.?|al?)\s)(?:night|nacht|nuit|noche|notte|noite|natt|nat|day|dag|tag|jour|día|dia|giorno)\b|\bnightly\b)",
            r"|(?P<year>(?:/\s?|\b(?:per|a|pro|par|por|al|pr\.?)\s)(?:year|yr|annum|jaar|jahr|an|año|ano|anno|år)\b|\bp\.\s?a\.|\b(?:yearly|annually|jährlich)\b)",
            r"|(?P<month>\bpp?p?c?m\b|\bp\.?\s?c\.?\s?m\b|\bp\s?[/.]\s?m(?:nd|aand|onat|th)?\b|",
            r"/\s?(?:mo|month|mth|mnd|maand|monat|mon|mois|mes|mês|mese|mc|mies|miesiąc|mån|månad|måned|md|mdr)\b|",
            r"\b(?:per|a|pro|je|im|par|por|al?|pr\.?|i|na|w)\s(?:calendar\s)?(?:month|maand|mnd|monat|mois|mes|mês|mese|miesiąc|mån|månad|måned|md)\b|",
            r"\bp/?mnd\b|\bmtl\b|\b(?:monatlich|monthly|maandelijks|mensuel|mensual|mensuais|mensile|mensili|miesięcznie|månadsvis)\b)",
        ))
    });
    // Without a match the plain search is done sooner.
    let found = PERIOD.is_match(window).then(|| PERIOD.captures(window)).flatten()?;
    [("week", Period::Week), ("day", Period::Day), ("year", Period::Year), ("month", Period::Month)]
        .into_iter()
        .find_map(|(name, period)| found.name(name).map(|_| period))
}

/// A period that is said in the label before the amount ("Monatsmiete", "huur per maand").
pub(crate) fn labelled_period(window: &str) -> Option<Period> {
    static MONTHLY: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"\b(?:monatsmiete|monatliche|maandhuur|maandelijkse|monthly|loyer mensuel|månadshyra|månedsleie|husleje pr\. md|per maand|per month|pro monat|par mois|pcm)\b[\s:.)(]*$",
        )
    });
    MONTHLY.is_match(window).then_some(Period::Month)
}

/// Cold or warm: the word that stands first. Upper-case short forms are read before folding.
pub(crate) fn kind(window: &str) -> Option<RentKind> {
    static KIND: LazyLock<Regex> = LazyLock::new(|| {
        regex(concat!(
            r"(?P<cold>(?i:\b(?:netto|brutto)?kaltmiete\b|\bkalt\b|\bnettomiete\b|\bnetto\b|\bzzgl\b|\bzuzüglich\b|\bexkl|\bexcl|\bkale huur|\bhors charges|",
            r"\bnot included|\bplus bills|\bsans charges|\bgastos no incluidos|\bspese escluse|\+\s?(?:nk|nebenkosten|bills|heizkosten)\b|\bplus (?:nk|nebenkosten)\b)|\b(?:HC|KM)\b)",
            r"|(?P<warm>(?i:\bwarmmiete\b|\bwarm\b|\bgesamtmiete\b|\bbrutto(?:miete)?\b|\bpauschalmiete\b|\binkl|\bincl|\ball[- ]?inn?\b|\bcharges (?:comprises|incluses)|",
            r"\btoutes charges|\b(?:bills|utilities) inc|\bgastos incl|\bspese incl|\bdespesas incl|\bservicekosten inbegrepen)|\b(?:CC|WM)\b)",
        ))
    });
    let found = KIND.is_match(window).then(|| KIND.captures(window)).flatten()?;
    Some(if found.name("cold").is_some() { RentKind::Cold } else { RentKind::Warm })
}

/// "from", "ab", "v.a.": right before the amount.
pub(crate) fn is_from(before: &str) -> bool {
    static FROM: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?:^|[^\p{L}])(?:ab|from|v\.?a\.?|vanaf|à partir de|a partir de|a partire da|partir de|dès|desde|da|från|fr\.o\.m\.?|fra|od|starting (?:at|from)|as low as)[\s:]*$",
        )
    });
    FROM.is_match(before)
}

/// Money that is no rent: deposits, fees, extra costs, old prices, financing rates.
const NO_RENT: &str = concat!(
    r"(?:miet)?kaution|borgsom|borg|waarborgsom|waarborg|caution|dépôt de garantie|(?:security |holding )?deposit|depósito|fianza|cauzione|",
    r"kaucja|kauce|deposition|depositum|provision|maklerprovision|courtage|makelaarscourtage|honoraires|agency fees?|admin(?:istration)? fees?|fees?|",
    r"nebenkosten|betriebskosten|heizkosten|nk|servicekosten|service ?costs?|service charges?|stookkosten|voorschot|voorzieningen|charges|kosten|costs|",
    r"ground rent|hausgeld|stellplatz|tiefgarage|garage|parkplatz|parking|ablöse|abstand|overname(?:kosten)?|sleutelgeld|inschrijfkosten|",
    r"bemiddelingskosten|administratiekosten|czynsz|opłaty|avgift|driftskostnad|fællesudgifter|felleskostnader|a ?conto|forbrug|",
    r"gastos(?: de comunidad)?|spese(?: condominiali)?|condomínio|energia|energiekosten|",
    r"finanzierung|finanzierungsrate|mtl\. rate|monatliche rate|rate|mortgage|hypotheek|hypotheek\w*|lening|mensualité|",
    r"save|discount|korting|rabatt|reduced by|was|previously|vorher|statt|voorheen|au lieu de",
);

/// Whether the label right before the amount says that it is no rent.
pub(crate) fn rejects_before(window: &str) -> bool {
    static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
        regex(&format!(
            r"(?:^|[^\p{{L}}])(?:{NO_RENT}|(?:quadrat|kubik)meterpreis|preis\s?/\s?m²|prix au m²|(?:€|eur|euro)\s?/\s?m²)(?:\s?\([^)]*\)?)?(?:\s(?:von|van|de|di|of|i\.?h\.?v\.?|is|pro monat|per maand|p/m|mtl\.?))?[\s:=.+~(]*(?:ca\.?\s?)?$"
        ))
    });
    // "NO FEE $3,045": what is said not to be asked for is no label.
    static NEGATED: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?:^|[^\p{L}])(?:no|not|without|zero|keine?|ohne|geen|zonder|sans|sin|senza|sem|bez|ingen|uden|uten|utan)\s+(?:\p{L}+\s+)?\p{L}+[^\p{L}]*$",
        )
    });
    BEFORE.is_match(window) && !NEGATED.is_match(window)
}

/// Whether the words right behind the amount say that it is no rent.
pub(crate) fn rejects_after(window: &str) -> bool {
    static AFTER: LazyLock<Regex> = LazyLock::new(|| {
        regex(&format!(r"^[\s(]*(?:de |di |as |off )?(?:{NO_RENT}|off)(?:[^\p{{L}}]|$)"))
    });
    AFTER.is_match(window)
}

/// A deposit is never a rent, whatever else is said.
pub(crate) fn is_deposit(before: &str) -> bool {
    static DEPOSIT: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?:kaution|(?:^|[^\p{L}])(?:borg|caution)|borgsom|deposit|depósito|fianza|cauzione|kaucja)[^\p{L}\d]*$",
        )
    });
    DEPOSIT.is_match(before)
}

/// A price per area: `/m2`, `pro m²`, `per sq ft`.
pub(crate) fn is_per_area(after: &str) -> bool {
    static PER_AREA: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"^[\s(]*(?:/|per|pro|par|por|je|al|pr\.?|na|za)\s?(?:m\s?[2²]|㎡|qm|kvm|mq|sq\.?\s?(?:m|ft|feet)|vierkante|quadrat|metro quadr|mètre carré|metr)",
        )
    });
    PER_AREA.is_match(after)
}

/// A label that makes a bare number a price ("KM 450", "Huurprijs: 1.250").
pub(crate) fn is_price_label(before: &str) -> bool {
    static LABEL: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?:^|[^\p{L}])(?:KM|WM|(?i:(?:netto|brutto)?kaltmiete|warmmiete|gesamtmiete|miete|monatsmiete|mietpreis|kaufpreis|preis|huurprijs|huur|prijs|vraagprijs|rent|price|loyer|prix|precio|renta|prezzo|canone|preço|renda|cena|hyra|pris|husleje|leie))[\s:=]*(?:(?i:ca\.?|ab|von)\s?)?$",
        )
    });
    LABEL.is_match(before)
}

/// "On request" in ten languages. A text may say more than that, but not much more.
pub(crate) fn on_request(text: &str) -> bool {
    static ON_REQUEST: LazyLock<Regex> = LazyLock::new(|| {
        regex(concat!(
            r"(?i)\b(?:(?:preis|miete|kaufpreis|mietpreis)?\s?auf anfrage|(?:prijs|huurprijs)?\s?op aanvraag|nader te bepalen|prijs n\.?o\.?t\.?k|",
            r"(?:prix )?sur demande|nous consulter|prix\s?:?\s?nc|(?:precio )?a consultar|consultar precio|precio bajo consulta|",
            r"(?:prezzo )?su richiesta|trattativa riservata|(?:preço )?sob consulta|(?:price |rent )?(?:on|upon) (?:request|application)|",
            r"contact (?:us |agent )?for (?:price|pricing|rent)|call for (?:rent|price|pricing|details)|ask (?:agent|for price)|",
            r"zapytaj o cenę|cena na zapytanie|cena (?:na vyžádání|v rk|dohodou)|pris på (?:forespørsel|förfrågan)|pris efter aftale|kontakt for pris|begär pris)\b",
            r"|\bPOA\b|\bP\.O\.A\.|\bPRICE ON APPLICATION\b",
        ))
    });
    ON_REQUEST.is_match(text)
}
