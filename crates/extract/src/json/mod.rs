//! Data that a page carries beside its markup: JSON of every kind, read without running a script.
//!
//! **Promises**: [`blobs`] finds the data in scripts and attributes, [`record_sets`] finds the
//! arrays and maps of similar objects in it and reads each object as far as its keys tell (key
//! words in ten languages × plausible values × coverage × distinctness). Depth, counts and bytes
//! are capped; what is cut short is read up to the cut. **Leaves out**: whether these records are
//! the page's list. Map pins are supersets, top blocks subsets; the miner compares with the cards.

mod blob;
mod call;
mod devalue;
mod flatten;
mod flight;
mod language;
mod pairs;
mod pick;
mod reader;
mod record;
mod references;
mod scalar;
mod script;
mod vocabulary;
mod walk;
mod words;

pub use blob::{AttributeText, Blob, Blobs, ScriptText, blobs};
pub use devalue::revive;
pub use flight::rows as flight_rows;
pub use reader::{Read, read};
pub use record::{Record, RecordSet};
pub use walk::{answer, record_sets};

pub(crate) use blob::open_strings;
pub(crate) use language::country;
pub(crate) use reader::MAX_BYTES;
pub(crate) use record::of_units;
pub(crate) use walk::{MAX_RECORDS, answer_sets};
