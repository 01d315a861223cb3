//! The store as its users see it: real files in temporary folders, one binary.

mod alerts;
mod api_clients;
mod backups;
mod commit;
mod damage;
mod export;
mod handle;
mod insight;
mod killed;
mod listings;
mod lock;
mod neighbours;
mod outbox;
mod readers;
mod schedule_records;
mod schema;
mod searches;
mod sequences;
mod street;
mod words;
