//! What survives a restart: SQLite, one writer.
