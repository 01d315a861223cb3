//! A delivery's life, step by step.

use std::time::Duration;

use firstknock_policy::delivery::{
    Attempt, DeliveryState, GaveUp, Hold, Next, NotSent, Repeat, after_crash,
};
use firstknock_store::{OutboxId, PostKind, Rendered, Store, StoreError};
use jiff::Timestamp;

use crate::street::at;

fn post(store: &mut Store, channel: &str, now: Timestamp) -> OutboxId {
    store.post(channel, PostKind::Notice, None, None, now).expect("posted")
}

fn rendered(text: &str) -> Rendered {
    Rendered {
        message_id: format!("<{text}@firstknock>"),
        subject: text.to_owned(),
        message: text.as_bytes().to_vec(),
    }
}

fn dropped() -> Attempt {
    Attempt::NotSent { reason: NotSent::Dropped, retry_after: None, words: "gone".to_owned() }
}

fn retry(seconds: i64) -> Next {
    Next::RetryAt { at: at(seconds), wait: Duration::from_secs(7), network_first: true }
}

fn states(store: &Store, id: OutboxId) -> Vec<DeliveryState> {
    store.delivery_steps(id).expect("read").iter().map(|step| step.state).collect()
}

#[test]
fn the_bytes_that_were_rendered_first_are_the_ones_that_go_out() {
    let mut store = Store::in_memory().expect("a store");
    let id = post(&mut store, "mail", at(0));
    assert!(matches!(store.begin_sending(id, None, at(1)), Err(StoreError::NotFound)));
    store.begin_sending(id, Some(&rendered("one")), at(1)).expect("sending");
    store.end_sending(id, &dropped(), &retry(60), at(2)).expect("kept");
    let again = store.begin_sending(id, Some(&rendered("two")), at(60)).expect("sending");
    assert_eq!(again, rendered("one"));
}

#[test]
fn a_message_is_retried_at_its_time_and_then_sent_with_the_servers_words() {
    let mut store = Store::in_memory().expect("a store");
    let id = post(&mut store, "mail", at(0));
    store.begin_sending(id, Some(&rendered("one")), at(1)).expect("sending");
    assert!(store.due("mail", at(1), 9).expect("read").is_empty(), "it is being sent");
    store.end_sending(id, &dropped(), &retry(60), at(2)).expect("kept");
    assert!(store.due("mail", at(59), 9).expect("read").is_empty());
    let due = store.due("mail", at(60), 9).expect("read").remove(0);
    let tried = due.tried.expect("tried");
    assert_eq!((tried.attempts, tried.unknowns, tried.first_tried), (1, 0, at(1)));
    assert_eq!(tried.last_wait, Some(Duration::from_secs(7)));
    assert_eq!(due.reason.as_deref(), Some("dropped"));

    store.begin_sending(id, None, at(60)).expect("sending");
    let sent = Attempt::Sent { reply: "250 2.0.0 Ok: queued as 4F".to_owned() };
    store.end_sending(id, &sent, &Next::Sent, at(61)).expect("kept");
    let row = store.delivery(id).expect("read").expect("there");
    assert_eq!(row.state, DeliveryState::Sent);
    assert_eq!(row.reply.as_deref(), Some("250 2.0.0 Ok: queued as 4F"));
    assert_eq!(row.done_at, Some(at(61)));
    use DeliveryState::{Pending, RetryAt, Sending, Sent};
    assert_eq!(states(&store, id), [Pending, Sending, RetryAt, Sending, Sent]);
    assert_eq!(store.sent_since("mail", at(0)).expect("read"), [at(61)]);
    assert_eq!(store.sent_since("mail", at(62)).expect("read"), []);
    assert!(matches!(store.begin_sending(id, None, at(70)), Err(StoreError::NotFound)));
}

#[test]
fn a_held_account_holds_all_its_messages_and_no_other_channels() {
    let mut store = Store::in_memory().expect("a store");
    let first = post(&mut store, "mail", at(0));
    let second = post(&mut store, "mail", at(0));
    let other = post(&mut store, "ntfy", at(0));
    store.begin_sending(first, Some(&rendered("one")), at(1)).expect("sending");
    let refused = Attempt::AccountHeld { hold: Hold::Auth, reply: "535 5.7.8 no".to_owned() };
    let held = Next::Held { hold: Hold::Auth, until: None };
    store.end_sending(first, &refused, &held, at(2)).expect("kept");
    let third = post(&mut store, "mail", at(3));

    for id in [first, second, third] {
        assert_eq!(store.delivery(id).expect("read").expect("there").state, DeliveryState::Held);
    }
    assert!(store.due("mail", at(999_999), 9).expect("read").is_empty());
    assert_eq!(store.next_delivery("mail").expect("read"), None);
    assert_eq!(store.due("ntfy", at(3), 9).expect("read")[0].id, other);
    let channel = store.channel("mail").expect("read").expect("there");
    assert_eq!(channel.held, Some(Hold::Auth));
    assert_eq!(channel.held_reply.as_deref(), Some("535 5.7.8 no"));

    assert_eq!(store.release_held("mail", at(10)).expect("released"), 3);
    let due: Vec<_> = store.due("mail", at(10), 9).expect("read").iter().map(|r| r.id).collect();
    assert_eq!(due, [first, second, third]);
}

