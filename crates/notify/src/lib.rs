//! Messages: rendered once, delivered by one sender per channel.
