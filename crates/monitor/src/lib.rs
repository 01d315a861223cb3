//! The shell: one loop that drives all the others.
