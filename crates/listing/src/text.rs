//! One-line text from strangers: safe to show, to store and to put into a mail header.

/// Drops control and bidirectional-override characters, folds white space to single blanks.
///
/// ```
/// assert_eq!(firstknock_listing::clean_line("a\r\nBcc: x\u{202e}\t b"), "a Bcc: x b");
/// ```
pub fn clean_line(text: &str) -> String {
    if is_clean(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = !out.is_empty();
        } else if !c.is_control() && !is_invisible(c) {
            if gap {
                out.push(' ');
                gap = false;
            }
            out.push(c);
        }
    }
    out
}

/// [`clean_line`] of a text that is ours already.
pub(crate) fn cleaned(text: String) -> String {
    if is_clean(&text) { text } else { clean_line(&text) }
}

/// Nothing to drop and nothing to fold, seen in one pass over the bytes: printable ASCII and letters
/// of two bytes, single blanks, none at the ends.
fn is_clean(text: &str) -> bool {
    let mut before = b' ';
    let clean = text.bytes().all(|b| {
        // U+0080 to U+00BF begin with C2, U+0600 to U+063F with D8: controls, blanks and marks are
        // among them.
        let plain = matches!(b, 0x21..=0x7e | 0x80..=0xbf | 0xc3..=0xd7 | 0xd9..=0xdf);
        let fine = plain || (b == b' ' && before != b' ');
        before = b;
        fine
    });
    text.is_empty() || (clean && before != b' ')
}

/// At most `max` characters, with an ellipsis where something was cut.
pub fn truncate_chars(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => {
            let keep: String = text.chars().take(max.saturating_sub(1)).collect();
            format!("{}…", keep.trim_end())
        }
    }
}

const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use super::{clean_line, is_clean};

    /// Without the short way: a leading sign that is dropped makes it walk every character.
    fn walked(text: &str) -> String {
        clean_line(&format!("\u{200b}{text}"))
    }

    #[test]
    fn a_text_that_is_taken_as_clean_is_one() {
        for c in '\0'..='\u{3000}' {
            for text in [format!("a{c}b"), format!("{c}b"), format!("a{c}"), format!("a {c} b")] {
                assert_eq!(clean_line(&text), walked(&text), "{text:?}");
            }
        }
    }

    #[test]
    fn plain_texts_take_the_short_way() {
        for text in ["", "2 kamers, 64 m2", "Schöne Wohnung in Köln", "Łódź Śródmieście"] {
            assert!(is_clean(text), "{text:?}");
        }
    }
}
