//! The street: rental sites on loopback, walls on demand, simulated months.
