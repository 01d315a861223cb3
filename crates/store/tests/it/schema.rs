//! The schema as text, so that a change of it is seen; and the way up from every older one.

use std::path::PathBuf;

use firstknock_store::{DB_FILE, Store};

use crate::street::{at, home, look, wish};

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/schema").join(name)
}

/// Compares with a committed text, or writes it where `FIRSTKNOCK_BLESS` is set.
fn check(name: &str, found: &str) {
    if std::env::var_os("FIRSTKNOCK_BLESS").is_some() {
        std::fs::create_dir_all(fixture("")).expect("made");
        std::fs::write(fixture(name), found).expect("written");
    }
    let committed = std::fs::read_to_string(fixture(name)).unwrap_or_default();
    assert!(
        committed == found,
        "the schema is another one than {name}; if that is meant, run with FIRSTKNOCK_BLESS=1. \
         A migration that was released is never changed; add one."
    );
}

fn schema_of(db: &rusqlite::Connection) -> String {
    let mut statement = db
        .prepare(
            // What a virtual table makes for itself comes with it.
            "SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%'
               AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
             ORDER BY type = 'trigger', type DESC, name",
        )
        .expect("prepared");
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).expect("read");
    rows.map(|sql| sql.expect("text") + ";\n\n").collect()
}

fn open_raw(folder: &std::path::Path) -> rusqlite::Connection {
    rusqlite::Connection::open(folder.join(DB_FILE)).expect("opened")
}

#[test]
fn the_schema_is_the_committed_one() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(Store::open(folder.path(), at(0)).expect("opened"));
    let db = open_raw(folder.path());
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0)).expect("read");
    check(&format!("schema-{version}.sql"), &schema_of(&db));
}

#[test]
fn every_table_is_strict_and_the_database_says_whose_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(Store::open(folder.path(), at(0)).expect("opened"));
    let db = open_raw(folder.path());
    let loose: i64 = db
        .query_row(
            "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
               AND strict = 0 AND name NOT LIKE 'sqlite_%'",
            [],
            |row| row.get(0),
        )
        .expect("read");
    assert_eq!(loose, 0);
    let pragma = |name| -> String {
        db.query_row(&format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"), [], |r| r.get(0))
            .expect("read")
    };
    assert_eq!(pragma("application_id"), 0x464b_6e6b.to_string());
    assert_eq!(pragma("journal_mode"), "wal");
}

/// Every schema that was ever released, as it was committed, comes up to the newest with its data.
#[test]
fn a_database_of_every_schema_so_far_comes_up_with_its_data() {
    let newest = std::fs::read_dir(fixture("")).expect("snapshots").count();
    for version in 1..=newest {
        let folder = tempfile::tempdir().expect("a folder");
        let old = open_raw(folder.path());
        let sql = std::fs::read_to_string(fixture(&format!("schema-{version}.sql")));
        old.execute_batch(&sql.expect("every released schema has its snapshot")).expect("made");
        old.execute_batch(&format!(
            "PRAGMA application_id = {}; PRAGMA user_version = {version};
             INSERT INTO settings VALUES ('kept', 'true', 0);",
            0x464b_6e6b
        ))
        .expect("made");
        old.close().expect("closed");
        let (mut store, opened) = Store::open(folder.path(), at(0)).expect("opened");
        let older = (version < newest).then_some(version as i64);
        assert_eq!(opened.migrated_from, older);
        assert_eq!(store.backups().expect("read").len(), usize::from(older.is_some()));
        assert_eq!(store.setting("kept").expect("read"), Some(true));
        let search = store.add_search(&wish("Delft", "https://street.example/a"), true, at(0));
        look(&mut store, search.expect("added").id, &[home(1, 900)], at(1));
        drop(store);
        check(&format!("schema-{newest}.sql"), &schema_of(&open_raw(folder.path())));
    }
}
