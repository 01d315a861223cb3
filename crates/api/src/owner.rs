//! Making clients: the owner's own at the first start, others when the owner says so.

use firstknock_monitor::StoreError;
use firstknock_monitor::store::Store;
use jiff::Timestamp;

use crate::app::OWNER_KEY;
use crate::book::{Budget, OWNER_BUDGET};
use crate::token::Token;

/// A client could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NoClient {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system has no randomness to give.
    #[error("the system gives no random numbers for a token")]
    Dice(#[from] getrandom::Error),
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
