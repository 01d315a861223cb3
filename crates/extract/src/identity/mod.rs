//! Who a listing is: canonical addresses and id tokens.

pub(crate) mod attribute;
pub(crate) mod canonical;
pub(crate) mod place;
