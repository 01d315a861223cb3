//! What a request costs, in units of work: estimated from its line, settled by what was done.

use http::Method;

/// What a request really cost, put on its answer by whoever did the work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost(pub(crate) u64);

/// Reading one page of listings: one unit for the question, one per so many rows.
const ROWS_PER_UNIT: u64 = 20;
/// Looking for a word reads the text of everything ever seen.
const TEXT: u64 = 20;
/// It makes us ask somebody else's site.
const ASKS_A_SITE: u64 = 20;

/// Before the work. The path is without `/api/v1` or `/api/ui`.
pub(crate) fn estimate(method: &Method, path: &str, query: Option<&str>) -> u64 {
    let reads = matches!(*method, Method::GET | Method::HEAD);
    match path {
        "/listings" => listings(rows_wanted(query), has_text(query)),
        "/deliveries" | "/events" => 5,
        "/previews" => ASKS_A_SITE,
        _ if path.ends_with("/check") => ASKS_A_SITE,
        "/searches" if !reads => ASKS_A_SITE,
        _ if reads => 1,
        _ => 3,
    }
}

/// One page of listings with so many rows.
pub(crate) fn listings(rows: u64, text: bool) -> u64 {
    1 + rows.div_ceil(ROWS_PER_UNIT) + if text { TEXT } else { 0 }
}

fn parameters(query: Option<&str>) -> impl Iterator<Item = (&str, &str)> {
    query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='))
}

fn rows_wanted(query: Option<&str>) -> u64 {
    let limit = parameters(query).find(|(name, _)| *name == "limit");
    limit.and_then(|(_, n)| n.parse().ok()).unwrap_or(50).min(200)
}

fn has_text(query: Option<&str>) -> bool {
    parameters(query).any(|(name, words)| name == "text" && !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_look_is_cheap_and_one_that_walks_everything_is_dear() {
        let get = |path, query| estimate(&Method::GET, path, query);
        assert_eq!(get("/summary", None), 1);
        assert_eq!(get("/listings", Some("limit=1")), 2);
        assert_eq!(get("/listings", Some("limit=200&only=all")), 11);
        assert_eq!(get("/listings", Some("limit=9999")), 11, "more than 200 are never given");
        assert_eq!(get("/listings", Some("limit=200&text=garden")), 31);
        assert_eq!(estimate(&Method::POST, "/searches/3/check", None), 20);
        assert_eq!(estimate(&Method::PATCH, "/searches/3", None), 3);
    }
}
