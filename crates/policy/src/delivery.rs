//! What becomes of a delivery after an attempt.
