//! The price of a card: amount, upper end, currency, period, cold or warm.

use firstknock_listing::{Money, RentKind};

use super::number::{Number, scan};
use super::{
    Country, CurrencySign, MAX_TEXT, head, is_blank, price_words as words, sign, skip_blanks, tail,
};

/// What a text says about a price.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceReading {
    /// The rent or purchase price; the cold one where cold and warm are both given.
    pub money: Option<Money>,
    /// "Preis auf Anfrage", "POA": only where there is no amount.
    pub on_request: bool,
    /// The sign beside the amount, also where the country is not known.
    pub sign: Option<CurrencySign>,
}

/// Reads the price of a text. Deposits, service costs, prices per square metre and financing rates
/// are passed over.
///
/// ```
/// # use firstknock_extract::values::price;
/// let reading = price("€ 1.250 per maand (excl.)", None);
/// assert_eq!(reading.money.map(|m| m.cents), Some(125_000));
/// ```
pub fn price(text: &str, country: Option<Country>) -> PriceReading {
    let text = head(text, MAX_TEXT);
    let found = candidates(text, country);
    let mut accepted: Vec<(Money, CurrencySignOrNone)> = Vec::new();
    for (i, candidate) in found.iter().enumerate() {
        let previous = i.checked_sub(1).map(|i| found[i].end);
        let next = found.get(i + 1).map(|c| c.start);
        if let Some(money) = candidate.read(text, previous, next, country) {
            accepted.push((money, candidate.sign));
            if accepted.len() > 8 {
                break;
            }
        }
    }
    let is_kind = |kind| move |(m, _): &&(Money, CurrencySignOrNone)| m.kind == Some(kind);
    let first = accepted.first();
    let chosen = match first {
        Some(warm) if is_kind(RentKind::Warm)(&warm) => {
            accepted.iter().find(is_kind(RentKind::Cold)).or(first)
        }
        other => other,
    };
    match chosen {
        Some((money, sign)) => {
            PriceReading { money: Some(money.clone()), on_request: false, sign: *sign }
        }
        None => PriceReading { money: None, on_request: is_on_request(text), sign: None },
    }
}

/// Where the first amount with its sign starts.
pub(crate) fn price_starts(text: &str) -> Option<usize> {
    candidates(head(text, MAX_TEXT), None).first().map(|candidate| candidate.start)
}

/// Whether the text gives an amount per square metre or foot.
pub(crate) fn is_price_per_area(text: &str) -> bool {
    let text = head(text, MAX_TEXT);
    let per_area = |c: &Candidate| words::is_per_area(&head(&text[c.end..], 32).to_lowercase());
    candidates(text, None).iter().any(per_area)
}

/// Whether the text says that the price is told on request.
pub fn is_on_request(text: &str) -> bool {
    words::on_request(head(text, 400))
}

type CurrencySignOrNone = Option<CurrencySign>;

/// An amount with what stands directly beside it.
struct Candidate {
    /// Where the sign or the number starts.
    start: usize,
    /// Behind the number, its tail and its sign.
    end: usize,
    cents: i64,
    upper: Option<i64>,
    sign: CurrencySignOrNone,
    plus: bool,
}

impl Candidate {
    fn read(
        &self,
        text: &str,
        previous_end: Option<usize>,
        next_start: Option<usize>,
        country: Option<Country>,
    ) -> Option<Money> {
        let before =
            label_before(&text[previous_end.unwrap_or(0)..self.start], previous_end.is_some());
        let before_low = before.to_lowercase();
        let after = words_after(
            &text[self.end..next_start.unwrap_or(text.len())],
            next_start.is_some(),
            before,
        );
        let after_low = after.to_lowercase();
        if words::is_per_area(&head(&text[self.end..], 32).to_lowercase())
            || words::is_deposit(&before_low)
        {
            return None;
        }
        let kind_before = words::kind(before);
        let kind_after = words::kind(after);
        let labelled = kind_before.is_some() && words::is_price_label(before);
        if !labelled && words::rejects_before(&before_low) {
            return None;
        }
        if kind_after.is_none() && words::rejects_after(&after_low) {
            return None;
        }
        Some(Money {
            cents: self.cents,
            upper_cents: self.upper,
            currency: match self.sign {
                Some(sign) => sign.currency(country),
                None => sign::currency_of(country),
            },
            period: words::period(&after_low).or_else(|| words::labelled_period(&before_low)),
            kind: if labelled { kind_before } else { kind_after.or(kind_before) },
            from: self.plus || words::is_from(&before_low),
        })
    }
}

