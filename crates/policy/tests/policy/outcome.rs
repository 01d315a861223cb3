//! The words that are stored and sent.

use firstknock_policy::Reason;

#[test]
fn a_reasons_code_is_its_word_on_the_wire() {
    for (reason, code) in [
        (Reason::Answered, "answered"),
        (Reason::TooManyRequests, "too_many_requests"),
        (Reason::Dns, "dns"),
        (Reason::PageGone, "page_gone"),
        (Reason::NotAPage, "not_a_page"),
    ] {
        assert_eq!(reason.code(), code);
        assert_eq!(serde_json::to_value(reason).expect("JSON"), code);
    }
}
