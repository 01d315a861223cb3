//! Which predicted listing is which true one: by canonical address, or by the id as a whole token
//! in the address or the key.

use url::Url;

use super::knock::Predicted;
use super::truth::Truth;

/// For each predicted listing the index of its truth. Each truth is given once; results first, so
/// that a promoted twin does not take the place of the ordinary hit.
pub(crate) fn pair(
    page_url: &str,
    predicted: &[Predicted],
    truths: &[Truth],
) -> Vec<Option<usize>> {
    let base = Url::parse(page_url).ok();
    let forms: Vec<Forms> = truths.iter().map(|t| Forms::of(t, base.as_ref())).collect();
    let mut taken = vec![false; truths.len()];
    predicted
        .iter()
        .map(|p| {
            let address = canonical(&p.url, base.as_ref());
            let texts = texts(p);
            let fits = |i: usize| forms[i].fits(address.as_deref(), &texts);
            let mut free = (0..truths.len()).filter(|i| !taken[*i] && fits(*i)).collect::<Vec<_>>();
            free.sort_by_key(|i| !truths[*i].is_result());
            let found = free.first().copied();
            if let Some(i) = found {
                taken[i] = true;
            }
            found
        })
        .collect()
}

struct Forms {
    address: Option<String>,
    id: Option<String>,
}

impl Forms {
    fn of(truth: &Truth, base: Option<&Url>) -> Self {
        let address = truth.id_or_url.as_deref().filter(|t| t.contains('/'));
        Self {
            address: address.and_then(|a| canonical(a, base)),
            id: truth
                .id
                .clone()
                .or_else(|| truth.id_or_url.clone().filter(|t| !t.contains('/') && !t.is_empty())),
        }
    }

    /// Where a person noted the address without a query, what the page adds to it (its search,
    /// its experiments) says nothing about the listing.
    fn fits(&self, address: Option<&str>, texts: &[String]) -> bool {
        let by_address = match (self.address.as_deref(), address) {
            (Some(ours), Some(theirs)) if ours.ends_with('?') && !ours.ends_with("/?") => {
                theirs.starts_with(ours)
            }
            (ours, theirs) => ours.is_some() && ours == theirs,
        };
        by_address || self.id.as_ref().is_some_and(|id| texts.iter().any(|t| has_token(t, id)))
    }
}

/// The address and all keys of a predicted listing.
fn texts(predicted: &Predicted) -> Vec<String> {
    let keys = predicted.keys.iter().filter_map(|k| k.as_str().map(str::to_owned));
    let mut texts: Vec<String> = keys.collect();
    texts.push(decoded(&predicted.url));
    texts.push(predicted.key.clone());
    texts
}

/// Whether `id` stands in `text` with no letter or digit directly beside it.
pub(crate) fn has_token(text: &str, id: &str) -> bool {
    let mut from = 0;
    while let Some(i) = text[from..].find(id).filter(|_| !id.is_empty()) {
        let (start, end) = (from + i, from + i + id.len());
        let before = text[..start].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let after = text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        if before && after {
            return true;
        }
        from = end;
    }
    false
}

/// The address without what changes from visit to visit.
pub(crate) fn canonical(address: &str, base: Option<&Url>) -> Option<String> {
    let url = match base {
        Some(base) => base.join(address.trim()).ok()?,
        None => Url::parse(address.trim()).ok()?,
    };
    let host = url.host_str()?.trim_start_matches("www.").to_owned();
    let path = decoded(url.path()).trim_end_matches('/').trim().to_owned();
    let mut query: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| !is_tracker(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    query.sort();
    Some(format!("{host}{path}?{}", query.join("&")))
}

fn is_tracker(name: &str) -> bool {
    name.starts_with("utm_")
        || matches!(
            name,
            "gclid"
                | "fbclid"
                | "msclkid"
                | "ref"
                | "source"
                | "position"
                | "page"
                | "search"
                | "searchId"
                | "serp_view"
                | "search_reason"
                | "channel"
                | "ca"
        )
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = bytes.get(i + 1..i + 3).and_then(|h| std::str::from_utf8(h).ok());
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(byte) if bytes[i] == b'%' => {
                out.push(byte);
                i += 3;
            }
            _ => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predicted(url: &str, key: &str) -> Predicted {
        Predicted { url: url.into(), key: key.into(), ..Predicted::default() }
    }

    fn truth(address: Option<&str>, id: Option<&str>, role: &str) -> Truth {
        Truth {
            id_or_url: address.map(str::to_owned),
            id: id.map(str::to_owned),
            role: role.into(),
            ..Truth::default()
        }
    }

    #[test]
    fn an_id_counts_only_as_a_whole_token() {
        assert!(has_token("https://a.example/x-1234.html", "1234"));
        assert!(!has_token("https://a.example/x-12345.html", "1234"));
        assert!(!has_token("https://a.example/a1234", "1234"));
        assert!(has_token("a12341234 1234", "1234"));
        assert!(!has_token("anything", ""));
    }

    #[test]
    fn addresses_are_compared_without_trackers_and_order() {
        let base = Url::parse("https://www.a.example/list").ok();
        let same = |a: &str, b: &str| canonical(a, base.as_ref()) == canonical(b, base.as_ref());
        assert!(same("/flat/1/?utm_source=x&b=2&a=1#top", "https://a.example/flat/1?a=1&b=2"));
        assert!(same("/fl%C3%A4t", "/flät/"));
        assert!(!same("/flat/1", "/flat/2"));
        assert!(!same("/flat?id=1", "/flat?id=2"));
    }

    #[test]
    fn what_a_page_adds_to_an_address_noted_without_a_query_does_not_matter() {
        let truths = [truth(Some("https://a.example/expose/x1"), None, "result")];
        let found = [predicted("https://www.a.example/expose/x1?experiment=b&back=list#m", "k")];
        assert_eq!(pair("https://a.example/", &found, &truths), [Some(0)]);
        let other = [predicted("https://www.a.example/expose/x12?experiment=b", "k")];
        assert_eq!(pair("https://a.example/", &other, &truths), [None]);
    }

    #[test]
    fn a_promoted_twin_does_not_take_the_place_of_the_ordinary_hit() {
        let truths = [
            truth(None, Some("7"), "promoted"),
            truth(None, Some("7"), "result"),
            truth(Some("/x/9"), None, "result"),
        ];
        let found = [
            predicted("https://a.example/flat/7", "id:7"),
            predicted("https://a.example/x/9", "k"),
            predicted("https://a.example/x/10", "k2"),
        ];
        let pairs = pair("https://a.example/", &found, &truths);
        assert_eq!(pairs, [Some(1), Some(2), None]);
    }
}
