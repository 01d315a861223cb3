//! The waits of deliveries, row by row of the failure table.

use std::time::Duration;

use firstknock_policy::delivery::{
    AlertPace, Attempt, BACKGROUND_BUDGET, BACKGROUND_TRIES, BLIND_AFTER, DAILY_CAP, DeliveryState,
    GIVE_UP_AFTER, GaveUp, Hold, Next, NotSent, Pace, QuietHours, Repeat, Sight, Tell, Tried,
    after_crash, cap_allows, next,
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use proptest::prelude::*;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

fn start() -> Timestamp {
    "2026-11-29T13:00:00Z".parse().expect("a time")
}

fn after(wait: Duration) -> Timestamp {
    start() + wait
}

fn fresh() -> Tried {
    Tried { attempts: 0, unknowns: 0, first_tried: start(), last_wait: None }
}

fn not_sent(reason: NotSent, retry_after: Option<Duration>) -> Attempt {
    Attempt::NotSent { reason, retry_after, words: String::new() }
}

fn held(hold: Hold) -> Attempt {
    Attempt::AccountHeld { hold, reply: String::new() }
}

fn unknown(repeat: Repeat) -> Attempt {
    Attempt::Unknown { repeat, words: String::new() }
}

fn greylisted() -> Attempt {
    Attempt::Greylisted { reply: String::new() }
}

fn busy() -> Attempt {
    Attempt::Busy { reply: String::new() }
}

/// The shortest and the longest wait that the dice can give.
fn waits(attempt: &Attempt, tried: &Tried) -> (Duration, Duration) {
    let one = |random| match next(attempt, tried, &Pace::MAIL, start(), random) {
        Next::RetryAt { at, wait, .. } => {
            assert_eq!(at, after(wait));
            wait
        }
        other => panic!("{other:?}"),
    };
    (one(0.0), one(0.999_999_9))
}

fn assert_waits(attempt: &Attempt, tried: &Tried, from: Duration, to: Duration) {
    let (shortest, longest) = waits(attempt, tried);
    let near = |a: Duration, b: Duration| a.abs_diff(b) < Duration::from_millis(10);
    assert!(near(shortest, from) && near(longest, to), "{attempt:?}: {shortest:?} to {longest:?}");
}

#[test]
fn greylisting_waits_5_to_15_minutes_and_then_at_least_30() {
    assert_waits(&greylisted(), &fresh(), 5 * MINUTE, 15 * MINUTE);
    let again = Tried { attempts: 1, ..fresh() };
    assert_waits(&greylisted(), &again, 30 * MINUTE, 45 * MINUTE);
    assert_waits(&greylisted(), &Tried { attempts: 40, ..fresh() }, 30 * MINUTE, 45 * MINUTE);
}

#[test]
fn a_busy_server_gets_at_least_15_minutes() {
    assert_waits(&busy(), &fresh(), 15 * MINUTE, 20 * MINUTE);
}

#[test]
fn an_unknown_outcome_is_repeated_twice_within_the_hour_and_then_maybe_delivered() {
    let of = |unknowns| Tried { attempts: unknowns, unknowns, ..fresh() };
    let unknown = unknown(Repeat::OnceOrTwice);
    let (_, first) = waits(&unknown, &of(0));
    let (_, second) = waits(&unknown, &of(1));
    assert!(first + second <= HOUR, "{first:?} + {second:?}");
    assert_eq!(next(&unknown, &of(2), &Pace::MAIL, start(), 0.5), Next::MaybeDelivered);
}

#[test]
fn a_request_without_an_idempotency_key_is_never_repeated_and_one_with_it_freely() {
    let never = next(&unknown(Repeat::Never), &fresh(), &Pace::POST, start(), 0.5);
    assert_eq!(never, Next::MaybeDelivered);
    let many = Tried { attempts: 5, unknowns: 5, ..fresh() };
    let freely = next(&unknown(Repeat::Freely), &many, &Pace::POST, start(), 0.5);
    assert_eq!(freely.state(), DeliveryState::RetryAt);
}

#[test]
fn accounts_are_held_until_the_user_acts_or_for_a_day_or_for_a_minute() {
    let until = |hold| match next(&held(hold), &fresh(), &Pace::MAIL, start(), 0.5) {
        Next::Held { hold: told, until } => {
            assert_eq!(told, hold);
            until
        }
        other => panic!("{other:?}"),
    };
    for hold in [Hold::Auth, Hold::StartTlsMissing, Hold::SenderRefused, Hold::SecretMissing] {
        assert_eq!(until(hold), None, "{hold:?} is never hammered");
    }
    assert_eq!(until(Hold::DailyLimit), Some(after(24 * HOUR)));
    assert_eq!(until(Hold::SecretsLocked), Some(after(MINUTE)));
}

#[test]
fn a_refused_recipient_and_a_refused_message_are_given_up_at_once() {
    let of = |attempt| next(&attempt, &fresh(), &Pace::MAIL, start(), 0.5);
    let reply = String::new();
    let recipient = of(Attempt::RecipientRefused { reply: reply.clone() });
    assert_eq!(recipient, Next::GivenUp { why: GaveUp::Recipient });
    assert_eq!(of(Attempt::Rejected { reply }), Next::GivenUp { why: GaveUp::Rejected });
}

#[test]
fn quick_tries_are_decorrelated_and_stay_within_their_budget() {
    for pace in [Pace::MAIL, Pace::POST] {
        for random in [0.0, 0.3, 0.7, 0.999] {
            let (mut tried, mut now) = (fresh(), start());
            let mut quick = 0;
            loop {
                let attempt = not_sent(NotSent::Connect, None);
                let Next::RetryAt { at, wait, .. } = next(&attempt, &tried, &pace, now, random)
                else {
                    panic!("too early to stop")
                };
                if wait > pace.cap {
                    break;
                }
                quick += 1;
                let previous = tried.last_wait.unwrap_or(pace.base);
                assert!(wait >= pace.base && wait <= (3 * previous).max(pace.base), "{wait:?}");
                tried = Tried { attempts: tried.attempts + 1, last_wait: Some(wait), ..tried };
                now = at;
            }
            assert!(quick < BACKGROUND_TRIES, "{quick}");
            assert!(now <= after(BACKGROUND_BUDGET));
            assert!(quick >= 4, "a passing trouble is tried often: {quick}");
        }
    }
}

#[test]
fn a_servers_own_wish_is_a_lower_bound() {
    let wish = |seconds| not_sent(NotSent::TooMany, Some(Duration::from_secs(seconds)));
    let (shortest, longest) = waits(&wish(900), &fresh());
    assert_eq!((shortest, longest), (15 * MINUTE, 15 * MINUTE));
    let (shortest, _) = waits(&wish(1), &fresh());
    assert!(shortest >= Pace::MAIL.base, "a shorter wish does not shorten the wait");
    let absurd = next(&wish(30 * 24 * 3600), &fresh(), &Pace::MAIL, start(), 0.5);
    assert_eq!(absurd, Next::GivenUp { why: GaveUp::AskedTooLong });
}

#[test]
fn trouble_of_the_network_may_be_tried_earlier_when_the_network_is_back() {
    for (reason, expect) in [
        (NotSent::Offline, true),
        (NotSent::Dns, true),
        (NotSent::Connect, true),
        (NotSent::Tls, false),
        (NotSent::TooMany, false),
        (NotSent::Server, false),
    ] {
        match next(&not_sent(reason, None), &fresh(), &Pace::MAIL, start(), 0.5) {
            Next::RetryAt { network_first, .. } => assert_eq!(network_first, expect, "{reason:?}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_open_circuit_waits_for_its_cool_down() {
    let until = after(5 * MINUTE);
    let step = next(&Attempt::CircuitOpen { until }, &fresh(), &Pace::MAIL, start(), 0.5);
    assert_eq!(step.at(), Some(until));
}

#[test]
fn after_a_crash_the_outcome_is_unknown_and_the_repeat_goes_out_at_once() {
    let of = |repeat, unknowns| {
        after_crash(repeat, &Tried { attempts: unknowns, unknowns, ..fresh() }, start())
    };
    assert_eq!(of(Repeat::OnceOrTwice, 0).at(), Some(start()));
    assert_eq!(of(Repeat::OnceOrTwice, 1).at(), Some(start()));
    assert_eq!(of(Repeat::OnceOrTwice, 2), Next::MaybeDelivered);
    assert_eq!(of(Repeat::Freely, 9).at(), Some(start()));
    assert_eq!(of(Repeat::Never, 0), Next::MaybeDelivered);
}

#[test]
fn codes_are_read_back() {
    for state in DeliveryState::ALL {
        assert_eq!(DeliveryState::from_code(state.code()), Some(state));
    }
    for hold in Hold::ALL {
        assert_eq!(Hold::from_code(hold.code()), Some(hold));
    }
    assert_eq!(DeliveryState::from_code("of a newer version"), None);
}

fn amsterdam() -> TimeZone {
    // Central European rules as a POSIX string: no database is needed.
    TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a zone")
}

fn quiet(from: &str, to: &str, now: &str) -> Option<String> {
    let hours = QuietHours { from: from.parse().expect("a time"), to: to.parse().expect("a time") };
    let now = now.parse().expect("a timestamp");
    hours.until(now, &amsterdam()).map(|end| end.to_string())
}

#[test]
fn quiet_hours_end_by_the_clock_on_the_wall() {
    // 23:30 in winter; the end is 07:00 there.
    assert_eq!(
        quiet("22:00", "07:00", "2026-11-29T22:30:00Z").as_deref(),
        Some("2026-11-30T06:00:00Z")
    );
    assert_eq!(
        quiet("22:00", "07:00", "2026-11-30T05:59:59Z").as_deref(),
        Some("2026-11-30T06:00:00Z")
    );
    assert_eq!(quiet("22:00", "07:00", "2026-11-30T06:00:00Z"), None, "the end is not quiet");
    assert_eq!(quiet("22:00", "07:00", "2026-11-30T20:59:59Z"), None);
    assert_eq!(
        quiet("12:00", "14:00", "2026-11-30T11:00:00Z").as_deref(),
        Some("2026-11-30T13:00:00Z"),
        "the beginning is quiet"
    );
    assert_eq!(quiet("12:00", "14:00", "2026-11-30T10:59:59Z"), None);
    assert_eq!(
        quiet("22:00", "07:00", "2026-11-29T21:00:00Z").as_deref(),
        Some("2026-11-30T06:00:00Z"),
        "also of a night"
    );
    assert_eq!(quiet("12:00", "14:00", "2026-11-30T13:00:00Z"), None);
    assert_eq!(quiet("08:00", "08:00", "2026-11-30T07:00:00Z"), None, "equal ends: never");
}

#[test]
fn quiet_hours_are_right_in_the_nights_when_clocks_change() {
    // Spring: 02:00 becomes 03:00 on 28 March 2027; the night is an hour shorter.
    assert_eq!(
        quiet("22:00", "07:00", "2027-03-27T21:30:00Z").as_deref(),
        Some("2027-03-28T05:00:00Z")
    );
    // An end that does not exist that night (02:30) is the moment after the gap.
    assert_eq!(
        quiet("22:00", "02:30", "2027-03-27T22:00:00Z").as_deref(),
        Some("2027-03-28T01:30:00Z")
    );
    assert_eq!(
        quiet("22:00", "02:30", "2027-03-28T01:10:00Z").as_deref(),
        Some("2027-03-28T01:30:00Z"),
        "03:10, a moment before that end"
    );
    // Autumn: 03:00 becomes 02:00 on 31 October 2027; an end that comes twice is the first.
    assert_eq!(
        quiet("22:00", "02:30", "2027-10-30T21:00:00Z").as_deref(),
        Some("2027-10-31T00:30:00Z")
    );
    assert_eq!(quiet("22:00", "02:30", "2027-10-31T01:15:00Z"), None, "02:15 for the second time");
    assert_eq!(
        quiet("22:00", "07:00", "2027-10-30T21:00:00Z").as_deref(),
        Some("2027-10-31T06:00:00Z")
    );
}

#[test]
fn a_daily_digest_goes_out_at_its_time_today_or_tomorrow() {
    let daily = AlertPace::Daily { at: "18:00".parse().expect("a time") };
    let due = |now: &str| daily.due(now.parse().expect("a time"), &amsterdam()).to_string();
    assert_eq!(due("2026-11-30T16:59:00Z"), "2026-11-30T17:00:00Z");
    assert_eq!(due("2026-11-30T17:00:00Z"), "2026-12-01T17:00:00Z");
    assert_eq!(AlertPace::Instant.due(start(), &amsterdam()), start());
}

#[test]
fn the_cap_counts_the_last_24_hours() {
    // A hundred, one a minute.
    let sent: Vec<Timestamp> = (0..100).map(|n| after(n * MINUTE)).collect();
    let now = after(2 * HOUR);
    assert_eq!(cap_allows(&sent[..99], DAILY_CAP, now), now);
    assert_eq!(
        cap_allows(&sent, DAILY_CAP, now),
        after(24 * HOUR),
        "when the first of them is a day old"
    );
    assert_eq!(cap_allows(&sent, DAILY_CAP, after(24 * HOUR)), after(24 * HOUR));
    let early = after(24 * HOUR) - Duration::from_millis(1);
    assert_eq!(cap_allows(&sent, DAILY_CAP, early), after(24 * HOUR));
    let moment = after(99 * MINUTE);
    assert_eq!(
        cap_allows(&sent, DAILY_CAP, moment),
        after(24 * HOUR),
        "what is sent in this very moment counts"
    );
    assert_eq!(
        cap_allows(&sent, DAILY_CAP, moment - MINUTE),
        moment - MINUTE,
        "the future does not"
    );
    assert_eq!(cap_allows(&[], 0, now), now, "a cap of none is a cap of one");
    assert_eq!(cap_allows(&sent[..1], 0, now), after(24 * HOUR));
}

#[test]
fn a_blind_search_says_so_once_and_once_when_it_sees_again() {
    let mut sight = Sight::starting(start());
    assert_eq!(sight.saw_nothing(after(5 * HOUR), start(), BLIND_AFTER), None);
    let told = sight.saw_nothing(after(6 * HOUR), start(), BLIND_AFTER);
    assert_eq!(told, Some(Tell::Blind { since: start() }));
    assert_eq!(sight.saw_nothing(after(9 * HOUR), start(), BLIND_AFTER), None, "only once");
    assert_eq!(sight.saw(after(10 * HOUR)), Some(Tell::Recovered { since: start() }));
    assert_eq!(sight.saw(after(11 * HOUR)), None, "only once");
}

#[test]
fn blindness_counts_from_the_last_time_it_saw() {
    let mut sight = Sight::starting(start());
    sight.saw(after(10 * HOUR));
    sight.saw(after(9 * HOUR));
    let almost = after(16 * HOUR) - Duration::from_millis(1);
    assert_eq!(sight.saw_nothing(almost, start(), BLIND_AFTER), None);
    let told = sight.saw_nothing(after(16 * HOUR), start(), BLIND_AFTER);
    assert_eq!(told, Some(Tell::Blind { since: after(10 * HOUR) }));
}

#[test]
fn a_night_in_which_the_computer_slept_blinds_nobody() {
    let mut sight = Sight::starting(start());
    let woke = after(9 * HOUR);
    assert_eq!(sight.saw_nothing(after(9 * HOUR + MINUTE), woke, BLIND_AFTER), None);
    let told = sight.saw_nothing(after(15 * HOUR), woke, BLIND_AFTER);
    assert_eq!(told, Some(Tell::Blind { since: start() }));
}

fn any_attempt() -> impl Strategy<Value = Attempt> {
    let wish = proptest::option::of((0_u64..200_000).prop_map(Duration::from_secs));
    prop_oneof![
        wish.prop_map(|wish| not_sent(NotSent::Server, wish)),
        Just(greylisted()),
        Just(busy()),
        Just(unknown(Repeat::OnceOrTwice)),
        Just(unknown(Repeat::Freely)),
        Just(held(Hold::DailyLimit)),
        Just(held(Hold::SecretsLocked)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever happens, no message is tried after its 48 hours, and every message comes to an end.
    #[test]
    fn nothing_is_tried_after_48_hours(
        attempts in proptest::collection::vec((any_attempt(), 0.0..1.0_f64), 60)
    ) {
        let (mut tried, mut now, mut ended) = (fresh(), start(), false);
        for (attempt, random) in attempts.iter().cycle().take(4_000) {
            let step = next(attempt, &tried, &Pace::MAIL, now, *random);
            let Some(at) = step.at() else { ended = true; break };
            prop_assert!(at >= now);
            if let Next::RetryAt { wait, .. } = step {
                prop_assert!(at <= after(GIVE_UP_AFTER), "{at} after {attempt:?}");
                tried.last_wait = Some(wait);
            }
            tried.attempts += 1;
            tried.unknowns += u32::from(matches!(attempt, Attempt::Unknown { .. }));
            now = at;
        }
        prop_assert!(ended, "still alive at {now}");
    }
}
