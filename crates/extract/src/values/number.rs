//! The one number rule: what `1.250`, `1,250.50`, `1 250` and `1'250` mean in every country.
//!
//! Blanks and apostrophes group. With both `.` and `,` the last one is the decimal mark. With one
//! kind: exactly three digits after the last is a group, one or two digits are decimals. A rent
//! with three decimals does not exist, so `1.250` and `1,250` are both 1250.

use super::{MAX_TEXT, head, is_blank};

/// A number found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// Byte where it starts.
    pub start: usize,
    /// Byte after its last digit.
    pub end: usize,
    /// The value in hundredths; further decimals are cut.
    pub hundredths: i64,
    /// How many decimals were written.
    pub decimals: u8,
}

impl Number {
    /// The value.
    #[expect(clippy::cast_precision_loss, reason = "13 digits stay below 2^53")]
    pub fn value(&self) -> f64 {
        self.hundredths as f64 / 100.0
    }
}

/// More digits than this are no price, size or count of anything.
const MAX_DIGITS: usize = 13;
/// More numbers than this in one text are a table, not a card.
const MAX_NUMBERS: usize = 128;

/// The first number of a text, for values that stand alone (a JSON string, an attribute).
pub fn number(text: &str) -> Option<f64> {
    scan(head(text, 200), |_| true).first().map(Number::value)
}

/// All numbers of a text. `spaces_group` is asked with the text before a number whether a plain
/// blank may group its digits; the no-break kinds always do.
pub(crate) fn scan(text: &str, spaces_group: impl Fn(&str) -> bool) -> Vec<Number> {
    let text = head(text, MAX_TEXT);
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() && found.len() < MAX_NUMBERS {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        if is_superscript(text, at) {
            at += 1;
            continue;
        }
        let token = Token::read(text, at, spaces_group(&text[..at]));
        at = token.end;
        if let Some((hundredths, decimals)) = token.value() {
            found.push(Number { start: token.start, end: token.end, hundredths, decimals });
        }
    }
    found
}

/// The `2` of `m2`, `m 2` and `ft 2`: a superscript that lost its height.
fn is_superscript(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    if !matches!(bytes[at], b'2' | b'3') || continues_number(&bytes[at + 1..]) {
        return false;
    }
    let before = text[..at].trim_end_matches(is_blank);
    let unit = before.strip_suffix(['m', 'M']).or_else(|| before.strip_suffix("ft"));
    unit.is_some_and(|b| !b.chars().next_back().is_some_and(char::is_alphabetic))
}

/// A digit, or a mark with a digit behind it.
fn continues_number(rest: &[u8]) -> bool {
    match rest {
        [d, ..] if d.is_ascii_digit() => true,
        [b'.' | b',', d, ..] => d.is_ascii_digit(),
        _ => false,
    }
}

struct Token<'a> {
    start: usize,
    end: usize,
    /// Each run of digits with the mark before it (`'\0'` for the first).
    groups: Vec<(char, &'a str)>,
    overlong: bool,
}

impl<'a> Token<'a> {
    fn read(text: &'a str, start: usize, spaces_group: bool) -> Self {
        let mut token = Token { start, end: start, groups: Vec::new(), overlong: false };
        let mut mark = '\0';
        let mut at = start;
        loop {
            let len = text.as_bytes()[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            if token.groups.len() < 8 {
                token.groups.push((mark, &text[at..at + len]));
            } else {
                token.overlong = true;
            }
            at += len;
            token.end = at;
            let Some(next) = text[at..].chars().next() else { break };
            let after = at + next.len_utf8();
            let digits = text.as_bytes()[after..].iter().take_while(|b| b.is_ascii_digit()).count();
            mark = match next {
                '.' | ',' | '\'' | '’' | '`' if digits > 0 => match next {
                    '’' | '`' => '\'',
                    other => other,
                },
                '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' | '\u{2008}'
                    if digits == 3 && token.may_space() =>
                {
                    ' '
                }
                ' ' if spaces_group && digits == 3 && token.may_space() => ' ',
                _ => break,
            };
            at = after;
        }
        token
    }

    /// Blanks group only digits that are grouped by nothing else.
    fn may_space(&self) -> bool {
        self.groups.iter().enumerate().all(|(i, (mark, digits))| match i {
            0 => digits.len() <= 3 && !digits.starts_with('0'),
            _ => *mark == ' ',
        })
    }

    /// The value in hundredths and the count of decimals; `None` for dates, versions and the like.
    fn value(&self) -> Option<(i64, u8)> {
        if self.overlong {
            return None;
        }
        let last = *self.groups.last()?;
        let marks: Vec<char> = self.groups.iter().skip(1).map(|g| g.0).collect();
        let points = marks.iter().filter(|m| matches!(m, '.' | ',')).count();
        let both = marks.contains(&'.') && marks.contains(&',');
        let first = self.groups[0].1;
        let decimal = if last.0 == '\0' || !matches!(last.0, '.' | ',') {
            false
        } else if both || points < marks.len() {
            // The last mark is the decimal one, and it stands once. Three digits after it
            // still group when all marks before are of the same effect (`1'250,000` is no rent).
            if marks.iter().filter(|m| **m == last.0).count() != 1 {
                return None;
            }
            true
        } else if points == 1 {
            last.1.len() != 3 || first.len() > 3 || first == "0"
        } else {
            false
        };
        let whole = &self.groups[..self.groups.len() - usize::from(decimal)];
        if !whole.iter().skip(1).all(|(_, digits)| digits.len() == 3)
            || (whole.len() > 1 && first.len() > 3)
        {
            return None;
        }
        let digits: String = whole.iter().map(|g| g.1).collect();
        let digits = digits.trim_start_matches('0');
        if digits.len() > MAX_DIGITS {
            return None;
        }
        let value: i64 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        let (cents, decimals) = if decimal { cents(last.1) } else { (0, 0) };
        Some((value * 100 + cents, decimals))
    }
}

fn cents(digits: &str) -> (i64, u8) {
    let two: String = digits.chars().chain("00".chars()).take(2).collect();
    let count = u8::try_from(digits.len()).unwrap_or(u8::MAX);
    (two.parse().expect("BUG: two digits are a number"), count)
}
