//! The checked-in description against the one that the code makes.

use std::path::Path;

#[test]
fn the_checked_in_description_is_the_one_that_the_code_makes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let made = firstknock_api::openapi_json();
    if std::env::var_os("FIRSTKNOCK_WRITE_OPENAPI").is_some() {
        std::fs::write(&path, &made).expect("docs can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/openapi.json is old: run this test with FIRSTKNOCK_WRITE_OPENAPI=1"
    );
}

#[test]
fn every_operation_says_what_a_refusal_looks_like() {
    let doc: serde_json::Value =
        serde_json::from_str(&firstknock_api::openapi_json()).expect("it is JSON");
    assert_eq!(doc["openapi"], "3.1.0");
    let paths = doc["paths"].as_object().expect("paths");
    assert!(paths.len() >= 10, "{paths:?}");
    for (path, item) in paths {
        assert!(path.starts_with("/api/v1/"), "{path}");
        for (method, operation) in item.as_object().expect("operations") {
            let refusal = &operation["responses"]["4XX"]["content"]["application/problem+json"];
            assert!(refusal.is_object(), "{method} {path}");
        }
    }
}
