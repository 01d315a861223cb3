//! Where a script ends: `</script>`, unless it stands in `<!-- <script>`.

use memchr::memchr2;

use super::tag::is_blank;

#[derive(PartialEq)]
enum Within {
    Script,
    /// Behind `<!--`.
    Comment,
    /// Behind `<!-- <script>`.
    ScriptInComment,
}

/// The place of the end tag of a script whose text starts at `at`.
pub(super) fn end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut within = Within::Script;
    while let Some(i) = memchr2(b'<', b'-', bytes.get(at..)?) {
        at += i;
        let rest = &bytes[at..];
        match within {
            Within::Script if rest.starts_with(b"<!--") => {
                within = Within::Comment;
                // These two dashes may also end it: `<!-->`.
                at += 1;
            }
            Within::Script | Within::Comment if is_tag(bytes, at, b"</", b"script") => {
                return Some(at);
            }
            Within::Comment if is_tag(bytes, at, b"<", b"script") => {
                within = Within::ScriptInComment;
                at += "<script".len();
            }
            Within::ScriptInComment if is_tag(bytes, at, b"</", b"script") => {
                within = Within::Comment;
                at += "</script".len();
            }
            Within::Comment | Within::ScriptInComment if rest.starts_with(b"-->") => {
                within = Within::Script;
                at += 2;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether a tag of this name stands here, in either case, and its name ends.
pub(super) fn is_tag(bytes: &[u8], at: usize, mark: &[u8], name: &[u8]) -> bool {
    let rest = &bytes[at..];
    let end = mark.len() + name.len();
    rest.starts_with(mark)
        && rest.get(mark.len()..end).is_some_and(|n| n.eq_ignore_ascii_case(name))
        && rest.get(end).is_some_and(|b| is_blank(*b) || matches!(b, b'/' | b'>'))
}
