-- When the owner last let a client in again: a lock and what was spent up to then do not count.
ALTER TABLE clients ADD COLUMN let_in_at INTEGER;
