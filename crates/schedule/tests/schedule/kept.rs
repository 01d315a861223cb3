//! What a change holds, and what is handed out again when it could not be kept.

use firstknock_listing::SearchId;
use firstknock_policy::{Kind, Outcome};
use firstknock_schedule::{AppState, Change, DomainState, HostUpdate, Purpose, SearchState};

use crate::world::{World, host, secs, wall};

const ONE: [&str; 1] = ["https://a.example/1"];

#[test]
fn a_change_with_anything_to_write_is_not_empty() {
    assert!(Change::default().is_empty());
    let full = [
        Change { hosts: vec![HostUpdate::Clear(host("a.example"))], ..Change::default() },
        Change { searches: vec![SearchState::default()], ..Change::default() },
        Change { removed_searches: vec![SearchId(1)], ..Change::default() },
        Change { domains: vec![DomainState::default()], ..Change::default() },
        Change { app: Some(AppState::default()), ..Change::default() },
    ];
    for change in full {
        assert!(!change.is_empty(), "{change:?}");
    }
}

#[test]
fn stopping_and_starting_is_kept() {
    let mut world = World::settled(&ONE);
    world.schedule.take_change();
    world.schedule.stop(world.now);
    let stopped_ms = Some(world.now.as_millisecond());
    let change = world.schedule.take_change();
    assert_eq!(change.app, Some(AppState { stopped_ms, offline_ms: None }));
    let dice = &mut world.dice;
    world.schedule.start(world.now, &mut || dice.draw());
    assert_eq!(world.schedule.take_change().app, Some(AppState::default()));
}

#[test]
fn going_offline_and_coming_back_is_kept() {
    let mut world = World::settled(&ONE);
    world.schedule.take_change();
    world.set_online(false);
    let offline_ms = Some(world.now.as_millisecond());
    let change = world.schedule.take_change();
    assert_eq!(change.app, Some(AppState { stopped_ms: None, offline_ms }));
    let test = world.next();
    let change = world.report(&test, &Outcome::Answer);
    assert_eq!(change.app, Some(AppState::default()));
}

#[test]
fn a_deletion_and_a_stop_that_could_not_be_kept_are_handed_out_again() {
    let mut world = World::settled(&ONE);
    world.schedule.take_change();
    world.schedule.remove_search(SearchId(1), world.now);
    world.schedule.stop(world.now);
    let change = world.schedule.take_change();
    world.schedule.not_kept(&change);
    let again = world.schedule.take_change();
    assert_eq!(again.removed_searches, [SearchId(1)]);
    assert_eq!((again.app.is_some(), again.app), (true, change.app));
    world.schedule.not_kept(&Change::default());
    assert!(world.schedule.take_change().is_empty());
}

#[test]
fn a_clock_that_was_set_back_moves_the_stop_that_is_kept() {
    let mut world = World::settled(&ONE);
    world.schedule.stop(world.now);
    world.schedule.take_change();
    world.pass(secs(100));
    world.plan();
    world.now = world.now.checked_sub(secs(86_400)).expect("a moment");
    world.plan();
    let stopped_ms = Some(world.now.as_millisecond() - 100_000);
    let change = world.schedule.take_change();
    assert_eq!(change.app, Some(AppState { stopped_ms, offline_ms: None }));
}

#[test]
fn a_host_about_which_nothing_is_known_is_forgotten() {
    let mut world = World::settled(&ONE);
    let firstknock_schedule::Permit::Go(preview) =
        world.ask("https://stranger.example/", Purpose::Preview)
    else {
        panic!("nothing is in the way");
    };
    world.report(&preview, &Outcome::Answer);
    world.pass(secs(3600));
    world.wake_up();
    let stranger = HostUpdate::Clear(host("stranger.example"));
    let hosts = world.schedule.take_change().hosts;
    assert!(!hosts.is_empty() && !hosts.contains(&stranger), "{hosts:?}");
}

#[test]
fn deleting_and_adding_a_search_neither_unlocks_the_button_nor_gives_a_second_free_probe() {
    let mut world = World::settled(&ONE);
    let key = host("a.example");
    let refuse = |world: &mut World| {
        let check = world.next();
        world.report(&check, &wall(Kind::Denied))
    };
    refuse(&mut world);
    world.schedule.hold(&key, world.now);
    assert!(world.schedule.release(&key, None, world.now));
    // The probe goes out and is never heard of again.
    world.next();
    world.pass(secs(300));
    world.ask("https://stranger.example/", Purpose::Preview);
    world.schedule.remove_search(SearchId(1), world.now);
    world.add(crate::world::spec(2, ONE[0])).expect("added");
    world.schedule.hold(&key, world.now);
    assert!(!world.schedule.release(&key, None, world.now), "once per ladder wait");
    // An offence at the button is remembered as well.
    world.schedule.retry_now(SearchId(2), world.now).expect("ready");
    refuse(&mut world);
    let probe = world.next();
    world.report(&probe, &Outcome::Answer);
    world.schedule.remove_search(SearchId(2), world.now);
    world.add(crate::world::spec(3, ONE[0])).expect("added");
    refuse(&mut world);
    world.schedule.retry_now(SearchId(3), world.now).expect("ready");
    let change = refuse(&mut world);
    let second = change
        .notes
        .iter()
        .any(|note| matches!(note, firstknock_schedule::Note::ButtonLocked { offence: 2, .. }));
    assert!(second, "{:?}", change.notes);
}
