//! `cargo +nightly fuzz run data fuzz/corpus/data fuzz/seeds/data`
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::data(bytes));
