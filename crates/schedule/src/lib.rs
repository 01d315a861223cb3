//! Which search goes out when, and what a report means.
