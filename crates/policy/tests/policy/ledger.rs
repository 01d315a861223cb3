//! Records, and reading them back.

use std::time::Duration;

use firstknock_policy::ladder::MAX_WAIT;
use firstknock_policy::ledger::{Failure, Fault, Ledger, SavedWait};
use firstknock_policy::{Kind, Reason};

use crate::{after, start};

fn failure(kind: Kind, retry_after: Option<u64>) -> Failure {
    Failure {
        kind,
        reason: Reason::BrowserCheck,
        vendor: None,
        retry_after: retry_after.map(Duration::from_secs),
        evidence: vec!["status 403".into()],
    }
}

#[test]
fn the_same_kind_climbs_and_another_kind_starts_its_own_ladder() {
    let mut ledger = Ledger::default();
    let mut record = |kind| {
        let record = ledger.record("a", failure(kind, None), start(), 0.5);
        (record.failures, record.next_retry)
    };
    assert_eq!(record(Kind::Challenge), (1, after(60_000)));
    assert_eq!(record(Kind::Challenge), (2, after(180_000)));
    assert_eq!(record(Kind::Error), (1, after(30_000)), "a blip does not inherit the wait");
    assert_eq!(record(Kind::Challenge), (1, after(60_000)), "nor is the old rung remembered");
}

#[test]
fn only_the_recorded_key_waits_and_until_its_time_only() {
    let mut ledger = Ledger::default();
    ledger.record("a", failure(Kind::Challenge, None), start(), 0.5);
    assert!(ledger.waits(&"a", after(59_999)));
    assert!(!ledger.waits(&"a", after(60_000)));
    assert!(!ledger.waits(&"b", start()));
    assert!(ledger.clear(&"a").is_some());
    assert!(ledger.get(&"a").is_none());
}

#[test]
fn soonest_names_the_host_that_comes_due_first() {
    let mut ledger = Ledger::default();
    assert!(ledger.soonest().is_none());
    for (host, kind) in [("a", Kind::Denied), ("b", Kind::Error), ("c", Kind::Challenge)] {
        ledger.record(host, failure(kind, None), start(), 0.5);
    }
    assert_eq!(ledger.soonest().map(|(host, _)| *host), Some("b"));
}

#[test]
fn since_when_it_does_not_answer_outlives_the_kinds() {
    let mut ledger = Ledger::default();
    ledger.record("a", failure(Kind::Challenge, None), start(), 0.5);
    let record = ledger.record("a", failure(Kind::Denied, None), after(60_000), 0.5);
    assert_eq!((record.since, record.at), (start(), after(60_000)));
}

#[test]
fn what_the_site_asked_for_runs_no_longer_than_our_own_wait() {
    let mut ledger = Ledger::default();
    let record = ledger.record("a", failure(Kind::RateLimited, Some(86_400)), start(), 0.5);
    assert_eq!(record.asked, Some(Duration::from_secs(86_400)), "the row says what was asked");
    assert_eq!(record.asked_until(), Some(after(3_420_000)), "the lock ends with our wait");
    let record = ledger.record("b", failure(Kind::RateLimited, Some(30)), start(), 0.5);
    assert_eq!(record.asked_until(), Some(after(30_000)));
    let record = ledger.record("c", failure(Kind::RateLimited, None), start(), 0.5);
    assert_eq!(record.asked_until(), None);
}

#[test]
fn a_clock_that_was_set_back_leaves_the_rest_of_each_wait() {
    let mut ledger = Ledger::default();
    ledger.record("a", failure(Kind::Challenge, None), after(3_600_000), 0.5);
    ledger.set_back(Duration::from_secs(3600));
    assert_eq!(ledger.get(&"a").map(|record| record.next_retry), Some(after(60_000)));
}

#[test]
fn waits_beyond_the_cap_are_clamped_to_it() {
    let mut ledger = Ledger::default();
    ledger.record("a", failure(Kind::Denied, None), after(86_400_000), 0.5);
    assert_eq!(ledger.clamp(start()), 1);
    assert_eq!(ledger.get(&"a").map(|record| record.next_retry), Some(after(3_600_000)));
    assert_eq!(ledger.clamp(start()), 0);
}

#[test]
fn a_record_survives_being_stored() {
    let mut ledger = Ledger::default();
    let record = ledger.record("a", failure(Kind::RateLimited, Some(300)), start(), 0.5).clone();
    let json = serde_json::to_string(&SavedWait::from(&record)).expect("JSON");
    let saved: SavedWait = serde_json::from_str(&json).expect("the same");
    assert_eq!(saved.read(after(1000)), (record, Vec::new()));
}

