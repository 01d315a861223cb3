//! Rehearsed months: the real schedule, policy, store and outbox steps in a made-up world, with
//! every promise checked at every step.
//!
//! **Promises**: one seed is one world and replays to the millisecond; what the watchers check they
//! count themselves. **Leaves out**: tokio, sockets, reading pages (the street has those).
//!
//! The files: [`world`] the loop; [`start`], [`shell`], [`look`] and [`sender`] the app's own steps;
//! [`events`] what happens to it, [`site`] and [`post`] the far ends, [`requests`], [`mails`]
//! and [`quiet`] the watchers.

mod events;
mod look;
mod mails;
mod page;
mod post;
mod quiet;
mod requests;
mod rule;
mod sabotage;
mod sender;
mod shell;
mod site;
mod start;
mod time;
mod world;

use std::time::Duration;

use firstknock_policy::Outcome;

pub use rule::{Broken, Rule};
pub use sabotage::Sabotage;

use rule::Stop;
use world::World;

/// How long a world lives.
#[derive(Debug, Clone, Copy)]
pub struct Length {
    /// At most so many turns of the app's loop.
    pub turns: u32,
    /// At most so much of its own time.
    pub time: Duration,
}

/// What a world lived through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lived {
    /// How long.
    pub time: Duration,
    /// Requests that went out.
    pub requests: usize,
    /// Pages that were answered.
    pub answers: usize,
    /// Walls that were met.
    pub refusals: usize,
    /// Trouble on the way.
    pub troubles: usize,
    /// Times that the process died.
    pub crashes: usize,
    /// Times that nothing could be kept.
    pub storage_stops: usize,
    /// Presses of the retry button that were allowed.
    pub presses: usize,
    /// Messages written.
    pub told: usize,
    /// Deliveries tried.
    pub attempts: usize,
}

impl Lived {
    fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Answer => self.answers += 1,
            Outcome::Wall(_) => self.refusals += 1,
            Outcome::Trouble(_) => self.troubles += 1,
        }
    }

    /// The two together.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            time: self.time + other.time,
            requests: self.requests + other.requests,
            answers: self.answers + other.answers,
            refusals: self.refusals + other.refusals,
            troubles: self.troubles + other.troubles,
            crashes: self.crashes + other.crashes,
            storage_stops: self.storage_stops + other.storage_stops,
            presses: self.presses + other.presses,
            told: self.told + other.told,
            attempts: self.attempts + other.attempts,
        }
    }
}

/// How long the mail server needs at most to get all that waits: what is given up is so after two
/// days, a daily message and a night may come before.
const ALL_MAIL: Duration = Duration::from_secs(100 * 3600);
/// How often a sender looks at least.
const LOOKS_AGAIN: Duration = Duration::from_secs(600);
/// Turns of the quiet end.
const LAST_TURNS: u32 = 60;

/// Lives the world of a seed to its end.
///
/// # Errors
/// The first promise that did not hold.
pub fn live(seed: u64, length: &Length, sabotage: Option<Sabotage>) -> Result<Lived, Broken> {
    let mut world = World::new(seed, length, sabotage);
    let mut step = world.set_up();
    for _ in 0..length.turns {
        match step {
            Ok(()) => {}
            Err(Stop::Crash) => world.crash()?,
            Err(Stop::Broken(broken)) => return Err(broken),
        }
        if world.time.lived > length.time {
            step = Ok(());
            break;
        }
        step = world.turn();
    }
    match step {
        Err(Stop::Crash) => world.crash()?,
        Err(Stop::Broken(broken)) => return Err(broken),
        Ok(()) => {}
    }
    match the_end(&mut world) {
        Ok(()) => {}
        Err(Stop::Broken(broken)) => return Err(broken),
        Err(Stop::Crash) => unreachable!("BUG: nothing crashes at the end"),
    }
    world.lived.time = world.time.lived;
    Ok(world.lived)
}

/// Everything gets well, and whatever still waits gets its turn.
fn the_end(world: &mut World) -> Result<(), Stop> {
    world.all_is_well()?;
    for _ in 0..LAST_TURNS {
        world.turn()?;
    }
    let end = world.time.lived + ALL_MAIL;
    while let Some(at) = world.next_mail().filter(|_| world.time.lived < end) {
        // The clock may have been set back since a row was put off.
        let by = at.saturating_sub(world.time.lived).min(LOOKS_AGAIN);
        world.time.pass(by);
        world.send_mail()?;
    }
    world.mails.settled(&world.store, &world.server, &world.time)?;
    Ok(())
}