#[test]
fn an_account_at_its_daily_limit_goes_on_by_itself() {
    let mut store = Store::in_memory().expect("a store");
    let id = post(&mut store, "mail", at(0));
    store.begin_sending(id, Some(&rendered("one")), at(1)).expect("sending");
    let full = Attempt::AccountHeld { hold: Hold::DailyLimit, reply: "550 5.4.5".to_owned() };
    let held = Next::Held { hold: Hold::DailyLimit, until: Some(at(1000)) };
    store.end_sending(id, &full, &held, at(2)).expect("kept");
    assert!(store.due("mail", at(999), 9).expect("read").is_empty());
    assert_eq!(store.next_delivery("mail").expect("read"), Some(at(1000)));
    let late = post(&mut store, "mail", at(500));
    let due: Vec<_> = store.due("mail", at(1000), 9).expect("read").iter().map(|r| r.id).collect();
    assert_eq!(due, [id, late], "also what was written while it was held");
    store.begin_sending(id, None, at(1000)).expect("sending");
    let sent = Attempt::Sent { reply: "250".to_owned() };
    store.end_sending(id, &sent, &Next::Sent, at(1001)).expect("kept");
    assert_eq!(store.channel("mail").expect("read").expect("there").held, None);
    let late = store.delivery(late).expect("read").expect("there");
    assert_eq!(late.state, DeliveryState::Pending, "the first that passes lets all pass");
}

#[test]
fn what_was_being_sent_when_we_died_is_unknown_and_not_failed() {
    let mut store = Store::in_memory().expect("a store");
    let id = post(&mut store, "mail", at(0));
    store.begin_sending(id, Some(&rendered("one")), at(1)).expect("sending");
    let decide = |row: &firstknock_store::OutboxRow| {
        after_crash(Repeat::OnceOrTwice, &row.tried.expect("tried"), at(100))
    };
    assert_eq!(store.recover_sending(decide, at(100)).expect("recovered"), 1);
    assert_eq!(store.recover_sending(decide, at(100)).expect("recovered"), 0);
    let row = store.due("mail", at(100), 9).expect("read").remove(0);
    assert_eq!(row.tried.expect("tried").unknowns, 1);
    assert_eq!(row.rendered, Some(rendered("one")), "the same bytes and Message-ID");
    assert_eq!(row.reason.as_deref(), Some("cut_off"));
}

#[test]
fn mail_that_cannot_be_sent_is_given_up_after_two_days_but_a_digest_is_not_late() {
    let mut store = Store::in_memory().expect("a store");
    let day = 24 * 3600;
    let old = post(&mut store, "mail", at(0));
    let maybe = post(&mut store, "mail", at(0));
    store.begin_sending(maybe, Some(&rendered("one")), at(1)).expect("sending");
    let unknown = Attempt::Unknown { repeat: Repeat::OnceOrTwice, words: String::new() };
    store.end_sending(maybe, &unknown, &retry(120), at(2)).expect("kept");
    let fresh = post(&mut store, "mail", at(day));
    assert_eq!(store.give_up_old(at(2 * day - 1)).expect("swept"), []);
    assert_eq!(store.give_up_old(at(2 * day + 60)).expect("swept"), [old, maybe]);
    let row = store.delivery(old).expect("read").expect("there");
    assert_eq!(row.state, DeliveryState::GivenUp);
    assert_eq!(row.reason.as_deref(), Some(GaveUp::TooOld.code()));
    let row = store.delivery(maybe).expect("read").expect("there");
    assert_eq!(row.state, DeliveryState::MaybeDelivered, "it may have arrived");
    assert_eq!(store.due("mail", at(2 * day + 60), 9).expect("read")[0].id, fresh);
}

#[test]
fn send_again_uses_the_same_bytes_and_counts_from_anew() {
    let mut store = Store::in_memory().expect("a store");
    let id = post(&mut store, "mail", at(0));
    store.begin_sending(id, Some(&rendered("one")), at(1)).expect("sending");
    assert!(matches!(store.send_again(id, at(2)), Err(StoreError::NotFound)), "being sent");
    let given_up = Next::GivenUp { why: GaveUp::Rejected };
    let rejected = Attempt::Rejected { reply: "554 no".to_owned() };
    store.end_sending(id, &rejected, &given_up, at(3)).expect("kept");
    store.send_again(id, at(400_000)).expect("again");
    let row = store.due("mail", at(400_000), 9).expect("read").remove(0);
    assert_eq!(row.tried, None);
    assert_eq!(row.rendered, Some(rendered("one")));
    assert_eq!(store.give_up_old(at(400_001)).expect("swept"), [], "it has two days again");
}

