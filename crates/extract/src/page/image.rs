//! Photos: which attribute of which element holds one.

use scraper::node::Element;

use super::tag::Tag;

/// Lazy loaders keep the address in an attribute of their own; `src` comes late, since it may be a
/// placeholder.
const OF_IMG: [&str; 14] = [
    "data-src",
    "data-lazy-src",
    "data-lazy",
    "data-original",
    "data-imgsrc",
    "data-image",
    "data-srcset",
    "data-lazy-srcset",
    "data-url",
    "data-bg",
    "data-background-image",
    "data-img",
    "src",
    "srcset",
];
const OF_SOURCE: [&str; 3] = ["data-srcset", "data-lazy-srcset", "srcset"];

/// The address of the photo that an element shows, as written.
pub(crate) fn of_element(element: &Element, tag: Tag) -> Option<&str> {
    let ranks: &[&str] = match tag {
        Tag::Img => &OF_IMG,
        Tag::Source => &OF_SOURCE,
        _ => return background(element).filter(|v| is_photo(v)),
    };
    let mut best: Option<(usize, &str)> = None;
    for (key, value) in &element.attrs {
        let name = &*key.local;
        // Each lazy loader calls its attribute otherwise; what it holds ends like a photo.
        let lazy = || {
            let holds = name.starts_with("data-") && is_image_address(first_of_set(value));
            holds.then_some(ranks.len() - 3)
        };
        let rank = ranks.iter().position(|known| *known == name);
        let Some(rank) = rank.or_else(lazy) else { continue };
        if best.is_none_or(|(r, _)| rank < r) {
            let address = first_of_set(value);
            if is_photo(address) {
                best = Some((rank, address));
            }
        }
    }
    best.map(|(_, address)| address)
}

fn background(element: &Element) -> Option<&str> {
    element.attrs.iter().find_map(|(key, value)| match &*key.local {
        "style" => {
            let (_, after) = value.split_once("url(")?;
            let (inside, _) = after.split_once(')')?;
            Some(inside.trim().trim_matches(['"', '\'']))
        }
        name if name.starts_with("data-") => {
            let value = first_of_set(value).trim_start_matches("url(").trim_end_matches(')');
            let value = value.trim_matches(['"', '\'']);
            (is_image_address(value) && holds_background(name)).then_some(value)
        }
        _ => None,
    })
}

/// `data-bg`, `data-setbg`, `data-image-url` …: each lazy loader has a name of its own.
fn holds_background(name: &str) -> bool {
    name.strip_prefix("data-").is_some_and(|name| {
        ["bg", "background", "image", "img", "src", "photo", "thumb"]
            .iter()
            .any(|word| name.contains(word))
    })
}

/// The first address of a `srcset`; of a plain address, itself.
fn first_of_set(value: &str) -> &str {
    let value = value.trim();
    value.split_ascii_whitespace().next().unwrap_or_default().trim_end_matches(',')
}

/// Whether an address ends like an image.
pub(crate) fn is_image_address(address: &str) -> bool {
    let bytes = address.as_bytes();
    let end = bytes.iter().position(|b| matches!(b, b'?' | b'#')).unwrap_or(bytes.len());
    let Some(dot) = bytes[..end].iter().rposition(|b| *b == b'.') else { return false };
    let ending = &address[dot + 1..end];
    ["jpg", "jpeg", "png", "webp", "avif", "gif"].iter().any(|e| ending.eq_ignore_ascii_case(e))
}

/// No drawing, logo, placeholder or counting pixel.
fn is_photo(address: &str) -> bool {
    if address.len() < 5 || address.starts_with("data:") || address.starts_with("blob:") {
        return false;
    }
    let path = address.split(['?', '#']).next().unwrap_or_default();
    if path.len() >= 4 && path.as_bytes()[path.len() - 4..].eq_ignore_ascii_case(b".svg") {
        return false;
    }
    !names_a_drawing(path.rsplit('/').next().unwrap_or_default())
}

/// One pass, without case: every photo's name comes by here.
fn names_a_drawing(name: &str) -> bool {
    let bytes = name.as_bytes();
    (0..bytes.len()).any(|at| {
        let words: &[&str] = match bytes[at].to_ascii_lowercase() {
            b'b' => &["blank."],
            b'i' => &["icon"],
            b'l' => &["logo", "loading"],
            b'n' => &["no-image", "noimage", "no_image"],
            b'p' => &["placeholder", "pixel"],
            b's' => &["spacer"],
            b't' => &["transparent"],
            _ => return false,
        };
        words.iter().any(|word| {
            let part = bytes[at..].get(..word.len());
            part.is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
        })
    })
}
