//! The engine with its real fetcher, store and outbox, against the street; only the clock is ours.

#[expect(dead_code, reason = "the delivery tests use the rest")]
mod play;

#[path = "street/previews.rs"]
mod previews;

#[path = "street/photos.rs"]
mod photos;

use std::time::Duration;

use firstknock_monitor::store::CheckMark;
use firstknock_rehearsal::street::Wall;
use firstknock_schedule::{LockWhy, Retry, RowState};
use play::Play;

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_that_appears_is_one_mail_and_the_first_page_is_none() {
    let play = Play::begin(1).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    assert!(play.mails().is_empty(), "the first page is the baseline");

    let home = play.site().add_home();
    play.clock.until("the mail", 5 * MINUTE, || !play.mails().is_empty()).await;
    // Time for a second one, if there were one.
    play.pass(5 * MINUTE).await;
    let mails = play.mails();
    assert_eq!(mails.len(), 1, "one listing, one mail");
    let mail = play::decoded(&mails[0]);
    for part in [home.title.as_str(), home.street.as_str(), &home.rent.to_string()] {
        assert!(
            mail.replace(['.', ','], "").contains(&part.replace(['.', ','], "")),
            "{part} in {mail}"
        );
    }
    assert!(mail.contains(&format!("-{}", home.id)), "the listing's own link");
    assert!(mail.contains("waterveen"), "the search's name");
    assert!(mails[0].contains("Message-ID: <"), "a Message-ID of our own");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn five_searches_that_are_told_429_record_one_refusal_and_send_one_probe() {
    let play = Play::begin(2).await;
    for town in ["a", "b", "c", "d", "e"] {
        play.add(town).await;
    }
    play.until_checked(5, 12).await;
    play.site().wall(Some(Wall::RateLimited { retry_after: Some("600".into()) }));
    play.site().forget_requests();
    play.clock
        .until("the refusal", 5 * MINUTE, || {
            play.rows().iter().all(|r| matches!(r.state, RowState::Blocked { .. }))
        })
        .await;
    assert_eq!(play.site().requests().len(), 1, "the others did not go out");
    let rows = play.rows();
    let RowState::Blocked { retry_at, .. } = rows[0].state else { panic!("blocked") };
    assert!(
        rows.iter()
            .all(|r| matches!(r.state, RowState::Blocked { retry_at: at, .. } if at == retry_at)),
        "all five rows count down to the same moment"
    );
    let site_asked = Retry::Locked { until: retry_at, why: LockWhy::SiteAsked };
    let locked = |retry| matches!(retry, Retry::Locked { why: LockWhy::SiteAsked, .. });
    assert!(rows.iter().all(|r| locked(r.retry)), "no button shortens it: {site_asked:?}");

    // Nothing goes out before the deadline …
    let waited = Duration::try_from(retry_at.duration_since(play.now())).expect("in the future");
    assert!(waited > 9 * MINUTE, "the site asked for ten minutes: {waited:?}");
    play.pass(waited - Duration::from_secs(2)).await;
    assert_eq!(play.site().requests().len(), 1, "not before the deadline");
    // … and then one probe, refused: one failure, one rung.
    play.clock.until("the probe", MINUTE, || play.site().requests().len() == 2).await;
    play.pass(30 * Duration::from_secs(1)).await;
    assert_eq!(play.site().requests().len(), 2, "one probe, not five");

    // Let in again: everybody runs, and nobody in a burst.
    play.site().wall(None);
    play.site().forget_requests();
    play.clock
        .until("all rows are well", 30 * MINUTE, || {
            play.rows().iter().all(|r| matches!(r.state, RowState::Ok { .. }))
        })
        .await;
    let asked = play.site().requests().len();
    assert!(asked <= 8, "no burst: {asked} requests to let five searches carry on");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_the_wait() {
    let play = Play::begin(3).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().wall(Some(Wall::Challenge));
    let blocked = |play: &Play| match play.rows().first().map(|r| r.state.clone()) {
        Some(RowState::Blocked { retry_at, .. }) => Some(retry_at),
        _ => None,
    };
    play.clock.until("the wall", 5 * MINUTE, || blocked(&play).is_some()).await;
    let before = blocked(&play).expect("blocked");
    let play = play.restart().await;
    play.clock.until("the board", MINUTE, || !play.rows().is_empty()).await;
    assert_eq!(blocked(&play), Some(before), "to the millisecond");
    let asked = play.site().requests().len();
    play.pass(Duration::try_from(before.duration_since(play.now())).expect("ahead") / 2).await;
    assert_eq!(play.site().requests().len(), asked, "and it is kept");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wall_never_moves_the_baseline_and_what_appeared_behind_it_is_mailed_once() {
    let play = Play::begin(4).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().wall(Some(Wall::Denied));
    play.clock
        .until("the wall", 5 * MINUTE, || {
            play.rows().iter().any(|r| matches!(r.state, RowState::NeedsYou { .. }))
        })
        .await;
    play.site().add_home();
    play.site().wall(None);
    play.clock.until("the mail", 30 * MINUTE, || !play.mails().is_empty()).await;
    play.pass(10 * MINUTE).await;
    assert_eq!(play.mails().len(), 1);
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_retry_button_sends_one_probe_and_a_second_refusal_locks_it() {
    let play = Play::begin(5).await;
    let id = play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().wall(Some(Wall::Challenge));
    play.clock
        .until("the wall", 5 * MINUTE, || {
            play.rows().iter().any(|r| matches!(r.state, RowState::Blocked { .. }))
        })
        .await;
    play.site().forget_requests();
    play.engine().retry_now(id).await.expect("our own wait may be shortened");
    play.clock.until("the probe", MINUTE, || play.site().requests().len() == 1).await;
    let locked = |r: &Retry| matches!(r, Retry::Locked { why: LockWhy::RefusedAgain, .. });
    play.clock.until("the lock", MINUTE, || play.rows().iter().any(|r| locked(&r.retry))).await;
    assert!(play.engine().retry_now(id).await.is_err(), "the button rests");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_gone_waits_alone_and_a_broken_answer_is_no_empty_page() {
    let play = Play::begin(6).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().wall(Some(Wall::BreaksOff));
    play.clock
        .until("the first error", 5 * MINUTE, || {
            play.rows().iter().any(|r| matches!(r.state, RowState::FirstError { .. }))
        })
        .await;
    play.site().wall(Some(Wall::Gone));
    play.clock
        .until("page gone", 10 * MINUTE, || {
            play.rows().iter().any(|r| matches!(r.state, RowState::PageGone { .. }))
        })
        .await;
    play.site().wall(None);
    let marks = play.marks();
    assert!(marks.contains(&CheckMark::Failed), "{marks:?}");
    assert!(play.mails().is_empty(), "nothing was gone, nothing came back");
    play.end().await;
}
