//! When a message goes out, and what it says, with the engine on the street; only the clock is
//! ours.

use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_monitor::store::PostKind;
use firstknock_monitor::{Engine, PauseWhy, QuietHours, Search, SearchWish, Tell};
use firstknock_rehearsal::street::Wall;

use crate::play::{Play, decoded};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

async fn search(engine: &Engine, id: SearchId) -> Search {
    let found = engine.store().run(move |store| store.search(id)).await.expect("read");
    found.expect("it is there")
}

pub(crate) async fn edit(engine: &Engine, id: SearchId, change: impl FnOnce(&mut SearchWish)) {
    let mut wish = search(engine, id).await.wish;
    change(&mut wish);
    engine.edit_search(id, wish).await.expect("taken");
}

async fn set(engine: &Engine, settings: serde_json::Value) {
    let now = engine.clock().now();
    let done = engine.store().run(move |store| store.set_setting("app", &settings, now)).await;
    done.expect("kept");
}

/// Lets hours pass in seconds: longer steps than the street's own tests take.
pub(crate) async fn hours_pass(play: &Play, time: Duration) {
    let until = play.now() + time;
    while play.now() < until {
        play.clock.advance(Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(8)).await;
    }
}

fn subjects(play: &Play, word: &str) -> usize {
    play.mails().iter().filter(|mail| decoded(mail).contains(word)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_says_when_its_listing_was_not_there_yet() {
    let play = Play::begin(31).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().add_home();
    play.clock.until("the mail", 5 * MINUTE, || !play.mails().is_empty()).await;
    let mail = decoded(&play.mails()[0]);
    assert!(mail.contains("Not there yet at "), "{mail}");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_searches_of_a_host_that_waits_say_once_that_they_are_blind_and_once_that_they_see() {
    let play = Play::begin(32).await;
    set(play.engine(), serde_json::json!({ "blind_after_hours": 1 })).await;
    let mut ids = Vec::new();
    for town in ["a", "b", "c"] {
        ids.push(play.add(town).await);
    }
    play.until_checked(3, 12).await;
    play.engine().set_muted(ids[2], true).await.expect("muted");
    play.site().wall(Some(Wall::Challenge));
    hours_pass(&play, HOUR / 2).await;
    assert_eq!(play.mails().len(), 0, "half an hour blinds nobody");
    hours_pass(&play, 2 * HOUR).await;
    assert_eq!(subjects(&play, "Nothing seen for"), 2, "each once, and the muted one not at all");
    for mail in play.mails() {
        let mail = decoded(&mail);
        assert!(mail.contains("Cloudflare shows a check (header"), "{mail}");
    }
    play.site().wall(None);
    hours_pass(&play, 2 * HOUR).await;
    let recovered = |mail: &&String| mail.contains("Message-ID") && !is_blind(mail);
    assert_eq!(play.mails().iter().filter(recovered).count(), 2, "once each");
    // The muted one is well again without a word: the next time it is blind anew.
    let muted = ids[2];
    let facts = play.engine().store().run(move |store| store.search_facts(muted)).await;
    assert_eq!(facts.expect("read").blind_told_at, None);
    play.end().await;
}

fn is_blind(mail: &str) -> bool {
    decoded(mail).contains("Nothing seen for")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_quiet_hours_held_back_comes_as_one_mail_when_they_end() {
    let play = Play::begin(33).await;
    let id = play.add("waterveen").await;
    play.until_checked(1, 12).await;
    // The stage's clock shows eight in the morning, UTC.
    let quiet = QuietHours { from_minute: 7 * 60, to_minute: 10 * 60, zone: "UTC".into() };
    edit(play.engine(), id, |wish| wish.quiet = Some(quiet)).await;
    for _ in 0..3 {
        hours_pass(&play, 10 * MINUTE).await;
        play.site().add_home();
    }
    hours_pass(&play, 30 * MINUTE).await;
    assert_eq!(play.mails().len(), 0, "nothing before ten");
    hours_pass(&play, HOUR + 10 * MINUTE).await;
    let mails = play.mails();
    assert_eq!(mails.len(), 1, "one summary");
    for home in play.site().homes().iter().take(3) {
        assert!(decoded(&mails[0]).contains(&home.title), "{}", home.title);
    }
    assert!(decoded(&mails[0]).contains("Your quiet hours are over."));
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_night_asleep_is_one_digest_and_a_word_on_the_board() {
    let play = Play::begin(34).await;
    for town in ["a", "b"] {
        play.add(town).await;
    }
    play.until_checked(2, 12).await;
    hours_pass(&play, 5 * MINUTE).await;
    // No look is under way, and none is about to be: what is added now is first seen after the night.
    play.clock.until("a quiet moment", 10 * MINUTE, || play.is_quiet()).await;
    for _ in 0..3 {
        play.site().add_home();
    }
    let gone = play.site().homes().last().expect("a home").id;
    assert!(play.site().remove_home(gone));
    play.clock.sleep_through(8 * HOUR);
    hours_pass(&play, 10 * MINUTE).await;
    let mails = play.mails();
    assert_eq!(mails.len(), 1, "both searches in one");
    assert!(decoded(&mails[0]).contains("Firstknock was not running since"));
    let away = play.engine().board().borrow().facts.away.clone().expect("a word about it");
    assert_eq!((away.appeared, away.gone, away.why), (3, 1, PauseWhy::Asleep));
    assert!(away.to.duration_since(away.from).as_hours() >= 8);
    play.engine().dismiss_away().await;
    play.clock
        .until("it is put away", MINUTE, || play.engine().board().borrow().facts.away.is_none())
        .await;
    // The next find is told at once again.
    play.site().add_home();
    play.clock.until("the next mail", 5 * MINUTE, || play.mails().len() == 2).await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_the_days_cap_everything_comes_in_one_digest_the_next_day() {
    let play = Play::begin(35).await;
    set(play.engine(), serde_json::json!({ "daily_mail_cap": 2 })).await;
    // The cap is a mail account's; what it sends goes to files here.
    let now = play.now();
    let config = serde_json::json!({ "channel": "file" });
    let put = move |store: &mut firstknock_monitor::store::Store| {
        store.put_channel("mail", "smtp", true, &config, now)
    };
    play.engine().store().run(put).await.expect("kept");
    let id = play.add("waterveen").await;
    play.until_checked(1, 12).await;
    edit(play.engine(), id, |wish| wish.interval = Duration::from_secs(600)).await;
    for _ in 0..5 {
        play.site().add_home();
        hours_pass(&play, 25 * MINUTE).await;
    }
    assert_eq!(play.mails().len(), 2, "the cap");
    let waiting = play.engine().store().run(|store| store.unrendered("mail")).await.expect("read");
    assert_eq!(waiting.len(), 1);
    assert_eq!((waiting[0].kind, waiting[0].finds.len()), (PostKind::Digest, 3));
    let at = waiting[0].next_at.expect("it waits");
    assert!(at <= now + 25 * HOUR && at > now + 23 * HOUR, "a day after the first: {at}");
    // The site is asked every ten minutes meanwhile; that is not what this test is about.
    play.engine().stop().await;
    let left = Duration::try_from(at.duration_since(play.now())).expect("ahead");
    play.clock.advance(left + MINUTE);
    play.clock.until("the digest", 5 * MINUTE, || play.mails().len() == 3).await;
    let all = play.mails().iter().map(|mail| decoded(mail)).collect::<String>();
    assert!(all.contains("mail limit was reached"), "{all}");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_that_nobody_was_told_of_is_new_also_if_its_price_fell_meanwhile() {
    let play = Play::begin(36).await;
    let silent = play.add("a").await;
    let late = play.add("b").await;
    play.until_checked(2, 12).await;
    edit(play.engine(), silent, |wish| wish.tell = Tell { new: false, ..wish.tell }).await;
    edit(play.engine(), late, |wish| wish.tell = Tell { price_drops: false, ..wish.tell }).await;
    play.engine().set_enabled(late, false).await.expect("paused");
    play.clock.until("a quiet moment", 10 * MINUTE, || play.is_quiet()).await;
    let home = play.site().add_home();
    hours_pass(&play, 5 * MINUTE).await;
    assert_eq!(play.mails().len(), 0, "the one that saw it tells nothing new");
    assert!(play.site().reprice(home.id, home.rent - 50));
    play.engine().set_enabled(late, true).await.expect("runs");
    play.clock.until("the mail", 10 * MINUTE, || !play.mails().is_empty()).await;
    let mail = decoded(&play.mails()[0]);
    assert!(mail.contains(&home.title) && !mail.contains("price drop"), "{mail}");
    play.end().await;
}

/// Two searches see the same homes; the first tells only what is new, and sees a change first.
async fn two_searches(seed: u64, both_want: bool) -> (Play, [SearchId; 2]) {
    let play = Play::begin(seed).await;
    let ids = [play.add("a").await, play.add("b").await];
    play.until_checked(2, 12).await;
    if !both_want {
        let only_new = Tell { new: true, price_drops: false, relisted: false };
        edit(play.engine(), ids[0], |wish| wish.tell = only_new).await;
    }
    // Edited searches look again at once.
    play.clock.until("a quiet moment", 10 * MINUTE, || play.is_quiet()).await;
    play.engine().set_enabled(ids[1], false).await.expect("paused");
    (play, ids)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drop_that_a_search_without_drops_sees_first_is_told_by_its_neighbour_once() {
    let (play, ids) = two_searches(37, false).await;
    let home = play.site().homes()[4].clone();
    assert!(play.site().reprice(home.id, home.rent - 50));
    hours_pass(&play, 5 * MINUTE).await;
    assert_eq!(play.mails().len(), 0, "the one that saw it tells no drops");
    play.engine().set_enabled(ids[1], true).await.expect("runs");
    play.clock.until("the mail", 10 * MINUTE, || !play.mails().is_empty()).await;
    hours_pass(&play, 10 * MINUTE).await;
    let mails = play.mails();
    assert_eq!(mails.len(), 1, "once");
    let mail = decoded(&mails[0]);
    assert!(mail.contains(&home.title) && mail.contains("(was "), "{mail}");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drop_that_both_searches_want_is_one_mail() {
    let (play, ids) = two_searches(38, true).await;
    let home = play.site().homes()[4].clone();
    assert!(play.site().reprice(home.id, home.rent - 50));
    play.clock.until("the mail", 10 * MINUTE, || !play.mails().is_empty()).await;
    play.engine().set_enabled(ids[1], true).await.expect("runs");
    hours_pass(&play, 10 * MINUTE).await;
    assert_eq!(play.mails().len(), 1, "nobody hears of it twice");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fall_in_price_that_makes_a_home_fit_is_told_also_where_no_drops_are_wanted() {
    let play = Play::begin(39).await;
    let id = play.add("a").await;
    play.until_checked(1, 12).await;
    let home = play.site().homes()[4].clone();
    let only_new = Tell { new: true, price_drops: false, relisted: false };
    edit(play.engine(), id, |wish| {
        wish.tell = only_new;
        wish.criteria.max_cents = Some(i64::from(home.rent) * 100 - 1);
    })
    .await;
    play.clock.until("a quiet moment", 10 * MINUTE, || play.is_quiet()).await;
    hours_pass(&play, 5 * MINUTE).await;
    assert_eq!(play.mails().len(), 0, "it is too dear");
    assert!(play.site().reprice(home.id, home.rent - 50));
    play.clock.until("the mail", 10 * MINUTE, || !play.mails().is_empty()).await;
    let mail = decoded(&play.mails()[0]);
    assert!(mail.contains(&home.title) && mail.contains("(was "), "{mail}");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_and_went_while_a_site_refused_us_is_a_word_on_the_board() {
    let play = Play::begin(40).await;
    play.add("a").await;
    play.until_checked(1, 12).await;
    play.site().wall(Some(Wall::Denied));
    hours_pass(&play, 5 * MINUTE).await;
    for _ in 0..2 {
        play.site().add_home();
    }
    let gone = play.site().homes().last().expect("a home").id;
    assert!(play.site().remove_home(gone));
    hours_pass(&play, 40 * MINUTE).await;
    play.site().wall(None);
    let away = || play.engine().board().borrow().facts.away.clone();
    play.clock.until("a word about it", 90 * MINUTE, || away().is_some()).await;
    let away = away().expect("there");
    assert_eq!((away.appeared, away.gone, away.why), (2, 1, PauseWhy::Blocked));
    assert!(away.host.is_some_and(|host| play.site().search_url("a").contains(host.as_str())));
    assert!(away.to.duration_since(away.from).as_mins() >= 40);
    play.end().await;
}
