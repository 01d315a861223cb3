//! A page in, its listings out.
