//! `cargo +nightly fuzz run values fuzz/corpus/values fuzz/seeds/values`
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::values(bytes));
