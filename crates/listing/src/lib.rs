//! The nouns of Firstknock: what a listing, a search and a host *are*.
//!
//! **Promises**: parse at the door into types that cannot be wrong later; matching and `diff` are
//! pure functions. **Leaves out**: I/O, the clock, randomness, and any idea of *when*.

#![warn(missing_docs)]

mod address;
pub mod catalogue;
mod criteria;
mod diff;
mod host;
mod key;
mod listing;
mod quantity;
mod search;
mod signs;
mod text;

pub use address::{SearchUrl, SearchUrlError};
pub use criteria::{Criteria, Hidden, fold};
pub use diff::{Change, Diff, Known, diff};
pub use host::{Domain, HostKey};
pub use key::{KeyKind, ListingKey};
pub use listing::{Evidence, Flags, Listing, PostalAddress, Role};
pub use quantity::{Area, Currency, Money, Period, RentKind, Rooms};
pub use search::{ListingId, Revision, SearchId};
pub use signs::{PageKind, PageSigns};
pub use text::{clean_line, truncate_chars};