#[test]
fn the_networks_return_brings_forward_what_waits_for_it() {
    let mut store = Store::in_memory().expect("a store");
    let id = post(&mut store, "mail", at(0));
    store.begin_sending(id, Some(&rendered("one")), at(1)).expect("sending");
    store.end_sending(id, &dropped(), &retry(3600), at(2)).expect("kept");
    assert_eq!(store.network_is_back(at(10)).expect("kept"), 1);
    assert_eq!(store.due("mail", at(10), 9).expect("read").len(), 1);
}

#[test]
fn a_removed_channel_gives_up_what_it_had_and_says_so() {
    let mut store = Store::in_memory().expect("a store");
    store.put_channel("ntfy", "ntfy", true, &serde_json::json!({}), at(0)).expect("kept");
    let id = post(&mut store, "ntfy", at(0));
    store.remove_channel("ntfy", at(5)).expect("removed");
    let row = store.delivery(id).expect("read").expect("there");
    assert_eq!(row.state, DeliveryState::GivenUp);
    assert_eq!(row.reason.as_deref(), Some("channel_removed"));
}

#[test]
fn deliveries_are_kept_ninety_days_and_open_ones_longer() {
    let mut store = Store::in_memory().expect("a store");
    let done = post(&mut store, "mail", at(0));
    let open = post(&mut store, "mail", at(0));
    store.begin_sending(done, Some(&rendered("one")), at(1)).expect("sending");
    let sent = Attempt::Sent { reply: "250".to_owned() };
    store.end_sending(done, &sent, &Next::Sent, at(2)).expect("kept");
    let day = 24 * 3600;
    assert_eq!(store.purge(at(89 * day)).expect("purged").deliveries, 0);
    assert_eq!(store.purge(at(91 * day)).expect("purged").deliveries, 1);
    assert_eq!(store.delivery(done).expect("read"), None);
    assert!(store.delivery(open).expect("read").is_some());
}

#[test]
fn a_clock_that_was_set_back_makes_no_message_wait_longer() {
    let mut store = Store::in_memory().expect("a store");
    let year = 365 * 86_400;
    store.put_channel("mail", "smtp", true, &serde_json::json!({}), at(year)).expect("a channel");
    let id = post(&mut store, "mail", at(year));
    store.begin_sending(id, Some(&rendered("one")), at(year)).expect("sending");
    store.end_sending(id, &dropped(), &retry(year + 60), at(year)).expect("kept");
    assert!(store.due("mail", at(year - 30), 9).expect("read").is_empty(), "half a minute is none");
    assert_eq!(store.due("mail", at(0), 9).expect("read").len(), 1);

    let limit = Attempt::AccountHeld { hold: Hold::DailyLimit, reply: String::new() };
    let until = Some(at(year + 86_400));
    store.begin_sending(id, None, at(year)).expect("sending");
    let held = Next::Held { hold: Hold::DailyLimit, until };
    store.end_sending(id, &limit, &held, at(year)).expect("kept");
    assert!(store.due("mail", at(year + 60), 9).expect("read").is_empty());
    assert_eq!(store.due("mail", at(0), 9).expect("read").len(), 1);
}

#[test]
fn a_message_whose_time_a_clock_that_was_set_back_made_is_put_off_from_now() {
    let mut store = Store::in_memory().expect("a store");
    let year = 365 * 24 * 3600;
    let id = post(&mut store, "mail", at(year));
    store.begin_sending(id, Some(&rendered("one")), at(year)).expect("sending");
    store.end_sending(id, &dropped(), &retry(year + 60), at(year)).expect("kept");
    assert_eq!(store.due("mail", at(0), 9).expect("read").len(), 1, "the clock was set back");
    store.put_off(id, at(3600), at(0)).expect("kept");
    assert!(store.due("mail", at(3599), 9).expect("read").is_empty());
    assert_eq!(store.due("mail", at(3600), 9).expect("read").len(), 1, "an hour, not a year");
}

#[test]
fn only_what_a_person_asked_for_again_is_sent_again() {
    let mut store = Store::in_memory().expect("a store");
    let id = post(&mut store, "mail", at(0));
    store.begin_sending(id, Some(&rendered("one")), at(1)).expect("sending");
    let held = Attempt::AccountHeld { hold: Hold::Auth, reply: "535".to_owned() };
    let next = Next::Held { hold: Hold::Auth, until: None };
    store.end_sending(id, &held, &next, at(2)).expect("kept");
    store.release_held("mail", at(3)).expect("free");
    assert!(!store.is_sent_again(id).expect("read"), "its account was held");
    store.send_again(id, at(4)).expect("asked");
    assert!(store.is_sent_again(id).expect("read"));
}
