//! The book of clients: who calls, what they may spend, what they did wrong.
//!
//! **Promises**: the account is the client's, never an address's; an offence is on disk before its
//! answer goes out; what is spent is on disk within seconds; one that is locked out costs no
//! disk at all. **Leaves out**: the arithmetic (`policy`), what a request costs ([`crate::cost`]).

mod told;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use firstknock_monitor::clients::{OWNER_KEY, Token, TokenHash, account};
use firstknock_monitor::store::Client;
use firstknock_monitor::{Engine, StoreError};
use firstknock_policy::budget::{Account, Allowance, Hold, SavedAccount, Verdict, Which};
use firstknock_policy::lockout::TELL_OWNER_AT;
use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};
use subtle::ConstantTimeEq;
use tokio::sync::watch;

use crate::problem::{LimitBody, Problem};

/// Somebody with a good token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) id: i64,
    pub(crate) can_write: bool,
    pub(crate) is_owner: bool,
}

/// All clients with their accounts.
pub(crate) struct Book {
    pages: Mutex<Vec<Page>>,
    /// When clients were last read because a token was not known.
    looked_up: Mutex<Option<Instant>>,
    /// Rings when clients were read again.
    read_again: watch::Sender<()>,
}

struct Page {
    client: Client,
    account: Account,
    is_owner: bool,
    used_at: Option<Timestamp>,
}

impl Page {
    fn caller(&self) -> Caller {
        Caller { id: self.client.id, can_write: self.client.can_write, is_owner: self.is_owner }
    }
}

/// The code of the event and the notice about a client at its limit.
const CLIENT_LIMITED: &str = "client_limited";

/// An unknown token makes us look for new clients at most this often.
const LOOK_UP_EVERY: Duration = Duration::from_millis(500);

impl Book {
    pub(crate) async fn open(engine: &Engine) -> Result<Self, StoreError> {
        let book = Self {
            pages: Mutex::default(),
            looked_up: Mutex::default(),
            read_again: watch::Sender::new(()),
        };
        book.refresh(engine).await?;
        Ok(book)
    }

    /// Takes over names, scopes, budgets and revocations; accounts stay as they are here.
    pub(crate) async fn refresh(&self, engine: &Engine) -> Result<(), StoreError> {
        let now = engine.clock().now();
        let (clients, owner) = engine
            .store()
            .read(|store| Ok((store.clients()?, store.setting::<i64>(OWNER_KEY)?)))
            .await?;
        let mut pages = self.pages();
        // Gone with a backup that was put in place, for one.
        pages.retain(|page| clients.iter().any(|client| client.id == page.client.id));
        for client in clients {
            let is_owner = owner == Some(client.id);
            match pages.iter_mut().find(|page| page.client.id == client.id) {
                Some(page) => {
                    if let Some(at) = client.let_in_at {
                        page.account.let_in(at);
                    }
                    page.client = client;
                    page.is_owner = is_owner;
                }
                None => {
                    let account = account(&client, now);
                    pages.push(Page { client, account, is_owner, used_at: None });
                }
            }
        }
        drop(pages);
        self.read_again.send_replace(());
        Ok(())
    }

    /// Ends when a caller may no longer do what it could: it was revoked, or its scope is another.
    pub(crate) async fn gone(self: Arc<Self>, caller: Caller) {
        let mut read_again = self.read_again.subscribe();
        while self.is_still(&caller) {
            if read_again.changed().await.is_err() {
                return;
            }
        }
    }

    fn is_still(&self, caller: &Caller) -> bool {
        let pages = self.pages();
        pages.iter().any(|page| page.client.revoked_at.is_none() && page.caller() == *caller)
    }

    /// Who this token belongs to.
    pub(crate) async fn caller(&self, engine: &Engine, token: &str) -> Option<Caller> {
        let hash = Token::hash_of(token);
        if let Some(caller) = self.find(&hash) {
            return Some(caller);
        }
        let due = {
            let mut at = self.looked_up.lock().unwrap_or_else(PoisonError::into_inner);
            let due = at.is_none_or(|at| at.elapsed() >= LOOK_UP_EVERY);
            if due {
                *at = Some(Instant::now());
            }
            due
        };
        if due && let Err(error) = self.refresh(engine).await {
            tracing::warn!(%error, "the API's clients could not be read");
        }
        self.find(&hash)
    }

    /// Looks at every client, so that the time does not say which one it was.
    fn find(&self, hash: &TokenHash) -> Option<Caller> {
        let mut found = None;
        for page in self.pages().iter().filter(|page| page.client.revoked_at.is_none()) {
            if same(&page.client.token_hash, hash) {
                found = Some(page.caller());
            }
        }
        found
    }

