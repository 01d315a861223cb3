//! Every form of section 3 of `walls.md`, and what it is worth.

use super::*;

type Lines<'a> = &'a [(&'a str, &'a str)];

/// Noon; the server's own clock says the same unless a case gives a `Date`.
fn now() -> Timestamp {
    "2026-11-01T12:00:00Z".parse().unwrap()
}

fn seconds(headers: Lines<'_>) -> Option<f64> {
    let headers: Vec<_> = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    asked_wait(&headers, now()).map(|asked| asked.wait.as_secs_f64())
}

#[test]
fn every_form_of_retry_after_is_read() {
    const DAY: f64 = 86_400.0;
    let cases: &[(&str, Option<f64>)] = &[
        ("120", Some(120.0)),
        (" 120 ", Some(120.0)),
        ("\"120\"", Some(120.0)),
        ("+120", Some(120.0)),
        ("0120", Some(120.0)),
        // Fractions round up (sentry#7919).
        ("292.052427053", Some(293.0)),
        ("0.503", Some(1.0)),
        ("2.0", Some(2.0)),
        (".5", Some(1.0)),
        // Not finite, not plain, not positive: our own wait applies (crawlee-python#1995).
        ("inf", None),
        ("Infinity", None),
        ("nan", None),
        ("1e10000", None),
        ("1e3", None),
        ("-5", None),
        ("-0.5", None),
        ("0", None),
        ("0.0", None),
        ("", None),
        ("soon", None),
        ("1.2.3", None),
        (".", None),
        ("0x10", None),
        ("12 apples", None),
        // Spans with units (opencode#48185).
        ("2m59.56s", Some(179.56)),
        ("1m30s", Some(90.0)),
        ("370ms", Some(0.37)),
        ("120s", Some(120.0)),
        ("1h", Some(3600.0)),
        ("1h 5m", Some(3900.0)),
        ("2 minutes", Some(120.0)),
        ("90 Seconds", Some(90.0)),
        // Huge: a day, and no overflow (vercel#14947).
        ("99999999", Some(DAY)),
        ("99999999999999999999999999999999999999999", Some(DAY)),
        ("999999999h", Some(DAY)),
        // Two lines joined by a proxy.
        ("30, 3600", Some(3600.0)),
        ("30,x", None),
        // The three dates of RFC 9110, then the misspelt ones that httpdate rejects.
        ("Sun, 01 Nov 2026 12:02:00 GMT", Some(120.0)),
        ("Sunday, 01-Nov-26 12:02:00 GMT", Some(120.0)),
        ("Sun Nov  1 12:02:00 2026", Some(120.0)),
        ("Mon, 01 Nov 2026 12:02:00 GMT", Some(120.0)),
        ("sun, 01 nov 2026 12:02:00 gmt", Some(120.0)),
        ("Sun, 01 Nov 2026 12:02:00 UTC", Some(120.0)),
        ("Sun, 01 Nov 2026 12:02:00 +0000", Some(120.0)),
        ("Sun, 01 Nov 2026 13:02:00 +0100", Some(120.0)),
        ("Sun, 01 Nov 2026 07:02:00 -0500", Some(120.0)),
        ("Sun, 01 Nov 2026 12:01:60 GMT", Some(119.0)),
        ("Sun, 1 Nov 2026 12:02:00 GMT", Some(120.0)),
        ("1 November 2026 12:02:00", Some(120.0)),
        ("2026-11-01T12:02:00Z", Some(120.0)),
        ("2026-11-01T13:02:00+01:00", Some(120.0)),
        ("2026-11-01 12:02:00", Some(120.0)),
        ("2026-11-01T12:02:00", Some(120.0)),
        ("Sun, 01 Nov 2027 12:00:00 GMT", Some(DAY)),
        // Past: our own wait, never an instant retry.
        ("Wed, 21 Oct 2015 07:28:00 GMT", None),
        ("Sunday, 06-Nov-94 08:49:37 GMT", None),
        ("2015-10-21T07:28:00Z", None),
        ("Sun, 01 Nov 2026 12:00:00 GMT", None),
        // Nonsense dates.
        ("Sun, 99 Nov 2026 12:00:00 GMT", None),
        ("Sun, 01 Nov 2026", None),
        ("Sun, 01 Nov 999999 12:00:00 GMT", None),
        ("Sun, 01 Foo 2026 12:00:00 GMT", None),
        ("2026-13-45T99:99:99Z", None),
    ];
    for (value, want) in cases {
        assert_eq!(seconds(&[("retry-after", value)]), *want, "{value:?}");
    }
}

#[test]
fn the_longest_of_several_lines_counts() {
    assert_eq!(seconds(&[("retry-after", "30"), ("retry-after", "3600")]), Some(3600.0));
    assert_eq!(seconds(&[("retry-after", "3600"), ("retry-after", "30")]), Some(3600.0));
    assert_eq!(seconds(&[("retry-after", "nan"), ("retry-after", "30")]), Some(30.0));
}

