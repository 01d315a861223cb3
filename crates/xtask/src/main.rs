//! The project's own commands: run, test, tidy, corpus, bench.

fn main() {}
