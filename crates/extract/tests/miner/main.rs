//! The miner on pages of our own, each in the shape of something real.

mod bad_input;
mod families;
mod feeds;
mod lists;
mod memory;
mod no_list;
mod page;
mod recipes;
