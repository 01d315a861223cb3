//! A page in, its listings out, without a recipe per site.
//!
//! **Promises**: one pure function, [`extract`], from a page, its address and what we remember of
//! this source to listings with evidence, the page's kind, signs for the classifier, confidence
//! and problems. It never panics, never hangs, and its work is linear in the size of the page.
//! **Leaves out**: network, clock, randomness, and the decision what is *new* (that is
//! `firstknock_listing::diff`).

#![warn(missing_docs)]

mod answer;
mod candidate;
mod cards;
mod changes;
mod embedded;
mod extraction;
mod feed;
mod fields;
mod finding;
mod hints;
mod html;
mod identity;
pub mod json;
mod kind;
mod list;
mod listings;
mod lookalikes;
mod memory;
mod nothing;
mod page;
mod pipeline;
mod problem;
mod reading;
mod recipe;
mod roles;
mod teach;
pub mod values;

pub use candidate::{Candidate, CardSignature, Choice};
pub use extraction::{Extraction, Page, extract, extract_with};
pub use finding::{Field, Finding};
pub use memory::SourceMemory;
pub use problem::Problem;
pub use recipe::{Recipe, RecipeError, RecipeField};
