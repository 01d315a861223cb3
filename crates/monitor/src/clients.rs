//! Who may call the local API: made, changed, let in again, revoked; and how each one does.
//!
//! **Promises**: a token is shown when it is made and never again; all of it is in the store, so it
//! works whether the API runs or not, and beside a process that serves it, which takes changes over
//! within a second or so. **Leaves out**: letting a request in (`api`), what it may cost (`policy`).

mod token;

use firstknock_listing::{clean_line, truncate_chars};
use firstknock_policy::budget::{Account, SavedAccount};
use firstknock_policy::lockout::{SavedLockout, TELL_OWNER_AT};
use firstknock_store::{Client, Store, StoreError};
use jiff::Timestamp;

use crate::Engine;
pub use token::{Token, TokenHash};

/// What a client may spend, in units of cost: a narrow look is one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Within any 60 s.
    pub per_minute: u32,
    /// Within any 24 h.
    pub per_day: u32,
}

/// A new client's: a look every few seconds, all day.
pub const USUAL_BUDGET: Budget = Budget { per_minute: 120, per_day: 20_000 };
/// The owner's own pages: what hands can do, and no loop.
pub const OWNER_BUDGET: Budget = Budget { per_minute: 3_000, per_day: 500_000 };
/// What a minute's budget may be set to; the least is one narrow look.
const MINUTE_RANGE: (u32, u32) = (1, 100_000);
/// The same for a day.
const DAY_RANGE: (u32, u32) = (1, 10_000_000);
/// Characters of a client's name.
const NAME: usize = 60;
/// The setting that names the owner's own client.
pub const OWNER_KEY: &str = "api_owner";

/// A client could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NoClient {
    /// The store cannot be used, or a value is outside its range.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system has no randomness to give.
    #[error("the system gives no random numbers for a token")]
    Dice(#[from] getrandom::Error),
}

/// A client and how it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientFacts {
    /// Its number.
    pub id: i64,
    /// What the owner calls it.
    pub name: String,
    /// It may change things, not only look.
    pub can_write: bool,
    /// What it may spend.
    pub budget: Budget,
    /// Units spent within the last 60 s, some seconds late.
    pub spent_minute: u64,
    /// The same within the last 24 h.
    pub spent_day: u64,
    /// When it was last answered.
    pub used_at: Option<Timestamp>,
    /// Offences of the last 24 h.
    pub offences: u32,
    /// Locked out until then.
    pub locked_until: Option<Timestamp>,
    /// It offended so often that the owner is to see it, and was not let in since.
    pub worrying: bool,
}

impl ClientFacts {
    /// As it stands at that time.
    pub fn of(client: &Client, now: Timestamp) -> Self {
        let account = account(client, now);
        let (spent_minute, spent_day) = account.spent(now);
        let lockout = account.lockout();
        let offences = lockout.count(now);
        Self {
            id: client.id,
            name: client.name.clone(),
            can_write: client.can_write,
            budget: Budget { per_minute: client.per_minute, per_day: client.per_day },
            spent_minute,
            spent_day,
            used_at: client.used_at,
            offences,
            locked_until: lockout.locked_until(now),
            worrying: offences >= TELL_OWNER_AT
                && client.let_in_at.is_none_or(|at| lockout.last().is_some_and(|last| last > at)),
        }
    }
}

