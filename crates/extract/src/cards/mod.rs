//! Which repeated structure is the list of listings.

pub(crate) mod link;
pub(crate) mod pick;
pub(crate) mod refine;
pub(crate) mod score;
pub(crate) mod shape;
pub(crate) mod single;
