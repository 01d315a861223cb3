//! What a request costs, in units of work: estimated from its line, settled by what was done.

use axum::extract::Query;
use http::{Method, Uri};

/// What a request really cost, put on its answer by whoever did the work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost(pub(crate) u64);

/// Reading one page of listings: one unit for the question, one per so many rows.
const ROWS_PER_UNIT: u64 = 20;
/// Looking for words: a common one is in everything ever seen, and all of that is counted.
const TEXT: u64 = 10;
/// It makes us ask somebody else's site.
const ASKS_A_SITE: u64 = 20;

/// Before the work. The path may be with `/api/v1` or `/api/ui` or without.
pub(crate) fn estimate(method: &Method, uri: &Uri) -> u64 {
    let reads = matches!(*method, Method::GET | Method::HEAD);
    let path = uri.path();
    let path = path.strip_prefix("/api/v1").or(path.strip_prefix("/api/ui")).unwrap_or(path);
    match path {
        "/listings" if reads => {
            let asked = parameters(uri);
            listings(rows_wanted(&asked), has_text(&asked))
        }
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

/// Read as the handler reads them: `te%78t` is `text`.
fn parameters(uri: &Uri) -> Vec<(String, String)> {
    Query::try_from_uri(uri).map(|Query(pairs)| pairs).unwrap_or_default()
}

fn rows_wanted(asked: &[(String, String)]) -> u64 {
    let limit = asked.iter().find(|(name, _)| *name == "limit");
    limit.and_then(|(_, n)| n.parse().ok()).unwrap_or(50).min(200)
}

fn has_text(asked: &[(String, String)]) -> bool {
    asked.iter().any(|(name, words)| name == "text" && !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_look_is_cheap_and_one_that_walks_everything_is_dear() {
        let ask = |method: Method, uri: &'static str| estimate(&method, &Uri::from_static(uri));
        let get = |uri| ask(Method::GET, uri);
        assert_eq!(get("/summary"), 1);
        assert_eq!(get("/listings?limit=1"), 2);
        assert_eq!(get("/api/v1/listings?limit=200&only=all"), 11);
        assert_eq!(get("/listings?limit=9999"), 11, "more than 200 are never given");
        assert_eq!(get("/listings?limit=200&text=garden"), 21);
        assert_eq!(get("/listings?lim%69t=%32%30%30&te%78t=garden"), 21, "however it is written");
        assert_eq!(ask(Method::POST, "/searches/3/check"), 20);
        assert_eq!(ask(Method::PATCH, "/searches/3"), 3);
    }
}
