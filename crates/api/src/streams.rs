//! Places for event streams: so many in all, and so many of one client, so that one that opens them
//! in a loop takes nobody else's.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use http::StatusCode;

use crate::book::Caller;
use crate::problem::Problem;

/// The places; cheap to clone.
#[derive(Clone)]
pub(crate) struct Streams {
    taken: Arc<Mutex<HashMap<i64, usize>>>,
    all: usize,
    each: usize,
}

/// A place that is free again when it is dropped.
pub(crate) struct Place {
    taken: Arc<Mutex<HashMap<i64, usize>>>,
    client: i64,
}

impl Streams {
    pub(crate) fn new(all: usize, each: usize) -> Self {
        Self { taken: Arc::default(), all, each }
    }

    /// A place for a client, if there is one.
    pub(crate) fn take(&self, caller: &Caller) -> Result<Place, Problem> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = taken.values().sum();
        let own = taken.entry(caller.id).or_default();
        if *own >= self.each || all >= self.all {
            let title = "Too many event streams are open.";
            let status = StatusCode::CONFLICT;
            return Err(Problem::new(status, "too_many_streams", title));
        }
        *own += 1;
        Ok(Place { taken: Arc::clone(&self.taken), client: caller.id })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.client) {
            *own = own.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_takes_its_own_places_only_and_gives_them_back() {
        let streams = Streams::new(3, 2);
        let client = |id| Caller { id, can_write: false, is_owner: false };
        let one = streams.take(&client(1)).ok();
        let two = streams.take(&client(1)).ok();
        assert!(one.is_some() && two.is_some());
        assert!(streams.take(&client(1)).is_err(), "two of its own");
        let other = streams.take(&client(2)).ok();
        assert!(other.is_some(), "the other does not notice");
        assert!(streams.take(&client(3)).is_err(), "three in all");
        drop(one);
        assert!(streams.take(&client(1)).is_ok());
    }
}