#[test]
fn a_date_is_measured_by_the_servers_own_clock_unless_that_is_a_cached_one() {
    let until = ("retry-after", "Sun, 01 Nov 2026 15:02:00 GMT");
    let date = ("date", "Sun, 01 Nov 2026 15:00:00 GMT");
    // Our clock is three hours slow: it cancels out.
    assert_eq!(seconds(&[until, date]), Some(120.0));
    // smithy-rs#4800: a `Date` with an `Age` is old.
    assert_eq!(seconds(&[until, date, ("age", "9000")]), Some(10_920.0));
    assert_eq!(seconds(&[until, ("date", "whenever")]), Some(10_920.0));
    // Seconds are counted from receipt, whatever the clocks say.
    assert_eq!(seconds(&[("retry-after", "60"), date]), Some(60.0));
    // Past by the server's clock, though not by ours.
    let earlier = ("retry-after", "Sun, 01 Nov 2026 14:00:00 GMT");
    assert_eq!(seconds(&[earlier, date]), None);
}

#[test]
fn relatives_are_read_in_their_order_and_by_their_likely_unit() {
    let noon = now().as_second();
    let later = |factor: i64| ((noon + 90) * factor).to_string();
    let (s, ms, us) = (later(1), later(1000), later(1_000_000));
    let cases: &[(Lines<'_>, Option<f64>)] = &[
        (&[("retry-after", "5"), ("ratelimit-reset", "90")], Some(5.0)),
        (&[("retry-after", "0"), ("ratelimit-reset", "90")], Some(90.0)),
        (&[("retry-after-ms", "1500")], Some(1.5)),
        (&[("retry-after-ms", "-1")], None),
        (&[("ratelimit", "\"default\";r=0;t=30")], Some(30.0)),
        (&[("ratelimit", "\"minute\";r=0;t=30, \"day\";r=7;t=9999")], Some(30.0)),
        (&[("ratelimit", "\"default\";r=50;t=30")], None),
        (&[("ratelimit", "\"default\";t=30")], Some(30.0)),
        (&[("ratelimit", "limit=100, remaining=0, reset=50")], Some(50.0)),
        (&[("ratelimit", "gibberish")], None),
        (&[("ratelimit-reset", "90")], Some(90.0)),
        (&[("ratelimit-reset", &s)], Some(90.0)),
        (&[("x-ratelimit-retry-after", "12")], Some(12.0)),
        (&[("x-ratelimit-reset-after", "1.337")], Some(2.0)),
        (&[("x-ratelimit-reset", "90")], Some(90.0)),
        (&[("x-ratelimit-reset", &s)], Some(90.0)),
        (&[("x-ratelimit-reset", &ms)], Some(90.0)),
        (&[("x-ratelimit-reset", &us)], Some(90.0)),
        (&[("x-ratelimit-reset", "Sun, 01 Nov 2026 12:01:30 GMT")], Some(90.0)),
        (&[("x-rate-limit-reset", &s)], Some(90.0)),
        (&[("x-ratelimit-next", "2026-11-01T12:01:30Z")], Some(90.0)),
        // Past moments (withcoral/coral#89) and nonsense.
        (&[("x-ratelimit-reset", "1600000000")], None),
        (&[("x-ratelimit-reset", "1600000000000")], None),
        (&[("x-ratelimit-reset", "-3")], None),
        (&[("x-ratelimit-reset", "9999999999999999999999")], Some(86_400.0)),
        (&[("ratelimit-reset", "x"), ("x-rate-limit-reset", "7")], Some(7.0)),
        (&[("x-other", "7")], None),
    ];
    for (headers, want) in cases {
        assert_eq!(seconds(headers), *want, "{headers:?}");
    }
}

#[test]
fn quotas_are_no_wait_on_their_own() {
    let quota = [("x-ratelimit-reset".to_owned(), "90".to_owned())];
    assert_eq!(plain_retry_after(&quota, now()), None);
    let asked = [("retry-after-ms".to_owned(), "90000".to_owned())];
    let asked = plain_retry_after(&asked, now()).unwrap();
    assert_eq!(
        (asked.wait.as_secs(), asked.evidence.as_str()),
        (90, "header retry-after-ms: 90000")
    );
}

proptest::proptest! {
    #[test]
    fn no_value_panics_and_every_wait_is_above_zero_and_at_most_a_day(
        name in "retry-after(-ms)?|ratelimit(-reset)?|x-ratelimit-(reset|next|reset-after)|date|age",
        value in "[ -~]{0,40}|[0-9.,:+-]{0,30}|[0-9]{1,4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{5,8}Z?",
    ) {
        if let Some(wait) = seconds(&[(&name, &value)]) {
            proptest::prop_assert!(wait > 0.0 && wait <= 86_400.0);
        }
    }
}
