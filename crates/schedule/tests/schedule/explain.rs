//! Why a host waits, in words.

use firstknock_listing::catalogue::Language;
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::Fact;

use crate::world::{World, host, login, secs, trouble, wall, wall_asking};

/// The facts' keys without the common beginning.
fn keys(world: &World) -> Vec<&'static str> {
    let facts = world.schedule.explain(&host("a.example"), world.now);
    facts.iter().map(|fact| fact.key().trim_start_matches("explain_")).collect()
}

fn refused(outcome: &Outcome) -> World {
    let mut world = World::settled(&["https://a.example/1", "https://a.example/2"]);
    let check = world.next();
    world.report(&check, outcome);
    world
}

#[test]
fn a_waiting_host_says_why_since_when_what_it_asked_and_what_happens_next() {
    let world = refused(&wall_asking(Kind::RateLimited, Some(300)));
    let expected =
        ["waits", "asked", "looks_in", "if_answered", "if_refused", "button_site_asked", "seen"];
    assert_eq!(keys(&world), expected);
    let world = refused(&wall_asking(Kind::RateLimited, Some(86_400)));
    assert_eq!(keys(&world)[1], "asked_long");
    let world = refused(&wall(Kind::Challenge));
    assert_eq!(keys(&world)[1], "asked_nothing");
}

#[test]
fn a_welcome_host_says_so_and_what_else_there_is() {
    let world = World::settled(&["https://a.example/1"]);
    assert_eq!(keys(&world), ["answers", "looks_in"]);
    let world = refused(&trouble(Reason::Timeout));
    assert_eq!(keys(&world), ["answers", "looks_in", "strike"]);
    let world = refused(&login());
    assert_eq!(keys(&world), ["answers", "looks_in", "page_waits"]);
    let world = refused(&trouble(Reason::PageGone));
    assert_eq!(keys(&world), ["answers", "looks_in", "page_gone"]);
}

#[test]
fn a_paused_neighbourhood_says_that_nobody_looks_in() {
    let mut world = refused(&wall(Kind::Challenge));
    for id in [1, 2] {
        let id = firstknock_listing::SearchId(id);
        world.schedule.set_enabled(id, false, world.now).expect("paused");
    }
    assert_eq!(keys(&world), ["waits", "asked_nothing", "nobody_looks_in", "seen"]);
}

#[test]
fn every_fact_has_a_sentence_without_holes_in_every_language() {
    let mut world = refused(&wall_asking(Kind::RateLimited, Some(86_400)));
    let mut facts = world.schedule.explain(&host("a.example"), world.now);
    world.schedule.stop(world.now);
    facts.extend(world.schedule.explain(&host("a.example"), world.now));
    let probing = &mut refused(&wall(Kind::Denied));
    probing.next();
    facts.extend(probing.schedule.explain(&host("a.example"), probing.now));
    for outcome in
        [trouble(Reason::Timeout), login(), trouble(Reason::PageGone), wall(Kind::Denied)]
    {
        let world = refused(&outcome);
        facts.extend(world.schedule.explain(&host("a.example"), world.now));
    }
    facts.push(Fact::Offline { since: world.now });
    facts.push(Fact::SiteOpen { since: world.now });
    facts.push(Fact::NobodyLooksIn);
    facts.push(Fact::Asked { wait: secs(300) });
    facts.push(Fact::IfAnswered { searches: 1 });
    let until = world.now;
    facts.push(Fact::ButtonLocked { until, why: firstknock_schedule::LockWhy::RefusedAgain });
    for language in Language::ALL {
        for fact in &facts {
            let text = fact.say(language, &|at| at.strftime("%H:%M").to_string());
            assert!(!text.contains('{') && !text.starts_with("explain_"), "{language:?}: {text}");
        }
    }
}

#[test]
fn a_host_with_one_search_says_what_happens_next_as_well() {
    let mut world = World::settled(&["https://a.example/1"]);
    let check = world.next();
    world.report(&check, &wall(Kind::Challenge));
    assert_eq!(
        keys(&world),
        ["waits", "asked_nothing", "looks_in", "if_answered", "if_refused", "seen"]
    );
}

#[test]
fn an_hour_is_not_yet_more_than_the_hour_after_which_we_look_in() {
    for (asked, key) in [(3600, "asked"), (3601, "asked_long")] {
        let world = refused(&wall_asking(Kind::RateLimited, Some(asked)));
        assert_eq!(keys(&world)[1], key, "{asked} s");
    }
}

#[test]
fn a_stopped_app_and_one_that_can_keep_nothing_say_so_first() {
    let mut world = World::settled(&["https://a.example/1"]);
    world.schedule.stop(world.now);
    assert_eq!(keys(&world)[0], "stopped");
    let mut world = World::settled(&["https://a.example/1"]);
    world.schedule.storage_failed(firstknock_schedule::StopWhy::DiskFull, world.now);
    assert_eq!(keys(&world)[0], "stopped");
}
