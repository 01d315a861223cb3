//! From a source to one flat array of nodes with what each text may mean.

pub(crate) mod annotate;
pub(crate) mod columns;
pub(crate) mod doc;
pub(crate) mod flat;
pub(crate) mod guard;
pub(crate) mod image;
mod runs;
pub(crate) mod tag;
pub(crate) mod tagpath;
mod units;