impl Engine {
    /// The clients that others made use of: neither the owner's own pages nor revoked ones.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub async fn clients(&self) -> Result<Vec<ClientFacts>, StoreError> {
        let now = self.clock.now();
        self.store.read(move |store| others(store, now)).await
    }

    /// Makes a client with the usual budget; its token is shown now or never.
    ///
    /// # Errors
    /// [`NoClient`], also for a name without a character.
    pub async fn add_client(&self, name: &str, can_write: bool) -> Result<(i64, Token), NoClient> {
        let (name, now) = (named(name)?, self.clock.now());
        let made =
            self.store.run(move |store| Ok(add_client(store, &name, can_write, USUAL_BUDGET, now)));
        made.await?
    }

    /// Changes name, scope and budget; what is spent and its offences stay.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::OutOfRange`].
    pub async fn edit_client(
        &self,
        id: i64,
        name: &str,
        can_write: bool,
        budget: Budget,
    ) -> Result<(), StoreError> {
        let name = named(name)?;
        within("per_minute", budget.per_minute, MINUTE_RANGE)?;
        within("per_day", budget.per_day, DAY_RANGE)?;
        let budget = (budget.per_minute, budget.per_day);
        self.change(id, move |store, _| store.edit_client(id, &name, can_write, budget)).await
    }

    /// Makes a client's token worthless; its streams end within a second or so.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub async fn revoke_client(&self, id: i64) -> Result<(), StoreError> {
        self.change(id, move |store, now| store.revoke_client(id, now)).await
    }

    /// Ends a client's lock and begins its budgets anew; its offences stay and age out.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub async fn let_client_in(&self, id: i64) -> Result<(), StoreError> {
        self.change(id, move |store, now| store.let_client_in(id, now)).await
    }

    /// One change of a client that is listed; the owner's own is not there.
    async fn change(
        &self,
        id: i64,
        change: impl FnOnce(&mut Store, Timestamp) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        self.store
            .run(move |store| {
                if !others(store, now)?.iter().any(|client| client.id == id) {
                    return Err(StoreError::NotFound);
                }
                change(store, now)
            })
            .await?;
        self.redraw().await;
        Ok(())
    }
}

/// The account of a client as it is stored. What cannot be read counts as nothing spent: a client
/// is not punished for our trouble.
pub fn account(client: &Client, now: Timestamp) -> Account {
    let spent = client.budget.clone().map(serde_json::from_value::<SavedAccount>);
    let lockout = client.lockout.clone().map(serde_json::from_value::<SavedLockout>);
    let spent = spent.and_then(Result::ok).unwrap_or_default();
    let lockout = lockout.and_then(Result::ok).unwrap_or_default();
    let mut account = SavedAccount { lockout, ..spent }.read(now);
    if let Some(at) = client.let_in_at {
        account.let_in(at);
    }
    account
}

/// The client with the newest offence that the owner is to see.
pub(crate) fn worrying(store: &Store, now: Timestamp) -> Result<Option<ClientFacts>, StoreError> {
    let worrying = others(store, now)?.into_iter().filter(|client| client.worrying);
    Ok(worrying.max_by_key(|client| client.locked_until))
}

fn others(store: &Store, now: Timestamp) -> Result<Vec<ClientFacts>, StoreError> {
    let owner = store.setting::<i64>(OWNER_KEY)?;
    let clients = store.clients()?.into_iter();
    let clients = clients.filter(|it| it.revoked_at.is_none() && owner != Some(it.id));
    Ok(clients.map(|client| ClientFacts::of(&client, now)).collect())
}

fn named(name: &str) -> Result<String, StoreError> {
    let name = truncate_chars(&clean_line(name), NAME);
    if name.is_empty() {
        let max = i64::try_from(NAME).unwrap_or(i64::MAX);
        return Err(StoreError::OutOfRange { field: "name", min: 1, max });
    }
    Ok(name)
}

fn within(field: &'static str, value: u32, (min, max): (u32, u32)) -> Result<(), StoreError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(StoreError::OutOfRange { field, min: min.into(), max: max.into() })
}

/// Adds a client; its token is shown now or never.
///
/// # Errors
/// [`NoClient`].
pub fn add_client(
    store: &mut Store,
    name: &str,
    can_write: bool,
    budget: Budget,
    now: Timestamp,
) -> Result<(i64, Token), NoClient> {
    let token = Token::make()?;
    let budget = (budget.per_minute, budget.per_day);
    let id = store.add_client(name, &token.hash(), can_write, budget, now)?;
    Ok((id, token))
}

/// The owner's token, if it has to be made: at the first start, after it was revoked, or because a
/// new one is wanted (the old one is no longer good then).
///
/// # Errors
/// [`NoClient`].
pub fn owner_token(
    store: &mut Store,
    make_new: bool,
    now: Timestamp,
) -> Result<Option<Token>, NoClient> {
    let before = match store.setting::<i64>(OWNER_KEY)? {
        Some(id) => store.client(id)?.filter(|client| client.revoked_at.is_none()),
        None => None,
    };
    if before.is_some() && !make_new {
        return Ok(None);
    }
    let (id, token) = add_client(store, "owner", true, OWNER_BUDGET, now)?;
    store.set_setting(OWNER_KEY, &id, now)?;
    if let Some(old) = before {
        store.revoke_client(old.id, now)?;
    }
    Ok(Some(token))
}
