//! The ladder of schemas: every migration of `/migrations`, embedded in the binary.
//!
//! **Promises**: all missing steps are taken in one go or none is. **Leaves out**: the backup
//! before it.

use include_dir::{Dir, include_dir};
use rusqlite::Connection;
use rusqlite_migration::{M, Migrations, MigrationsBuilder};

use crate::error::Result;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../migrations");

pub(crate) struct Schema {
    migrations: Migrations<'static>,
    /// The newest schema that is known; a database's own stands in `user_version`.
    pub(crate) newest: i64,
}

impl Schema {
    pub(crate) fn embedded() -> Self {
        Self::of(&FILES)
    }

    pub(crate) fn of(files: &'static Dir<'static>) -> Self {
        let steps = files.dirs().count();
        let ladder = MigrationsBuilder::from_directory(files)
            .expect("BUG: the embedded migrations are numbered without a gap");
        let ladder = (1..=steps)
            .fold(ladder, |ladder, step| ladder.edit(step, |step: M<'_>| step.foreign_key_check()));
        Self {
            migrations: ladder.finalize(),
            newest: i64::try_from(steps).expect("BUG: a handful of migrations"),
        }
    }

    /// Takes the steps that are missing, all in one transaction.
    pub(crate) fn bring_up(&self, db: &mut Connection) -> Result<()> {
        // A step that makes a table anew would otherwise delete what refers to it; each step is
        // checked for references that lead nowhere instead.
        db.pragma_update(None, "foreign_keys", false)?;
        self.migrations.to_latest(db)?;
        db.pragma_update(None, "foreign_keys", true)?;
        Ok(())
    }
}

pub(crate) fn schema_version(db: &Connection) -> Result<i64> {
    Ok(db.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

#[cfg(test)]
mod tests;
