//! The HTML part: simple tables, every colour inline, one style block for dark mode and narrow
//! screens. Programs that ignore the block show the light version. Nothing is fetched.
//!
//! What the readers take, each from their makers' word or the best public notes there are: Outlook
//! for Windows draws with Word's engine (tables, `width` as an attribute, no padding on `p`, `span`
//! and `a`; "Word 2007 HTML and CSS Rendering Capabilities in Outlook 2007" of Microsoft), Gmail
//! takes a list of properties and class selectors (developers.google.com/gmail/design/css) and cuts
//! at 102 KB, Apple Mail is WebKit and wants `color-scheme` said. A test holds the worst mail
//! against that list.

use std::fmt::Write as _;

use firstknock_listing::catalogue::{Language, say};

use super::view::{Badge, Card, Link, Tone, View};

const FONT: &str = "font-family:-apple-system,'Segoe UI',Inter,Helvetica,Arial,sans-serif;";

/// Colours and classes repeat the app's own tokens; `m-…` classes exist for dark mode only.
const STYLE: &str = "\
body{-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}\
a{text-decoration-thickness:1px;text-underline-offset:2px}\
@media (max-width:480px){.m-pad{padding:16px 16px 18px!important}.m-price{font-size:26px!important}}\
@media (prefers-color-scheme:dark){\
.m-bg{background:#111614!important}\
.m-card{background:#1a211e!important;border-color:#2a3430!important}\
.m-line{border-color:#2a3430!important}\
.m-1{color:#e9eeea!important}.m-2{color:#b9c4be!important}.m-3{color:#95a29b!important}\
.m-a{color:#8bcdb1!important}\
.m-lamp{border-color:#f0c25a!important;background:#f0c25a!important}\
.m-btn,.m-btn a{background:#3a7962!important}\
.m-new{background:#f0c25a!important;color:#2b2005!important}\
.m-ok{background:#1b2b24!important;color:#7cc7a3!important}\
.m-up{background:#33231c!important;color:#f0b08f!important}\
.m-you{background:#1b2633!important;color:#93bdf2!important}}";

/// For Apple Mail, and for Outlook in the browser, which marks dark mode with attributes. A block of
/// its own, since Gmail drops a whole block for one selector that it does not know.
const STYLE_OTHERS: &str = "\
:root{color-scheme:light dark;supported-color-schemes:light dark}\
[data-ogsc] .m-1{color:#e9eeea!important}[data-ogsc] .m-2{color:#b9c4be!important}\
[data-ogsc] .m-3{color:#95a29b!important}[data-ogsc] .m-a{color:#8bcdb1!important}\
[data-ogsb] .m-bg{background:#111614!important}[data-ogsb] .m-card{background:#1a211e!important}";

/// For Outlook on Windows: a width (it knows no `max-width`), and a font that it has, since it takes
/// Times for a list that begins with one that it has not.
const MSO_FONT: &str = "<!--[if mso]><style>td,p,a,span,b{font-family:Arial,sans-serif!important}\
</style><![endif]-->";
const MSO_BEGIN: &str = "<!--[if mso]><table role=\"presentation\" width=\"600\" align=\"center\" \
cellpadding=\"0\" cellspacing=\"0\" border=\"0\"><tr><td><![endif]-->";
const MSO_END: &str = "<!--[if mso]></td></tr></table><![endif]-->";

const TABLE: &str =
    "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"";

pub(super) struct Page<'a> {
    pub(super) subject: &'a str,
    pub(super) preheader: &'a str,
    pub(super) view: &'a View,
    pub(super) language: Language,
    /// Width and height of the embedded photo of the first listing.
    pub(super) photo: Option<(u32, u32)>,
}

/// Text that is safe between tags and inside a quoted attribute.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

