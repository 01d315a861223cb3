//! The local HTTP API and the web twin of the window.
//!
//! Nothing is here yet: `knock serve` is not built.