    /// Takes the estimated cost from a client's budgets, or says why not.
    pub(crate) async fn ask(
        &self,
        engine: &Engine,
        caller: &Caller,
        estimate: u64,
    ) -> Result<Hold, Problem> {
        let now = engine.clock().now();
        let (verdict, body, name, allowance) = {
            let mut pages = self.pages();
            let page = pages.iter_mut().find(|page| page.client.id == caller.id);
            let Some(page) = page else { return Err(Problem::not_found()) };
            let allowance = Allowance {
                per_minute: u64::from(page.client.per_minute),
                per_day: u64::from(page.client.per_day),
            };
            let verdict = page.account.ask(estimate, allowance, now);
            if matches!(verdict, Verdict::Go(_)) {
                page.used_at = Some(now);
            }
            (verdict, page.account.spent(now), page.client.name.clone(), allowance)
        };
        let limit = |until: Timestamp, offence: u32, which: Option<Which>| LimitBody {
            until: until.to_string(),
            until_ms: until.as_millisecond(),
            overdrawn: which.map(|which| match which {
                Which::Minute => "minute".to_owned(),
                Which::Day => "day".to_owned(),
            }),
            offence,
            budget_per_minute: allowance.per_minute,
            budget_per_day: allowance.per_day,
            spent_minute: body.0,
            spent_day: body.1,
        };
        match verdict {
            Verdict::Go(hold) => Ok(hold),
            Verdict::LockedOut { until, offences } => Err(refused(
                "locked_out",
                "This client is locked out.",
                limit(until, offences, None),
            )),
            Verdict::Overdrawn { which, offence } => {
                self.keep_one(engine, caller.id, now).await?;
                tracing::warn!(
                    client = caller.id,
                    offence = offence.number,
                    "a client of the API overdrew its budget"
                );
                if offence.tell_owner {
                    told::owner(engine, &name, offence).await?;
                }
                if offence.number >= TELL_OWNER_AT {
                    // The window says so for as long as it goes on.
                    engine.redraw().await;
                }
                let limit = limit(offence.until, offence.number, Some(which));
                Err(refused("budget_overdrawn", "That would overdraw the budget.", limit))
            }
        }
    }

    /// The work is done: what it really cost.
    pub(crate) fn settle(&self, caller: &Caller, hold: Hold, cost: u64) {
        let mut pages = self.pages();
        if let Some(page) = pages.iter_mut().find(|page| page.client.id == caller.id) {
            page.account.settle(hold, cost);
        }
    }

    /// Locks and offences that count now, over all clients: for the metrics.
    pub(crate) fn limits(&self, now: Timestamp) -> (u32, u32) {
        let pages = self.pages();
        let locks = pages.iter().map(|page| page.account.lockout());
        locks.fold((0, 0), |(locked, offences), lock| {
            let is = u32::from(lock.locked_until(now).is_some());
            (locked + is, offences + lock.count(now))
        })
    }

    /// Writes down what was spent since the last time.
    pub(crate) async fn keep(&self, engine: &Engine) -> Result<(), StoreError> {
        let used: Vec<_> = self
            .pages()
            .iter_mut()
            .filter_map(|page| Some((page.client.id, page.used_at.take()?, kept(&page.account))))
            .collect();
        if used.is_empty() {
            return Ok(());
        }
        engine
            .store()
            .run(move |store| {
                for (id, at, (budget, lockout)) in used {
                    store.keep_client(id, Some(&budget), Some(&lockout), at)?;
                }
                Ok(())
            })
            .await
    }

    async fn keep_one(&self, engine: &Engine, id: i64, now: Timestamp) -> Result<(), StoreError> {
        let (budget, lockout) = {
            let pages = self.pages();
            let page = pages.iter().find(|page| page.client.id == id);
            // Nobody is left to count for.
            let Some(page) = page else { return Ok(()) };
            kept(&page.account)
        };
        let keep = move |store: &mut firstknock_monitor::store::Store| {
            store.keep_client(id, Some(&budget), Some(&lockout), now)
        };
        engine.store().run(keep).await
    }

    fn pages(&self) -> MutexGuard<'_, Vec<Page>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether two hashes are the same, in a time that does not say where they differ.
fn same(a: &TokenHash, b: &TokenHash) -> bool {
    a.ct_eq(b).into()
}

fn refused(code: &str, title: &str, limit: LimitBody) -> Problem {
    let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, code, title);
    Problem { limit: Some(Box::new(limit)), ..problem }
}

fn kept(account: &Account) -> (Value, Value) {
    let SavedAccount { minute, day, lockout } = account.save();
    (json!({ "minute": minute, "day": day }), json!(lockout))
}
