//! One pass over a page: what a marker may look at.
//!
//! Promises bounded windows: title, visible text without scripts and with entities unescaped,
//! tags without scripts and `data:` URIs, and the raw source. Leaves out the DOM: a wall is known
//! by its words and its ids, and a page that is broken must not cost more than one that is whole.

mod entities;

use entities::push_unescaped;

/// Raw source looked at, in bytes. Walls are small; the largest seen is 250 KB of inlined pictures.
const SOURCE_WINDOW: usize = 512 * 1024;
/// Visible text kept, in bytes (walls.md 2.2: 15 to 30 KB).
const TEXT_WINDOW: usize = 30 * 1024;
/// Tags kept, in bytes.
const MARKUP_WINDOW: usize = 96 * 1024;
/// A page with more visible text than this is no wall's, in characters.
const SMALL_TEXT: usize = 2_000;
/// A page with more tags than this is no wall's, in bytes.
const SMALL_MARKUP: usize = 80 * 1024;

/// What a page shows, lower-cased and bounded.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// Text of the first `<title>`, `…` as `...`.
    pub(super) title: String,
    /// Visible text, blanks collapsed.
    pub(super) text: String,
    /// Tags without the bodies of scripts and styles and without `data:` URIs.
    pub(super) markup: String,
    /// The raw page, ASCII lower-cased.
    pub(super) source: String,
    /// Visible characters, counted until it is clear that the page is not small.
    text_chars: usize,
    /// Bytes of tags, counted likewise.
    markup_bytes: usize,
}

impl Look {
    pub(super) fn at(body: &str) -> Self {
        let mut look = Self { source: window(body).to_ascii_lowercase(), ..Self::default() };
        if is_json(body) {
            look.text_chars = body.len();
            look.text = fold(window(body).get(..4096).unwrap_or(body));
            return look;
        }
        let mut reader = Reader { text: String::new(), title: None, blank: true, look: &mut look };
        reader.read(body);
        let (text, title) = (reader.text, reader.title);
        look.text = fold(text.trim());
        look.title = fold(title.unwrap_or_default().trim());
        look.source = look.source.trim().to_owned();
        look
    }

    /// Little enough on it that it may be a wall.
    pub(super) const fn is_small(&self) -> bool {
        self.text_chars <= SMALL_TEXT && self.markup_bytes <= SMALL_MARKUP
    }
}

struct Reader<'a> {
    text: String,
    title: Option<String>,
    /// The text ends in a blank, so that the next one is dropped.
    blank: bool,
    look: &'a mut Look,
}

impl Reader<'_> {
    fn read(&mut self, body: &str) {
        let mut rest = body;
        while let Some(at) = rest.find('<') {
            let past = body.len() - rest.len() > SOURCE_WINDOW;
            if !self.look.is_small() && (past || self.is_full()) {
                return;
            }
            self.words(&rest[..at]);
            rest = &rest[at..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
                continue;
            }
            let name = tag_name(rest);
            if name.is_empty() {
                self.words("<");
                rest = &rest[1..];
                continue;
            }
            let end = tag_end(rest);
            self.tag(&rest[..end]);
            rest = &rest[end..];
            self.break_words();
            if is_raw(&name) {
                let close = find_close(rest, &name);
                if name == "title" && self.title.is_none() {
                    let mut title = String::new();
                    push_unescaped(&mut title, &rest[..close]);
                    self.title = Some(collapse(&title));
                }
                rest = &rest[close..];
            }
        }
        self.words(rest);
    }

    /// No window takes more.
    fn is_full(&self) -> bool {
        self.text.len() >= TEXT_WINDOW && self.look.markup_bytes >= MARKUP_WINDOW
    }

    fn words(&mut self, raw: &str) {
        if raw.is_empty() {
            return;
        }
        let mut unescaped = String::new();
        push_unescaped(&mut unescaped, raw);
        for c in unescaped.chars() {
            let blank = c.is_whitespace() || c == '\u{200b}' || c == '\u{feff}';
            if blank && self.blank {
                continue;
            }
            self.blank = blank;
            self.look.text_chars += 1;
            if self.text.len() < TEXT_WINDOW {
                self.text.push(if blank { ' ' } else { c });
            }
        }
    }

    fn break_words(&mut self) {
        if !self.blank && self.text.len() < TEXT_WINDOW {
            self.text.push(' ');
        }
        self.blank = true;
    }

    fn tag(&mut self, tag: &str) {
        let mut rest = tag;
        while let Some(at) = find_ignoring_case(rest, "data:") {
            // `data:` begins a value only after a quote, a bracket or an equals sign.
            let value = rest[..at].ends_with(['"', '\'', '(', '=']);
            let keep = if value { at } else { at + 5 };
            self.push_markup(&rest[..keep]);
            rest = &rest[keep..];
            if value {
                let end = rest.find(['"', '\'', ')', '>']).unwrap_or(rest.len());
                rest = &rest[end..];
            }
        }
        self.push_markup(rest);
    }

    fn push_markup(&mut self, part: &str) {
        self.look.markup_bytes += part.len();
        if self.look.markup.len() + part.len() <= MARKUP_WINDOW {
            self.look.markup.push_str(&part.to_ascii_lowercase());
        }
    }
}

