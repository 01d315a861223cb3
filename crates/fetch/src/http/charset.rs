//! Bytes to text: byte order mark, header, `<meta>` or XML declaration, then a guess.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Where a declaration inside the page is looked for, in bytes. Browsers take 1024; real pages
/// put a comment or a script first.
const DECLARED_WITHIN: usize = 4096;

/// Decodes a body. Wrong bytes become U+FFFD, never an error.
pub(super) fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    if let Some((encoding, bom)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[bom..]).0.into_owned();
    }
    let encoding = content_type
        .and_then(|value| label_after(value, "charset"))
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .or_else(|| declared(bytes))
        .unwrap_or_else(|| if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 });
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// What the page says of itself. A page that we can read this far is not UTF-16.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(DECLARED_WITHIN)];
    let head: String = head.iter().map(|b| char::from(*b).to_ascii_lowercase()).collect();
    let mut labels = Vec::new();
    if head.trim_start().starts_with("<?xml") {
        labels.extend(label_after(&head, "encoding"));
    }
    for (at, _) in head.match_indices("<meta") {
        let tag = &head[at..head[at..].find('>').map_or(head.len(), |end| at + end)];
        labels.extend(label_after(tag, "charset"));
    }
    let encoding = labels.iter().find_map(|label| Encoding::for_label(label.as_bytes()))?;
    Some(encoding.output_encoding())
}

/// `charset=utf-8`, `charset = "utf-8"`.
fn label_after(text: &str, key: &str) -> Option<String> {
    let low = text.to_ascii_lowercase();
    let (_, after) = low.split_once(key)?;
    let value = after.trim_start().strip_prefix('=')?.trim_start_matches([' ', '"', '\'']);
    let end = value.find(['"', '\'', ';', ' ', '>', '?', '/', ',']).unwrap_or(value.len());
    Some(value[..end].to_owned()).filter(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mark_then_header_then_page_then_guess() {
        let cases: [(&[u8], Option<&str>, &str); 11] = [
            (b"\xef\xbb\xbfgr\xc3\xbc\xc3\x9fe", Some("text/html; charset=iso-8859-1"), "grüße"),
            (b"\xff\xfeh\x00i\x00", None, "hi"),
            (b"gr\xfc\xdfe", Some("text/html; charset=ISO-8859-1"), "grüße"),
            (b"gr\xfc\xdfe", Some("text/html; Charset=\"windows-1252\""), "grüße"),
            (b"<meta charset=\"iso-8859-1\">\xfc", None, "<meta charset=\"iso-8859-1\">ü"),
            (
                b"<meta charset='iso-8859-15'>\xa4",
                Some("text/html"),
                "<meta charset='iso-8859-15'>€",
            ),
            (
                b"<META http-equiv=Content-Type content=\"text/html; charset=windows-1251\">\xe9",
                None,
                "<META http-equiv=Content-Type content=\"text/html; charset=windows-1251\">й",
            ),
            (
                b"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\xfc",
                None,
                "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>ü",
            ),
            (b"<meta charset=utf-16>\xc3\xbc", None, "<meta charset=utf-16>ü"),
            ("grüße €".as_bytes(), None, "grüße €"),
            (b"\x80 100", Some("text/html; charset=nonsense"), "€ 100"),
        ];
        for (bytes, header, want) in cases {
            assert_eq!(decode(bytes, header), want);
        }
    }
}
