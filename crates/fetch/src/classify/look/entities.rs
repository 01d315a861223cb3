//! HTML character references, as far as walls use them (Akamai writes `Reference&#32;&#35;18`).

/// Named references that occur in words and punctuation; an unknown one stays as it is.
const NAMED: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("hellip", '…'),
    ("rsquo", '’'),
    ("lsquo", '‘'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("middot", '·'),
    ("bull", '•'),
    ("raquo", '»'),
    ("laquo", '«'),
    ("copy", '©'),
    ("reg", '®'),
    ("euro", '€'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("eacute", 'é'),
    ("Eacute", 'É'),
    ("egrave", 'è'),
    ("ecirc", 'ê'),
    ("euml", 'ë'),
    ("agrave", 'à'),
    ("aacute", 'á'),
    ("acirc", 'â'),
    ("ccedil", 'ç'),
    ("iacute", 'í'),
    ("icirc", 'î'),
    ("iuml", 'ï'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("otilde", 'õ'),
    ("atilde", 'ã'),
    ("uacute", 'ú'),
    ("ugrave", 'ù'),
    ("ntilde", 'ñ'),
    ("aring", 'å'),
    ("oslash", 'ø'),
    ("aelig", 'æ'),
    ("iexcl", '¡'),
    ("iquest", '¿'),
];

/// Appends text with its references resolved.
pub(super) fn push_unescaped(out: &mut String, raw: &str) {
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        // Twelve bytes hold every reference known here.
        let end = rest.bytes().take(12).position(|b| b == b';');
        let known = end.and_then(|end| Some((end, resolve(rest.get(..end)?)?)));
        match known {
            Some((end, c)) => {
                out.push(c);
                rest = &rest[end + 1..];
            }
            None => out.push('&'),
        }
    }
    out.push_str(rest);
}

fn resolve(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| *c);
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_and_broken_ones_are_left_alone() {
        let cases = [
            ("Reference&#32;&#35;18&#46;1", "Reference #18.1"),
            ("a &amp; b &hellip;", "a & b …"),
            ("&#x48;&#X49;", "HI"),
            ("R&D & more; &unknown; &", "R&D & more; &unknown; &"),
            ("&#xD800; &#99999999999;", "&#xD800; &#99999999999;"),
            ("&éé;", "&éé;"),
        ];
        for (raw, want) in cases {
            let mut out = String::new();
            push_unescaped(&mut out, raw);
            assert_eq!(out, want);
        }
    }
}
