//! The rehearsal: rental sites on loopback with walls on demand, and months that pass in seconds.
//!
//! **Promises**: everything here is played with real parts (a real HTTP server, the real engine, or
//! its pure parts step by step); a seed replays the same street and the same month. **Leaves out**:
//! the real network.

mod clock;
pub mod months;
pub mod street;
pub mod weeks;

pub use clock::FakeClock;
pub use firstknock_monitor::Dice;
