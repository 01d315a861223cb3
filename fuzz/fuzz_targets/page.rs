//! `cargo +nightly fuzz run page fuzz/corpus/page fuzz/seeds/page`
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::page(bytes));
