//! A quiet month of fifteen searches, to see that it is cheap.

use firstknock_policy::Outcome;

use crate::world::{World, later, secs};

#[test]
fn a_simulated_day_of_fifteen_searches_is_fifteen_thousand_checks() {
    let urls: Vec<_> = (0..15).map(|i| format!("https://h{}.example/{i}", i % 7)).collect();
    let mut world = World::of(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    let end = later(world.now, secs(86_400));
    let mut checks = 0;
    while world.now < end {
        let check = world.next();
        world.report(&check, &Outcome::Answer);
        checks += 1;
    }
    // One every 90 s for each of the fifteen is 14,400.
    assert!((14_000..=14_900).contains(&checks), "{checks}");
}