pub(super) fn html(page: &Page<'_>) -> String {
    let (subject, lang) = (escape(page.subject), page.language.code());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"supported-color-schemes\" content=\"light dark\">\
         <meta name=\"format-detection\" content=\"telephone=no,date=no,address=no\">\
         <title>{subject}</title>\n<style>{STYLE}</style>\n<style>{STYLE_OTHERS}</style>\n{MSO_FONT}</head>\n\
         <body class=\"m-bg\" style=\"margin:0;padding:0;background:#f1f3ef;\">\
         {PREHEADER}{pre}{FILL}</div>\n\
         {TABLE}><tr><td align=\"center\" class=\"m-bg\" bgcolor=\"#f1f3ef\" \
         style=\"background:#f1f3ef;padding:24px 12px 32px;\">\
         {MSO_BEGIN}{TABLE} style=\"max-width:600px;\">\n",
        pre = escape(page.preheader),
        // Blanks after it keep programs from showing the first words of the mail there.
        FILL = "&#847;&zwnj;&nbsp;".repeat(40),
    );
    top(&mut out, page);
    body(&mut out, page);
    foot(&mut out, &page.view.foot);
    put(&mut out, &format!("</table>{MSO_END}</td></tr></table></body></html>\n"));
    out
}

const PREHEADER: &str = "<div style=\"display:none;max-height:0;overflow:hidden;mso-hide:all;\">";

fn top(out: &mut String, page: &Page<'_>) {
    let name = if page.view.searches.is_empty() { "Firstknock" } else { &page.view.searches };
    put(
        out,
        &format!(
            "<tr><td class=\"m-2\" style=\"padding:0 4px 12px;{FONT}font-size:14px;\
             line-height:1.4;color:#46524c;\"><span class=\"m-lamp\" style=\"display:inline-block;\
             width:9px;height:12px;background:#f3c553;border:1px solid #785400;border-radius:2px;\
             vertical-align:-1px;mso-hide:all;\"></span>&nbsp; {}</td></tr>\n",
            escape(name)
        ),
    );
}

fn body(out: &mut String, page: &Page<'_>) {
    let view = page.view;
    out.push_str(
        "<tr><td class=\"m-card\" bgcolor=\"#ffffff\" style=\"background:#ffffff;\
         border:1px solid #e0e4de;border-radius:12px;padding:0;\">",
    );
    put(out, &format!("{TABLE}>"));
    let alone = view.cards.len() == 1 && view.more.is_none();
    if view.heading.is_some() || !view.lead.is_empty() {
        let ends = view.cards.is_empty() && view.more.is_none();
        intro(out, view, ends);
    }
    for (at, card) in view.cards.iter().enumerate() {
        let last = at + 1 == view.cards.len() && view.more.is_none();
        let photo = page.photo.filter(|_| at == 0);
        if alone {
            large(out, card, photo, page.language);
        } else {
            small(out, card, photo, last, page.language);
        }
    }
    if let Some((before, links)) = &view.more {
        rest(out, before, links);
    }
    out.push_str("</table></td></tr>\n");
}

fn intro(out: &mut String, view: &View, ends: bool) {
    let line = if ends { "" } else { "border-bottom:1px solid #e0e4de;" };
    put(out, &format!("<tr><td class=\"m-pad m-line\" style=\"padding:18px 20px 18px;{line}\">"));
    if let Some(heading) = &view.heading {
        paragraph(
            out,
            "m-1",
            "0 0 10px",
            22,
            "line-height:1.25;font-weight:700;letter-spacing:-.01em;color:#17201c;",
            heading,
        );
    }
    for (at, text) in view.lead.iter().enumerate() {
        let margin = if at + 1 == view.lead.len() { "0" } else { "0 0 10px" };
        paragraph(out, "m-2", margin, 15, "line-height:1.5;color:#46524c;", text);
    }
    if let Some(link) = &view.button {
        button(out, link);
    }
    out.push_str("</td></tr>\n");
}

