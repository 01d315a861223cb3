//! The schedule, rule by rule, and its invariants on random events.

mod button;
mod clock;
mod explain;
mod going_out;
mod invariants;
mod kept;
mod ladders;
mod month;
mod offline;
mod order;
mod pages;
mod photos;
mod rates;
mod restart;
mod rows;
mod world;