/// The label of an amount: what stands between it and the last separator before it.
fn label_before(text: &str, after_other_amount: bool) -> &str {
    let window = tail(text, 48);
    let marks: &[char] = if after_other_amount {
        &[',', ';', '|', '·', '•', '\n', '+', '(']
    } else {
        &[';', '|', '·', '•', '\n']
    };
    window.rfind(marks).map_or(window, |at| {
        let mark = window[at..].chars().next().map_or(1, char::len_utf8);
        &window[at + mark..]
    })
}

/// The words that belong to an amount and follow it. What stands behind the last separator before
/// the next amount is the next one's label.
fn words_after<'a>(text: &'a str, another_follows: bool, label: &str) -> &'a str {
    let window = head(text, 64);
    let window = window.find(['|', '·', '•', '\n']).map_or(window, |at| &window[..at]);
    if !another_follows || window.len() < text.len() {
        return window;
    }
    if let Some(at) = window.rfind([',', ';', '+', '(']) {
        return &window[..at];
    }
    // "Warm 900 € Kalt 700 €": where labels come first, this word is the next amount's.
    let labels_first = label.chars().any(char::is_alphabetic)
        && (words::kind(label).is_some() || words::is_price_label(label));
    if labels_first || window.trim_end().ends_with(':') { "" } else { window }
}

fn candidates(text: &str, country: Option<Country>) -> Vec<Candidate> {
    let spaced = country.is_none_or(|c| {
        !c.is_one_of(&["nl", "de", "at", "gb", "ie", "us", "au", "it", "es", "pt"])
    });
    let numbers = scan(text, |before| {
        spaced || stands_first(before) || sign::before(before, before.len()).is_some()
    });
    let mut found: Vec<Candidate> = Vec::new();
    let mut i = 0;
    while i < numbers.len() && found.len() < 32 {
        let free_from = found.last().map_or(0, |c| c.end);
        let (candidate, used) = candidate_at(text, &numbers, i, free_from);
        found.extend(candidate);
        i += used;
    }
    found
}

/// Where thousands are grouped by points, a plain blank still groups the digits of an amount that
/// has nothing before it but its label: there is no other number that they could be.
fn stands_first(before: &str) -> bool {
    let before = before.trim_end_matches(is_blank);
    let low = tail(before, 24).to_lowercase();
    before.is_empty() || words::is_price_label(tail(before, 32)) || words::is_from(&low)
}

/// The candidate that starts with number `i`, and how many numbers it used.
fn candidate_at(
    text: &str,
    numbers: &[Number],
    i: usize,
    free_from: usize,
) -> (Option<Candidate>, usize) {
    let lower = numbers[i];
    if lower.hundredths == 0 || lower.start < free_from {
        return (None, 1);
    }
    let before = sign::before(text, lower.start).filter(|(_, start)| *start >= free_from);
    let (tail_end, has_tail) = price_tail(text, lower.end);
    let after = sign::after(text, tail_end).filter(|(sign, end)| {
        before.is_some() || is_ours(text, lower, (*sign, *end), numbers.get(i + 1))
    });
    let mut candidate = Candidate {
        start: before.map_or(lower.start, |(_, start)| start),
        end: tail_end,
        cents: lower.hundredths,
        upper: None,
        sign: before.map(|(sign, _)| sign),
        plus: before
            .is_some_and(|(_, start)| words::is_from(&text[start..lower.start].to_lowercase())),
    };
    // "€ 950 €": the sign behind belongs to this amount only if nothing follows it.
    if let (None, Some((sign, end))) = (before, after) {
        candidate.sign = Some(sign);
        candidate.end = end;
    }
    let (end, _) = price_tail(text, candidate.end);
    candidate.end = end;
    if text[candidate.end..].starts_with('+')
        && !text[candidate.end + 1..]
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '€' | '$' | '£'))
    {
        candidate.plus = true;
        candidate.end += 1;
    }
    if let Some((upper, sign, end)) = upper_end(text, numbers.get(i + 1), &candidate) {
        candidate.upper = Some(upper);
        candidate.sign = candidate.sign.or(sign);
        candidate.end = end;
        if candidate.sign.is_some() || has_tail || is_bare_price(text, &candidate) {
            return (Some(candidate), 2);
        }
        return (None, 1);
    }
    let known = candidate.sign.is_some() || (has_tail && lower.hundredths >= 5_000);
    if known || is_bare_price(text, &candidate) { (Some(candidate), 1) } else { (None, 1) }
}

