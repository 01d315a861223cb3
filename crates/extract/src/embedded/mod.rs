//! Listings in embedded data, as enricher and as rescue.
//!
//! **Promises**: trust comes from agreement with the visible cards. **Leaves out**: reading the
//! data and telling its lists of similar objects, which is `json`.

pub(crate) mod join;
pub(crate) mod rescue;
