//! The text part: complete, and first, since watches, screen readers and previews show it.

use firstknock_listing::catalogue::{Language, say};

use super::view::{Card, View};

pub(super) fn text(view: &View, language: Language) -> String {
    let mut out = String::new();
    if let Some(heading) = &view.heading {
        push(&mut out, heading);
        out.push('\n');
    }
    for paragraph in &view.lead {
        push(&mut out, paragraph);
        out.push('\n');
    }
    if let Some(button) = &view.button {
        push(&mut out, &button.url);
        out.push('\n');
    }
    for card in &view.cards {
        one(&mut out, card);
        out.push('\n');
    }
    if let Some((before, links)) = &view.more {
        push(&mut out, before);
        for link in links {
            push(&mut out, &format!("- {}", link.text));
            push(&mut out, &format!("  {}", link.url));
        }
        out.push('\n');
    }
    if !view.searches.is_empty() {
        let found = say(language, "mail_found_in", &[("search", &view.searches)]);
        push(&mut out, if view.cards.is_empty() { &view.searches } else { &found });
    }
    if let Some((footnote, seen)) = view.foot.split_last() {
        for line in seen {
            push(&mut out, line);
        }
        out.push_str("\n-- \n");
        push(&mut out, footnote);
    }
    out
}

fn one(out: &mut String, card: &Card) {
    let mut first = format!("{} ({})", card.price, card.badge.text);
    for fact in &card.facts {
        first.push_str(" · ");
        first.push_str(fact);
    }
    push(out, &first);
    for line in card.title.iter().chain(&card.place).chain(&card.history).chain(&card.notes) {
        push(out, line);
    }
    if let Some(link) = &card.link {
        push(out, &link.url);
    }
}

/// A paragraph, folded at 76 characters; an address is never broken.
fn push(out: &mut String, paragraph: &str) {
    let mut width = 0;
    for word in paragraph.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 76 {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out.push('\n');
}
