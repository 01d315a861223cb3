//! The way up from an older schema, with ladders that go on.

use std::path::Path;

use include_dir::{Dir, DirEntry, File};
use jiff::Timestamp;
use rusqlite::Connection;

use super::Schema;
use crate::database::DB_FILE;
use crate::{BackupKind, Store, StoreError};

/// The ladder as it is, and one more step.
fn ladder_with(sql: &'static str) -> &'static Dir<'static> {
    let next = super::FILES.dirs().count() + 1;
    let name = |tail: &str| -> &'static str { format!("{next}-next{tail}").leak() };
    let file = DirEntry::File(File::new(name("/up.sql"), sql.as_bytes()));
    let step = DirEntry::Dir(Dir::new(name(""), vec![file].leak()));
    let steps: Vec<_> = super::FILES.dirs().cloned().map(DirEntry::Dir).chain([step]).collect();
    Box::leak(Box::new(Dir::new("", steps.leak())))
}

const GOOD: &str = "ALTER TABLE searches ADD COLUMN colour TEXT;";
const BROKEN: &str = "CREATE TABLE half (x INTEGER) STRICT; INSERT INTO nowhere VALUES (1);";
const LOOSE: &str = "CREATE TABLE names (search INTEGER REFERENCES searches (id)) STRICT;
     INSERT INTO names VALUES (4711);";
const ANEW: &str =
    "CREATE TABLE made_anew (search INTEGER PRIMARY KEY REFERENCES searches (id) ON DELETE CASCADE,
        updated_at INTEGER NOT NULL) STRICT;
     INSERT INTO made_anew SELECT search, updated_at FROM source_memory;
     DROP TABLE source_memory;
     ALTER TABLE made_anew RENAME TO source_memory;";

fn now() -> Timestamp {
    Timestamp::from_second(1_790_000_000).expect("a time")
}

fn newest() -> i64 {
    Schema::embedded().newest
}

/// A folder whose database is of our schema, with a word in it.
fn our_schema() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), now()).expect("opened");
    store.set_setting("kept", &"yes", now()).expect("kept");
    folder
}

fn version(folder: &Path) -> i64 {
    let db = Connection::open(folder.join(DB_FILE)).expect("opened");
    super::schema_version(&db).expect("read")
}

#[test]
fn a_step_up_keeps_the_data_and_a_backup_of_before() {
    for sql in [GOOD, ANEW] {
        let folder = our_schema();
        let schema = Schema::of(ladder_with(sql));
        let (store, opened) = Store::open_as(folder.path(), &schema, now()).expect("opened");
        assert_eq!(opened.migrated_from, Some(newest()));
        assert_eq!(store.setting::<String>("kept").expect("read").as_deref(), Some("yes"));
        let backup = store.backups().expect("read").remove(0);
        assert_eq!(backup.kind, BackupKind::BeforeMigration);
        let of_before = Connection::open(backup.path).expect("opened");
        assert_eq!(super::schema_version(&of_before).expect("read"), newest());
        drop(store);
        let (_, again) = Store::open_as(folder.path(), &schema, now()).expect("opened");
        assert_eq!(again, crate::Opened::default(), "once");
    }
}

#[test]
fn a_step_that_fails_leaves_the_database_as_it_was() {
    for sql in [BROKEN, LOOSE] {
        let folder = our_schema();
        let failed = Store::open_as(folder.path(), &Schema::of(ladder_with(sql)), now());
        assert!(matches!(failed, Err(StoreError::Migration(_))));
        assert_eq!(version(folder.path()), newest());
        let (store, _) = Store::open(folder.path(), now()).expect("the version before still works");
        assert_eq!(store.setting::<String>("kept").expect("read").as_deref(), Some("yes"));
    }
}

#[test]
fn going_back_to_the_version_before_is_refused_and_its_backup_still_opens_there() {
    let folder = our_schema();
    drop(Store::open_as(folder.path(), &Schema::of(ladder_with(GOOD)), now()).expect("opened"));
    let refused = Store::open(folder.path(), now());
    let Err(StoreError::NewerVersion { found, known }) = refused else { panic!("it is refused") };
    assert_eq!((found, known), (newest() + 1, newest()));
    let backups = crate::backup::list(folder.path()).expect("read");
    std::fs::copy(&backups[0].path, folder.path().join(DB_FILE)).expect("copied");
    let (store, _) = Store::open(folder.path(), now()).expect("opened");
    assert_eq!(store.setting::<String>("kept").expect("read").as_deref(), Some("yes"));
}