/// The only listing of a mail: big price, a button.
fn large(out: &mut String, card: &Card, photo: Option<(u32, u32)>, language: Language) {
    if let Some((width, height)) = photo {
        let height = 598 * height.max(1) / width.max(1);
        put(
            out,
            &format!(
                "<tr><td style=\"padding:0;\"><img src=\"cid:photo\" width=\"598\" \
                 height=\"{height}\" alt=\"{}\" \
                 style=\"display:block;width:100%;height:auto;border-radius:11px 11px 0 0;\">\
                 </td></tr>\n",
                escape(&say(language, "mail_photo", &[]))
            ),
        );
    }
    out.push_str("<tr><td class=\"m-pad\" style=\"padding:20px 20px 22px;\">");
    put(
        out,
        &format!(
            "<p class=\"m-1 m-price\" style=\"margin:0 0 4px;{FONT}font-size:30px;\
             line-height:1.2;font-weight:700;letter-spacing:-.015em;color:#17201c;\">{} {}</p>",
            escape(&card.price),
            badge(&card.badge, "vertical-align:5px;"),
        ),
    );
    if !card.facts.is_empty() {
        facts(out, card, "0 0 14px", 15);
    }
    if let Some(title) = &card.title {
        paragraph(
            out,
            "m-1",
            "0 0 2px",
            17,
            "line-height:1.35;font-weight:600;color:#17201c;",
            title,
        );
    }
    if let Some(place) = &card.place {
        paragraph(out, "m-2", "0", 15, "line-height:1.45;color:#46524c;", place);
    }
    history(out, &card.history);
    notes(out, &card.notes);
    if let Some(link) = &card.link {
        button(out, link);
    }
    out.push_str("</td></tr>\n");
}

/// One of several: the title is the link.
fn small(out: &mut String, card: &Card, photo: Option<(u32, u32)>, last: bool, language: Language) {
    let line = if last { "" } else { "border-bottom:1px solid #e0e4de;" };
    put(out, &format!("<tr><td class=\"m-line\" style=\"padding:16px 20px;{line}\">"));
    if let Some((width, height)) = photo {
        let height = 96 * height.max(1) / width.max(1);
        put(
            out,
            &format!(
                "{TABLE}><tr><td width=\"96\" valign=\"top\" style=\"padding-right:14px;\">\
                 <img src=\"cid:photo\" width=\"96\" height=\"{height}\" alt=\"{}\" \
                 style=\"display:block;border-radius:8px;\"></td><td valign=\"top\">",
                escape(&say(language, "mail_photo", &[]))
            ),
        );
    }
    put(
        out,
        &format!(
            "<p class=\"m-1\" style=\"margin:0;{FONT}font-size:19px;line-height:1.3;\
             font-weight:700;letter-spacing:-.01em;color:#17201c;\">{} {}</p>",
            escape(&card.price),
            badge(&card.badge, "vertical-align:2px;"),
        ),
    );
    if !card.facts.is_empty() {
        facts(out, card, "2px 0 6px", 14);
    }
    let words = card.title.as_ref().or(card.place.as_ref());
    match (&card.link, words) {
        (Some(link), _) => put(
            out,
            &format!(
                "<p style=\"margin:0;{FONT}font-size:15px;line-height:1.35;font-weight:600;\">\
                 <a class=\"m-a\" href=\"{}\" style=\"color:#1d5a46;text-decoration:underline;\">\
                 {}</a></p>",
                escape(&link.url),
                escape(words.unwrap_or(&link.text)),
            ),
        ),
        (None, Some(words)) => {
            paragraph(
                out,
                "m-1",
                "0",
                15,
                "line-height:1.35;font-weight:600;color:#17201c;",
                words,
            );
        }
        (None, None) => {}
    }
    if let (Some(place), Some(_)) = (&card.place, &card.title) {
        paragraph(out, "m-2", "2px 0 0", 14, "line-height:1.45;color:#46524c;", place);
    }
    history(out, &card.history);
    notes(out, &card.notes);
    if photo.is_some() {
        out.push_str("</td></tr></table>");
    }
    out.push_str("</td></tr>\n");
}