/// Between two numbers a sign belongs to the one it touches, else to the larger one; but dollars
/// and pounds stand before their number ("CA 94102 $ 2,950").
fn is_ours(
    text: &str,
    ours: Number,
    (sign, sign_end): (CurrencySign, usize),
    next: Option<&Number>,
) -> bool {
    let Some(next) = next else { return true };
    let gap = &text[sign_end.min(next.start)..next.start];
    if sign_end > next.start || !gap.chars().all(is_blank) {
        return true;
    }
    // "455 € 855 €": the next number has a sign of its own behind it.
    if sign::after(text, price_tail(text, next.end).0).is_some() {
        return true;
    }
    let touches_us = text[ours.end..sign_end].chars().next().is_some_and(|c| !is_blank(c));
    let leads = sign == CurrencySign::Dollar
        || matches!(sign, CurrencySign::Code(code) if code.code() == "GBP");
    match (touches_us, gap.is_empty()) {
        (true, false) => true,
        (false, true) => false,
        (false, false) if leads => false,
        _ => ours.hundredths >= next.hundredths,
    }
}

/// `,-` `.-` `.–` `,--`: zero cents. Returns where it ends and whether there was one.
fn price_tail(text: &str, from: usize) -> (usize, bool) {
    let mut chars = text[from..].char_indices();
    if !matches!(chars.next(), Some((_, '.' | ','))) {
        return (from, false);
    }
    let dash = |c: char| matches!(c, '-' | '–' | '—' | '−');
    let end = chars.take_while(|(_, c)| dash(*c)).last();
    match end {
        Some((at, c)) => (from + at + c.len_utf8(), true),
        None => (from, false),
    }
}

/// The upper end of a range, its sign, and where it ends.
fn upper_end(
    text: &str,
    next: Option<&Number>,
    lower: &Candidate,
) -> Option<(i64, CurrencySignOrNone, usize)> {
    let next = next?;
    let between = text.get(lower.end..next.start)?;
    if between.len() > 24 {
        return None;
    }
    let before = sign::before(text, next.start).filter(|(_, start)| *start >= lower.end);
    let joint = &text[lower.end..before.map_or(next.start, |(_, start)| start)];
    let joint = joint.trim_matches(is_blank);
    let joins = matches!(
        joint,
        "-" | "–"
            | "—"
            | "−"
            | "to"
            | "bis"
            | "tot"
            | "t/m"
            | "à"
            | "a"
            | "till"
            | "til"
            | "do"
            | "al"
    );
    if !joins || next.hundredths <= lower.cents || next.hundredths / 30 > lower.cents {
        return None;
    }
    let (end, _) = price_tail(text, next.end);
    let after = sign::after(text, end);
    if before.is_none() && after.is_none() && is_measured(text, end) {
        return None;
    }
    let sign = before.map(|b| b.0).or(after.map(|a| a.0));
    let end = if before.is_some() { end } else { after.map_or(end, |a| a.1) };
    Some((next.hundredths, sign, end))
}

/// Something else is counted or measured here: square metres, rooms, percent.
fn is_measured(text: &str, from: usize) -> bool {
    let at = skip_blanks(text, from);
    let rest = text[at..].trim_start_matches('-');
    rest.starts_with(['%', '°', '²'])
        || super::size::unit_at(rest).is_some()
        || super::rooms::unit_at(rest)
}

/// A number without a sign that is a price all the same: by its label or by its period.
fn is_bare_price(text: &str, candidate: &Candidate) -> bool {
    if candidate.cents < 5_000 || is_measured(text, candidate.end) {
        return false;
    }
    if words::is_price_label(tail(&text[..candidate.start], 32)) {
        return true;
    }
    let after = head(&text[candidate.end..], 16).to_lowercase();
    let starts_period = after.trim_start_matches(is_blank).starts_with(['/', 'p', 'm']);
    candidate.cents >= 10_000 && starts_period && {
        let first_two: String = after.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        words::period(&first_two).is_some()
    }
}
