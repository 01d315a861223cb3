//! Numbers that are looked at rather than read: when listings appear, what they cost, how soon
//! they were mailed.

use firstknock_listing::SearchId;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::columns::{Columns, time};
use crate::database::Store;
use crate::error::Result;

/// The most prices that are given; of more, evenly spread ones.
const MOST_PRICES: usize = 500;
/// The most delays that are given: the newest.
const MOST_DELAYS: u32 = 200;

/// What one search saw so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Insight {
    /// Since when it looks; `None` before its baseline.
    pub since: Option<Timestamp>,
    /// New listings by weekday (Monday first) and hour, in the zone that was asked for.
    pub by_hour: [[u32; 24]; 7],
    /// New listings in all, the baseline not counted.
    pub new_total: u32,
    /// Rents per month in cents, lowest first.
    pub monthly_cents: Vec<i64>,
    /// How soon listings were mailed, newest last.
    pub delays: Vec<Delay>,
}

/// One listing's way to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delay {
    /// The last answer that did not have it: it appeared after that.
    pub unseen_at: Option<Timestamp>,
    /// When we found it.
    pub found_at: Timestamp,
    /// When the far end took the message.
    pub sent_at: Timestamp,
}

impl Store {
    /// What one search saw so far. Weekday and hour are those of `zone`, with its summer time.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn insight(&self, search: SearchId, zone: &TimeZone) -> Result<Insight> {
        let mut insight =
            Insight { since: self.search_facts(search)?.baseline_at, ..Default::default() };
        let mut statement = self.db.prepare_cached(
            "SELECT first_seen FROM sightings WHERE search = ?1 AND baseline = 0",
        )?;
        for first_seen in statement.query_map([search.0], |row| row.get::<_, i64>(0))? {
            let local = time(first_seen?).to_zoned_datetime(zone.clone());
            let day = local.weekday().to_monday_zero_offset().unsigned_abs();
            let hour = local.hour().unsigned_abs();
            insight.by_hour[usize::from(day)][usize::from(hour)] += 1;
            insight.new_total += 1;
        }
        insight.monthly_cents = self.prices_of(search)?;
        insight.delays = self.delays_of(search)?;
        Ok(insight)
    }

    /// The last delay of any search, for the summary.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn last_sent(&self) -> Result<Option<Timestamp>> {
        Ok(self
            .db
            .prepare_cached("SELECT max(done_at) AS at FROM outbox WHERE state = 'sent'")?
            .query_row([], |row| row.opt_time("at"))
            .optional()?
            .flatten())
    }

    fn prices_of(&self, search: SearchId) -> Result<Vec<i64>> {
        let mut statement = self.db.prepare_cached(
            "SELECT l.monthly_cents FROM sightings s JOIN listings l ON l.id = s.listing
             WHERE s.search = ?1 AND l.monthly_cents NOT NULL ORDER BY l.monthly_cents",
        )?;
        let all: Vec<i64> =
            statement.query_map([search.0], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        if all.len() <= MOST_PRICES {
            return Ok(all);
        }
        // Evenly over the ranks, both ends included, so that the spread keeps its shape.
        let last = all.len() - 1;
        Ok((0..MOST_PRICES).map(|i| all[i * last / (MOST_PRICES - 1)]).collect())
    }

    fn delays_of(&self, search: SearchId) -> Result<Vec<Delay>> {
        let mut statement = self.db.prepare_cached(
            "SELECT f.unseen_at, l.first_seen, min(o.done_at) AS sent_at
             FROM outbox_finds f JOIN outbox o ON o.id = f.outbox JOIN listings l ON l.id = f.listing
             WHERE f.search = ?1 AND o.state = 'sent' AND f.change = 'new'
             GROUP BY f.listing ORDER BY sent_at DESC LIMIT ?2",
        )?;
        let rows = statement.query_map(params![search.0, MOST_DELAYS], |row| {
            Ok(Delay {
                unseen_at: row.opt_time("unseen_at")?,
                found_at: row.time("first_seen")?,
                sent_at: row.time("sent_at")?,
            })
        })?;
        let mut delays: Vec<Delay> = rows.collect::<rusqlite::Result<_>>()?;
        delays.reverse();
        Ok(delays)
    }
}
