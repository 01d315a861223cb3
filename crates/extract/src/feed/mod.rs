//! RSS, Atom and JSON Feed: an answer that is a feed is a list whose cards are its items.
//!
//! **Promises**: the items are written as plain cards, so that everything that reads cards reads
//! feeds: values, keys, memory. Nothing of an item's markup is taken over but its texts and its
//! first photo. **Leaves out**: whether the items are homes, which the miner tells as on any page.

mod item;
mod xml;

use std::fmt::Write;

use item::Item;
use serde_json::Value;
use xml::Event;

/// Items that are read.
const MOST_ITEMS: usize = 2_000;
/// Bytes that are read.
const MOST_BYTES: usize = 16 << 20;
/// How far the root element may be from the start.
const HEAD: usize = 2_000;

/// The feed as a page of cards; `None` if the answer is no feed.
pub(crate) fn as_page(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    is_feed(text).then(|| page(&text[..text.floor_char_boundary(MOST_BYTES)]))
}

/// A JSON Feed as a page of cards; `None` if the answer is none.
pub(crate) fn of_json(value: &Value) -> Option<String> {
    let version = value.get("version")?.as_str()?;
    let items = value.get("items")?.as_array().filter(|_| version.contains("jsonfeed.org"))?;
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let items = items.iter().take(MOST_ITEMS).filter_map(|item| Item::of_json(item.as_object()?));
    let feed = Feed {
        title: text("title"),
        language: text("language"),
        items: items.collect(),
        ..Feed::default()
    };
    Some(feed.into_page())
}

/// Whether the first element is `<rss>`, `<feed>` or `<rdf:RDF>`.
fn is_feed(text: &str) -> bool {
    if !text.starts_with('<') {
        return false;
    }
    let head = &text[..text.floor_char_boundary(HEAD)];
    let root = xml::Events::new(head).find_map(|event| match event {
        Event::Start { name, .. } => Some(name),
        _ => None,
    });
    root.is_some_and(|name| ["rss", "feed", "rdf"].contains(&name.to_ascii_lowercase().as_str()))
}

fn page(text: &str) -> String {
    let mut feed = Feed::default();
    for event in xml::Events::new(text) {
        feed.take(event);
        if feed.items.len() >= MOST_ITEMS {
            break;
        }
    }
    feed.into_page()
}

/// A feed as far as it is read.
#[derive(Default)]
struct Feed<'a> {
    title: String,
    language: String,
    items: Vec<Item>,
    open: Option<Item>,
    /// The elements that are open inside the item, or inside the channel.
    path: Vec<&'a str>,
}

impl<'a> Feed<'a> {
    fn take(&mut self, event: Event<'a>) {
        match event {
            Event::Start { name, attributes, empty } => {
                let starts = matches!(name, "item" | "entry") && self.open.is_none();
                if starts {
                    self.open = Some(Item::default());
                    self.path.clear();
                    return;
                }
                match &mut self.open {
                    Some(item) => item.element(name, &attributes),
                    None if self.language.is_empty() => {
                        let language = attributes.into_iter().find(|(key, _)| *key == "lang");
                        self.language = language.map(|(_, value)| value).unwrap_or_default();
                    }
                    None => {}
                }
                if !empty {
                    self.path.push(name);
                }
            }
            Event::Text(text) => match (&mut self.open, self.path.last()) {
                (Some(item), Some(name)) => item.text(&self.path, name, &text),
                (None, Some(&"title")) if self.title.is_empty() => self.title = text,
                (None, Some(&"language")) if self.language.is_empty() => self.language = text,
                _ => {}
            },
            Event::End { name } => {
                if matches!(name, "item" | "entry") && self.open.is_some() {
                    self.items.extend(self.open.take());
                    self.path.clear();
                } else if let Some(at) = self.path.iter().rposition(|open| *open == name) {
                    self.path.truncate(at);
                }
            }
        }
    }

    fn into_page(self) -> String {
        let mut page = String::new();
        let language = escaped(self.language.trim());
        let title = escaped(self.title.trim());
        put(&mut page, format_args!("<html lang=\"{language}\"><title>{title}</title><main>"));
        if self.items.is_empty() {
            page.push_str("<p>0 results</p>");
        }
        for item in &self.items {
            item.write(&mut page);
        }
        page.push_str("</main></html>");
        page
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("BUG: a string takes all text");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_feed_is_a_feed() {
        let feeds = [
            "<?xml version='1.0'?><!-- x --><rss version=\"2.0\"><channel></channel></rss>",
            "\u{feff}\n<feed xmlns=\"http://www.w3.org/2005/Atom\"></feed>",
            "<rdf:RDF xmlns:rdf=\"x\"><item></item></rdf:RDF>",
        ];
        for text in feeds {
            assert!(as_page(text).is_some(), "{text}");
        }
        let others = ["<!doctype html><html><rss>", "<svg></svg>", "{\"rss\":1}", "<", "", "rss"];
        for text in others {
            assert!(as_page(text).is_none(), "{text}");
        }
    }

    #[test]
    fn an_item_is_a_card_of_texts_and_no_markup_of_its_own() {
        let text = "<rss><channel><title>A &amp; B</title><item><title>x</title>\
            <link>https://a.example/1</link><guid isPermaLink='false'>flat-77</guid>\
            <description><![CDATA[<b>One</b></article><script>alert(1)</script>two \
            <img src=\"/p.jpg\">]]></description></item></channel></rss>";
        let page = as_page(text).expect("a feed");
        let want = "<html lang=\"\"><title>A &amp; B</title><main>\
            <article data-guid=\"flat-77\"><h2><a href=\"https://a.example/1\">x</a></h2>\
            <p>One</p><p>two</p><img src=\"/p.jpg\"></article></main></html>";
        assert_eq!(page, want);
    }
}