fn rest(out: &mut String, before: &str, links: &[Link]) {
    out.push_str("<tr><td style=\"padding:16px 20px 18px;\">");
    paragraph(out, "m-2", "0 0 6px", 14, "line-height:1.5;color:#46524c;", before);
    put(out, &format!("<p style=\"margin:0;{FONT}font-size:14px;line-height:1.75;\">"));
    for link in links {
        put(
            out,
            &format!(
                "<a class=\"m-a\" href=\"{}\" style=\"color:#1d5a46;\">{}</a><br>\n",
                escape(&link.url),
                escape(&link.text)
            ),
        );
    }
    out.push_str("</p></td></tr>\n");
}

fn facts(out: &mut String, card: &Card, margin: &str, size: u8) {
    let facts: Vec<String> = card.facts.iter().map(|fact| escape(fact)).collect();
    put(
        out,
        &format!(
            "<p class=\"m-2\" style=\"margin:{margin};{FONT}font-size:{size}px;line-height:1.45;\
             color:#46524c;\">{}</p>",
            facts.join(" &nbsp;&middot;&nbsp; ")
        ),
    );
}

fn history(out: &mut String, lines: &[String]) {
    let Some((now, past)) = lines.split_last() else { return };
    let past: String = past.iter().map(|line| format!("{}<br>", escape(line))).collect();
    put(
        out,
        &format!(
            "<p class=\"m-2\" style=\"margin:14px 0 0;{FONT}font-size:14px;line-height:1.6;\
             color:#46524c;\">{past}<b class=\"m-1\" style=\"color:#17201c;\">{}</b></p>",
            escape(now)
        ),
    );
}

fn notes(out: &mut String, notes: &[String]) {
    if !notes.is_empty() {
        let style = "line-height:1.5;color:#5e6a64;";
        paragraph(out, "m-3", "8px 0 0", 13, style, &notes.join(" · "));
    }
}

fn badge(badge: &Badge, align: &str) -> String {
    let (class, sign, colours) = match badge.tone {
        Tone::New => ("m-new", "", "background:#f3c553;color:#38290a;"),
        Tone::Cheaper => ("m-ok", "&#8595; ", "background:#e6f2ec;color:#1a6b4d;"),
        Tone::Dearer => ("m-up", "&#8593; ", "background:#f8ebe3;color:#8a3f1c;"),
        Tone::Back => ("m-you", "&#8635; ", "background:#e9f0f9;color:#1c4f8f;"),
    };
    format!(
        "<span class=\"{class}\" style=\"display:inline-block;padding:2px 8px;border-radius:4px;\
         {colours}font-size:13px;line-height:1.4;font-weight:600;letter-spacing:0;{align}\">\
         {sign}{}</span>",
        escape(&badge.text)
    )
}

fn button(out: &mut String, link: &Link) {
    put(
        out,
        &format!(
            "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" \
             style=\"border-collapse:separate;margin-top:18px;\"><tr><td class=\"m-btn\" \
             bgcolor=\"#1f5140\" style=\"border-radius:8px;background:#1f5140;\
             mso-padding-alt:12px 22px;\"><a href=\"{}\" style=\"display:inline-block;\
             padding:12px 22px;{FONT}font-size:15px;line-height:1.3;font-weight:600;color:#ffffff;\
             text-decoration:none;border-radius:8px;\">{}</a></td></tr></table>",
            escape(&link.url),
            escape(&link.text)
        ),
    );
}

fn foot(out: &mut String, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
    put(
        out,
        &format!(
            "<tr><td class=\"m-3\" style=\"padding:14px 4px 0;{FONT}font-size:13px;\
             line-height:1.55;color:#5e6a64;\">{}</td></tr>\n",
            lines.join("<br>")
        ),
    );
}

fn paragraph(out: &mut String, class: &str, margin: &str, size: u8, style: &str, text: &str) {
    put(
        out,
        &format!(
            "<p class=\"{class}\" style=\"margin:{margin};{FONT}font-size:{size}px;{style}\">{}</p>",
            escape(text)
        ),
    );
}

fn put(out: &mut String, text: &str) {
    out.write_str(text).expect("BUG: writing to a String cannot fail");
}
