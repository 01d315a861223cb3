//! What the schedule keeps: host records, domains, each search's own state, the app's.
//!
//! **Promises**: the records come back as they were given. **Leaves out**: judging them; the
//! schedule clamps and sets aside what cannot be.

use std::collections::HashMap;

use firstknock_listing::SearchId;
use firstknock_schedule::{
    AppState, Change, DomainState, HostRecord, HostUpdate, Saved, SearchSpec, SearchState,
};
use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde::de::DeserializeOwned;

use crate::columns::{json, ms};
use crate::database::Store;
use crate::error::Result;
use crate::searches::Search;
use crate::settings;

/// Where the app's own state stands in the settings.
const APP_KEY: &str = "schedule.app";

impl Store {
    /// Everything that `Schedule::restore` wants. A record that cannot be read (of a newer
    /// version, or damaged) is left out with a line in the log: the schedule then begins afresh
    /// for that host or search, and the rest goes on.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn load_schedule(&self) -> Result<Saved> {
        let states: HashMap<SearchId, SearchState> = records::<SearchState>(
            &self.db,
            "SELECT search, schedule FROM search_state WHERE schedule NOT NULL",
        )?
        .into_iter()
        .map(|state| (state.search, state))
        .collect();
        let searches = self.searches()?.iter().map(spec).collect::<Vec<_>>();
        let searches = searches.into_iter().map(|spec| {
            let state = states.get(&spec.id).cloned();
            (spec, state)
        });
        Ok(Saved {
            searches: searches.collect(),
            hosts: records::<HostRecord>(
                &self.db,
                "SELECT host, record FROM hosts WHERE record NOT NULL",
            )?,
            domains: records::<DomainState>(&self.db, "SELECT domain, record FROM domains")?,
            app: settings::get(&self.db, APP_KEY)?.unwrap_or_default(),
        })
    }

    /// Writes what the schedule changed outside of a check: Start and Stop, an edit, a button.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn keep_schedule(&mut self, change: &Change, now: Timestamp) -> Result<()> {
        if change.is_empty() {
            return Ok(());
        }
        let tx = self.begin()?;
        write(&tx, change, now)?;
        tx.commit()?;
        Ok(())
    }
}

/// What the plan needs to know of a search.
pub(crate) fn spec(search: &Search) -> SearchSpec {
    SearchSpec {
        id: search.id,
        revision: search.revision,
        url: search.wish.url.clone(),
        interval: search.wish.interval,
        enabled: search.enabled,
        order: search.position,
    }
}

pub(crate) fn write(db: &Connection, change: &Change, now: Timestamp) -> Result<()> {
    for host in &change.hosts {
        let (host, record) = match host {
            HostUpdate::Put(record) => (record.host.as_str(), Some(json(record)?)),
            HostUpdate::Clear(host) => (host.as_str(), None),
        };
        db.prepare_cached(
            "INSERT INTO hosts (host, record, updated_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (host) DO UPDATE SET record = ?2, updated_at = ?3",
        )?
        .execute(params![host, record, ms(now)])?;
    }
    for state in &change.searches {
        db.prepare_cached("UPDATE search_state SET schedule = ?2 WHERE search = ?1")?
            .execute(params![state.search.0, json(state)?])?;
    }
    for search in &change.removed_searches {
        db.prepare_cached("UPDATE search_state SET schedule = NULL WHERE search = ?1")?
            .execute([search.0])?;
    }
    for domain in &change.domains {
        db.prepare_cached(
            "INSERT INTO domains (domain, record, updated_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (domain) DO UPDATE SET record = ?2, updated_at = ?3",
        )?
        .execute(params![domain.domain, json(domain)?, ms(now)])?;
    }
    if let Some(app) = &change.app {
        settings::put::<AppState>(db, APP_KEY, app, now)?;
    }
    Ok(())
}

/// All records of one table; the first column says whose, the second is JSON.
fn records<T: DeserializeOwned>(db: &Connection, sql: &str) -> Result<Vec<T>> {
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        Ok((row.get::<_, rusqlite::types::Value>(0)?, row.get::<_, String>(1)?))
    })?;
    let mut out = Vec::new();
    for row in rows {
        let (whose, text) = row?;
        match serde_json::from_str(&text) {
            Ok(record) => out.push(record),
            Err(error) => tracing::warn!(?whose, %error, "a stored record cannot be read"),
        }
    }
    Ok(out)
}