/// Lower case, with the typist's dots, quotes and blanks made plain.
fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '…' => out.push_str("..."),
            '’' | '‘' | '´' => out.push('\''),
            '“' | '”' => out.push('"'),
            c if c.is_whitespace() => out.push(' '),
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn window(body: &str) -> &str {
    let mut end = body.len().min(SOURCE_WINDOW);
    while !body.is_char_boundary(end) {
        end -= 1;
    }
    &body[..end]
}

fn is_json(body: &str) -> bool {
    body.trim_start().starts_with(['{', '['])
}

/// The lower-cased name of the tag at the start, `/` and `!` included; empty for a lone `<`.
fn tag_name(rest: &str) -> String {
    let after = &rest[1..];
    let (slash, after) = match after.strip_prefix(['/', '!', '?']) {
        Some(tail) => (true, tail),
        None => (false, after),
    };
    let name: String = after
        .chars()
        .take(24)
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    match (starts, slash) {
        (true, false) => name,
        (true, true) => format!("/{name}"),
        (false, _) => String::new(),
    }
}

/// Elements whose content is no markup, or not for eyes.
fn is_raw(name: &str) -> bool {
    matches!(name, "script" | "style" | "title" | "template")
}

/// Where a tag ends; a `>` inside quotes does not count, but a quote that never closes must not
/// swallow the page.
fn tag_end(rest: &str) -> usize {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            (None, b'>') => return at + 1,
            _ => {}
        }
    }
    rest.find('>').map_or(rest.len(), |at| at + 1)
}

fn find_close(rest: &str, name: &str) -> usize {
    let close = format!("</{name}");
    find_ignoring_case(rest, &close).unwrap_or(rest.len())
}

fn find_ignoring_case(hay: &str, needle: &str) -> Option<usize> {
    let (hay, needle) = (hay.as_bytes(), needle.as_bytes());
    let first = needle[0];
    let mut from = 0;
    while let Some(at) = hay[from..].iter().position(|b| b.eq_ignore_ascii_case(&first)) {
        let at = from + at;
        if hay.len() - at >= needle.len() && hay[at..at + needle.len()].eq_ignore_ascii_case(needle)
        {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_styles_comments_and_inlined_pictures_are_no_text_and_no_markup() {
        let look = Look::at(
            "<title>Just&nbsp;a\n moment…</title><style>.ray_id{}</style><!-- access denied -->\
             <script>if (a<b) { 'captcha' }</script><img src=\"data:image/png;base64,AAAA\" \
             id='A'><p>Hello&#44; &amp; World</p>",
        );
        assert_eq!(look.title, "just a moment...");
        assert_eq!(look.text, "hello, & world");
        assert!(look.markup.contains("<img src=\"\" id='a'>"), "{}", look.markup);
        assert!(!look.markup.contains("captcha"));
        assert!(look.source.contains("captcha"));
    }

    #[test]
    fn a_quote_or_script_that_never_closes_swallows_nothing_but_the_rest() {
        assert_eq!(Look::at("<p title=\"x>one</p> two").text, "one two");
        assert_eq!(Look::at("one <script>two").text, "one");
        assert_eq!(Look::at("a < b <").text, "a < b <");
        assert_eq!(Look::at("").text, "");
    }

    #[test]
    fn a_page_is_small_by_what_it_shows_not_by_its_bytes() {
        let inlined = format!("<img src=\"data:image/png;base64,{}\">", "A".repeat(900_000));
        assert!(Look::at(&inlined).is_small());
        assert!(!Look::at(&"word ".repeat(1000)).is_small());
        assert!(!Look::at(&"<i class=\"xxxxxxxxxxxxxx\"></i>".repeat(4000)).is_small());
    }
}
