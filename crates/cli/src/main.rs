//! knock: everything that needs no window.

fn main() {}
