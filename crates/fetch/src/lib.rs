//! HTTP to raw facts, and facts to a verdict.
