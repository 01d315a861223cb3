//! The rehearsal: rental sites on loopback with walls on demand, and months that pass in seconds.
//!
//! **Promises**: everything here is played with real parts (a real HTTP server, the real engine);
//! a seed replays the same street. **Leaves out**: the real network.

mod clock;
pub mod street;

pub use clock::FakeClock;
pub use firstknock_monitor::Dice;
