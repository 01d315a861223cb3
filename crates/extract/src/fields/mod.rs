//! From a card to the fields of a listing.

pub(crate) mod address;
pub(crate) mod card;
pub(crate) mod labels;
pub(crate) mod numbers;
pub(crate) mod title;