/// A stored record that is fine, to be spoilt.
fn stored() -> SavedWait {
    SavedWait {
        kind: "challenge".into(),
        failures: 2,
        next_retry_ms: after(100_000).as_millisecond(),
        since_ms: start().as_millisecond(),
        at_ms: start().as_millisecond(),
        reason: Some(Reason::BrowserCheck),
        ..SavedWait::default()
    }
}

#[test]
fn what_cannot_be_is_clamped_or_set_aside_and_named() {
    let now = after(1000);
    let cases: [(&str, SavedWait, Fault); 6] = [
        ("far future", SavedWait { next_retry_ms: i64::MAX, ..stored() }, Fault::TooFar),
        (
            "next year",
            SavedWait { next_retry_ms: after(31_536_000_000).as_millisecond(), ..stored() },
            Fault::TooFar,
        ),
        (
            "before 1970",
            SavedWait { next_retry_ms: i64::MIN, ..stored() },
            Fault::Impossible("next_retry"),
        ),
        (
            "negative failures",
            SavedWait { failures: -7, ..stored() },
            Fault::Impossible("failures"),
        ),
        (
            "a newer version's kind",
            SavedWait { kind: "quarantined".into(), failures: 9, ..stored() },
            Fault::UnknownKind("quarantined".into()),
        ),
        (
            "negative asked",
            SavedWait { asked_ms: Some(-1), ..stored() },
            Fault::Impossible("asked"),
        ),
    ];
    for (name, saved, fault) in cases {
        let (record, faults) = saved.read(now);
        assert_eq!(faults, [fault], "{name}");
        assert!(record.failures >= 1, "{name}");
        assert!(record.next_retry <= now.checked_add(MAX_WAIT).expect("a moment"), "{name}");
        if name == "a newer version's kind" {
            assert_eq!((record.kind, record.failures), (Kind::Error, 1));
            assert_eq!(record.next_retry, after(100_000), "its deadline is still kept");
        }
    }
}

#[test]
fn an_empty_or_strange_json_record_is_read_without_a_panic() {
    for json in ["{}", r#"{"reason":"a_word_of_tomorrow","kind":"denied","failures":1}"#] {
        let saved: SavedWait = serde_json::from_str(json).expect("readable");
        let (record, faults) = saved.read(start());
        assert!(record.next_retry <= after(3_600_000));
        assert_eq!(record.reason, Reason::Unknown);
        assert_eq!(faults.is_empty(), json != "{}");
    }
}

#[test]
fn what_is_read_back_is_in_an_order_that_can_be() {
    let now = after(100_000);
    let at = |ms| after(ms).as_millisecond();
    let read = |saved: SavedWait| {
        let (record, faults) = saved.read(now);
        (record.failures, record.since, record.at, record.next_retry, faults)
    };
    let hour = 3_600_000;
    let fine = (2, start(), start(), after(100_000 + hour), vec![]);
    assert_eq!(read(SavedWait { next_retry_ms: at(100_000 + hour), ..stored() }), fine);
    let late = read(SavedWait { next_retry_ms: at(100_001 + hour), ..stored() });
    assert_eq!((late.3, late.4), (after(100_000 + hour), vec![Fault::TooFar]));
    let epoch = read(SavedWait { next_retry_ms: 0, since_ms: 0, at_ms: 0, ..stored() });
    assert_eq!(epoch.4, [], "1970 is long ago, and can be");
    let failures = read(SavedWait { failures: 0, ..stored() });
    assert_eq!((failures.0, failures.4), (1, vec![Fault::Impossible("failures")]));
    let future = read(SavedWait { at_ms: at(100_001), ..stored() });
    assert_eq!((future.2, future.4), (now, vec![Fault::Impossible("at")]));
    let negative = read(SavedWait { since_ms: -1, ..stored() });
    assert_eq!((negative.1, negative.4), (start(), vec![Fault::Impossible("since")]));
    let turned = read(SavedWait { since_ms: at(60_000), at_ms: at(50_000), ..stored() });
    assert_eq!((turned.1, turned.2), (after(50_000), after(50_000)), "not since later than last");
}

#[test]
fn twelve_lines_of_evidence_are_kept_also_when_read_back() {
    let evidence: Vec<_> = (0..20).map(|line| line.to_string()).collect();
    let mut ledger = Ledger::default();
    let failure = Failure { evidence: evidence.clone(), ..failure(Kind::Denied, None) };
    assert_eq!(ledger.record("a", failure, start(), 0.5).evidence, evidence[..12]);
    let saved = SavedWait { evidence: evidence.clone(), ..stored() };
    assert_eq!(saved.read(after(1000)).0.evidence, evidence[..12]);
}
