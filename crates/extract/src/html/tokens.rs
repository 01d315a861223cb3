//! Text, and what ends it. The states are those of the HTML standard, section 13.2.5.

use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult};
use memchr::{memchr, memchr2, memchr3};

use super::names::Names;
use super::{reference, script};

/// How the text that comes next is read.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    /// Markup and references count.
    Data,
    /// Up to the end tag of the element that was opened last.
    Raw(RawKind),
    /// Up to the end.
    Plain,
}

/// The tokens of one document.
pub(super) struct Tokens<'s, S: TokenSink> {
    pub(super) sink: &'s S,
    pub(super) text: &'s str,
    pub(super) bytes: &'s [u8],
    /// The same text; slices of it share its buffer.
    shared: StrTendril,
    pub(super) at: usize,
    /// Of the start tag that came last.
    pub(super) last_start: Option<LocalName>,
    pub(super) names: Names<'s>,
}

impl<'s, S: TokenSink> Tokens<'s, S> {
    pub(super) fn new(text: &'s str, sink: &'s S) -> Self {
        Self {
            sink,
            text,
            bytes: text.as_bytes(),
            shared: StrTendril::from_slice(text),
            at: 0,
            last_start: None,
            names: Names::new(),
        }
    }

    pub(super) fn run(mut self) {
        let mut mode = Mode::Data;
        while self.at < self.bytes.len() {
            mode = match mode {
                Mode::Data => self.data(),
                Mode::Raw(RawKind::Rcdata) => self.raw(true),
                Mode::Raw(RawKind::Rawtext) => self.raw(false),
                Mode::Raw(RawKind::ScriptData | RawKind::ScriptDataEscaped(_)) => {
                    let end = script::end(self.bytes, self.at);
                    self.raw_until(end, false)
                }
                Mode::Plain => self.raw_until(None, false),
            };
        }
        self.send(Token::EOFToken);
    }

    /// Text up to the next markup, and that markup.
    fn data(&mut self) -> Mode {
        let from = self.at;
        let Some(i) = memchr3(b'<', b'&', 0, &self.bytes[from..]) else {
            self.at = self.bytes.len();
            self.send_text(from, self.at);
            return Mode::Data;
        };
        self.at = from + i;
        self.send_text(from, self.at);
        match self.bytes[self.at] {
            b'<' => self.markup(),
            b'&' => {
                self.at = self.send_reference(self.at, self.bytes.len());
                Mode::Data
            }
            _ => {
                self.at += 1;
                self.send(Token::NullCharacterToken);
                Mode::Data
            }
        }
    }

    /// What starts with `<`.
    fn markup(&mut self) -> Mode {
        let open = self.at;
        match self.bytes.get(open + 1) {
            Some(b'!') => self.declaration(),
            Some(b'?') => self.bogus_comment(open + 1),
            Some(b'/') => match self.bytes.get(open + 2) {
                Some(b) if b.is_ascii_alphabetic() => return self.tag(open + 2, true),
                Some(b'>') => self.at = open + 3,
                Some(_) => self.bogus_comment(open + 2),
                None => {
                    self.at = open + 2;
                    self.send_text(open, open + 2);
                }
            },
            Some(b) if b.is_ascii_alphabetic() => return self.tag(open + 1, false),
            _ => {
                self.at = open + 1;
                self.send_text(open, open + 1);
            }
        }
        Mode::Data
    }

    /// The inside of `<title>`, `<style>` and the like, up to their end tag.
    fn raw(&mut self, references: bool) -> Mode {
        let mut end = None;
        let mut at = self.at;
        while let Some(i) = memchr(b'<', &self.bytes[at..]) {
            at += i;
            if self.closes_last(at) {
                end = Some(at);
                break;
            }
            at += 1;
        }
        self.raw_until(end, references)
    }

    /// Whether `</name` of the element that was opened last stands here.
    fn closes_last(&self, at: usize) -> bool {
        let name = self.last_start.as_ref().map_or("", |name| name);
        script::is_tag(self.bytes, at, b"</", name.as_bytes())
    }

    fn raw_until(&mut self, end: Option<usize>, references: bool) -> Mode {
        let until = end.unwrap_or(self.bytes.len());
        let mut from = self.at;
        while from < until {
            let rest = &self.bytes[from..until];
            let next = if references { memchr2(b'&', 0, rest) } else { memchr(0, rest) };
            let at = next.map_or(until, |i| from + i);
            self.send_text(from, at);
            from = at;
            match self.bytes[..until].get(at) {
                None => {}
                Some(b'&') => from = self.send_reference(at, until),
                Some(_) => {
                    self.send(Token::CharacterTokens(StrTendril::from_char('\u{fffd}')));
                    from = at + 1;
                }
            }
        }
        self.at = until;
        match end {
            Some(end) => self.tag(end + 2, true),
            None => Mode::Data,
        }
    }

    /// Sends what the `&` at `at` stands for; returns where to go on.
    fn send_reference(&mut self, at: usize, until: usize) -> usize {
        match reference::read(&self.text[at + 1..until], false) {
            Some(found) => {
                let text = found.push_to(StrTendril::new());
                self.send(Token::CharacterTokens(text));
                at + 1 + found.len
            }
            None => {
                self.send_text(at, at + 1);
                at + 1
            }
        }
    }

    fn send_text(&self, from: usize, to: usize) {
        if from < to {
            self.send(Token::CharacterTokens(self.slice(from, to)));
        }
    }

    /// A piece of the source, not copied.
    pub(super) fn slice(&self, from: usize, to: usize) -> StrTendril {
        let offset = u32::try_from(from).expect("BUG: a page is far below 4 GiB");
        let len = u32::try_from(to - from).expect("BUG: a page is far below 4 GiB");
        self.shared.subtendril(offset, len)
    }

    pub(super) fn send(&self, token: Token) -> Mode {
        // Line numbers are only for errors, which nobody reads.
        match self.sink.process_token(token, 1) {
            TokenSinkResult::Plaintext => Mode::Plain,
            TokenSinkResult::RawData(kind) => Mode::Raw(kind),
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => Mode::Data,
        }
    }
}
