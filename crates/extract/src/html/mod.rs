//! The parser's tree, from tokens of our own.
//!
//! **Promises**: the tree that `scraper::Html::parse_document` gives, node by node; a test compares
//! them. The tree is built by `html5ever`'s tree builder as ever; only the tokens are cut here: by
//! searching for the few bytes that mean something, and as slices of one shared copy of the source
//! instead of copies of each character. **Leaves out**: parse errors, and input in pieces.

mod markup;
mod names;
mod reference;
mod script;
mod tag;
#[cfg(test)]
mod tests;
mod tokens;

use std::borrow::Cow;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::TokenSink;
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use scraper::{Html, HtmlTreeSink};

use tokens::Tokens;

/// Reads a whole document of at most 4 GiB.
pub(crate) fn parse_document(source: &str) -> Html {
    let sink = HtmlTreeSink::new(Html::new_document());
    let builder = TreeBuilder::new(sink, TreeBuilderOpts::default());
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    Tokens::new(&with_plain_newlines(source), &builder).run();
    builder.end();
    builder.sink.finish()
}

/// `\r\n` and `\r` are `\n` in HTML.
fn with_plain_newlines(source: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', source.as_bytes()).is_none() {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, after)) = rest.split_once('\r') {
        out.push_str(before);
        out.push('\n');
        rest = after.strip_prefix('\n').unwrap_or(after);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// A text with its character references read.
pub(crate) fn decoded(text: &str) -> String {
    let mut out = StrTendril::with_capacity(u32::try_from(text.len()).unwrap_or(0));
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_slice(before);
        match reference::read(after, false) {
            Some(found) => {
                rest = &after[found.len..];
                out = found.push_to(out);
            }
            None => {
                out.push_char('&');
                rest = after;
            }
        }
    }
    out.push_slice(rest);
    out.into()
}
