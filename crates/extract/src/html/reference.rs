//! Character references: `&amp;`, `&#8364;`, `&euro`.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use html5ever::tendril::StrTendril;

/// Nearly all that pages use; the whole table is slower.
const COMMON: [(&str, char); 5] =
    [("amp;", '&'), ("quot;", '"'), ("nbsp;", '\u{a0}'), ("lt;", '<'), ("gt;", '>')];

/// What a reference stands for.
pub(super) struct Reference {
    first: char,
    second: Option<char>,
    /// Bytes behind the `&`.
    pub(super) len: usize,
}

impl Reference {
    const fn one(first: char, len: usize) -> Self {
        Self { first, second: None, len }
    }

    pub(super) fn push_to(&self, mut out: StrTendril) -> StrTendril {
        out.push_char(self.first);
        if let Some(second) = self.second {
            out.push_char(second);
        }
        out
    }
}

/// Reads the reference whose `&` stands right before `text`; `None` if it is none.
pub(super) fn read(text: &str, in_attribute: bool) -> Option<Reference> {
    if let Some((name, c)) = COMMON.iter().find(|(name, _)| text.starts_with(name)) {
        return Some(Reference::one(*c, name.len()));
    }
    match text.strip_prefix('#') {
        Some(number) => numeric(number),
        None => named(text, in_attribute),
    }
}

fn numeric(text: &str) -> Option<Reference> {
    let (digits, base, before) = match text.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 2),
        None => (text, 10, 1),
    };
    let mut number = 0_u32;
    let mut len = 0;
    for digit in digits.chars().map_while(|c| c.to_digit(base)) {
        // Anything above the last character is as good as any other.
        number = number.saturating_mul(base).saturating_add(digit).min(0x11_0000);
        len += 1;
    }
    if len == 0 {
        return None;
    }
    let semicolon = usize::from(digits.as_bytes().get(len) == Some(&b';'));
    let character = match number {
        0 => '\u{fffd}',
        // Windows-1252, as browsers read it.
        0x80..=0x9f => {
            C1_REPLACEMENTS[number as usize - 0x80].or(char::from_u32(number)).unwrap_or('\u{fffd}')
        }
        _ => char::from_u32(number).unwrap_or('\u{fffd}'),
    };
    Some(Reference::one(character, before + len + semicolon))
}

/// The longest name that the text starts with.
fn named(text: &str, in_attribute: bool) -> Option<Reference> {
    let letters = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let longest = letters + usize::from(text.as_bytes().get(letters) == Some(&b';'));
    let mut best = None;
    // The table holds the beginnings of names too, so the walk ends early.
    for len in 1..=longest {
        match NAMED_ENTITIES.get(&text[..len]) {
            Some((0, _)) => {}
            Some(found) => best = Some((len, found)),
            None => break,
        }
    }
    let (len, &(first, second)) = best?;
    // `?a=1&copy=2` is no ©.
    if in_attribute
        && !text[..len].ends_with(';')
        && text.as_bytes().get(len).is_some_and(|b| *b == b'=' || b.is_ascii_alphanumeric())
    {
        return None;
    }
    let second = if second == 0 { None } else { char::from_u32(second) };
    Some(Reference { first: char::from_u32(first)?, second, len })
}
