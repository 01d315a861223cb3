//! One command in, one answer out: translation and nothing else.

mod channels;
mod clients;
mod data;
mod mail;
mod searches;
mod shelf;

use firstknock_monitor::Engine;
use firstknock_monitor::store::StoreError;
use serde::Serialize;
use serde_json::Value;

use crate::{ApiState, Command, ErrorBody, ErrorCode, Nothing, wire};

/// What only the host knows: a window, a tray, a webview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Host {
    /// Sites can be opened in a window of ours.
    pub can_open_sites: bool,
    /// A tray is there.
    pub has_tray: bool,
    /// The rehearsal street can be opened.
    pub has_street: bool,
    /// Whether the local API can be asked here.
    pub api: ApiState,
    /// It goes on and off with the settings.
    pub can_switch_api: bool,
}

/// The one door: what windows, the web twin and tests may ask of the engine.
///
/// # Errors
/// An [`ErrorBody`] with a sentence in the catalogue.
pub async fn serve(engine: &Engine, host: Host, command: Command) -> Result<Value, ErrorBody> {
    match command {
        Command::GetBoard(_) => {
            let board = engine.board().borrow().clone();
            json(wire::board(&board))
        }
        Command::GetAbout(_) => json(mail::about(engine, host).await),
        Command::Preview(pasted) => json(searches::preview(engine, pasted).await?),
        Command::WouldShow(query) => json(searches::would_show(&query)),
        Command::AddSearch(new) => json(searches::add(engine, new).await?),
        Command::EditSearch(edit) => done(searches::edit(engine, edit).await),
        Command::DeleteSearch(it) => done(engine.delete_search(search(it.id)).await.map_err(store)),
        Command::SetEnabled(it) => {
            done(engine.set_enabled(search(it.id), it.on).await.map_err(store))
        }
        Command::SetMuted(it) => done(engine.set_muted(search(it.id), it.on).await.map_err(store)),
        Command::RetryNow(it) | Command::CheckNow(it) => {
            done(engine.retry_now(search(it.id)).await.map_err(searches::locked))
        }
        Command::SendCurrent(it) => done(searches::send_current(engine, search(it.id)).await),
        Command::Start(_) => {
            engine.start().await;
            json(Nothing {})
        }
        Command::Stop(_) => {
            engine.stop().await;
            json(Nothing {})
        }
        Command::ClearSession(it) => {
            engine.clear_session(firstknock_listing::HostKey::from_stored(&it.host)).await;
            json(Nothing {})
        }
        Command::ListListings(query) => json(shelf::listings(engine, query).await?),
        Command::MarkListing(mark) => done(shelf::mark(engine, mark).await),
        Command::MarkAllRead(_) => done(shelf::mark_all_read(engine).await),
        Command::DismissAway(_) => {
            engine.dismiss_away().await;
            json(Nothing {})
        }
        Command::Insight(query) => json(shelf::insight(engine, query).await?),
        Command::ListDeliveries(_) => json(shelf::deliveries(engine).await?),
        Command::SendAgain(it) => done(shelf::send_again(engine, it.id).await),
        Command::GetSettings(_) => json(mail::settings(engine).await?),
        Command::PutSettings(settings) => done(mail::put_settings(engine, settings).await),
        Command::GuessMail(it) => json(mail::guess(engine, &it.address).await?),
        Command::GetMail(_) => json(mail::account(engine).await?),
        Command::PutMail(account) => done(mail::keep(engine, account).await),
        Command::ForgetMail(_) => done(engine.forget_account().await.map_err(mail::trouble)),
        Command::TestMail(account) => json(mail::test(engine, account).await?),
        Command::ListChannels(_) => json(channels::list(engine).await?),
        Command::PutChannel(wish) => done(channels::put(engine, wish).await),
        Command::RemoveChannel(it) => done(channels::remove(engine, &it.name).await),
        Command::GetData(_) => json(data::facts(engine).await?),
        Command::BackUp(_) => json(data::back_up(engine).await?),
        Command::Restore(it) => done(data::restore(engine, &it.name).await),
        Command::Export(it) => json(data::export(engine, it.what).await?),
        Command::ImportSearches(it) => json(data::import(engine, it.text).await?),
        Command::GetApi(_) => json(clients::shown(engine, host).await?),
        Command::AddClient(new) => json(clients::add(engine, new).await?),
        Command::EditClient(edit) => done(clients::edit(engine, edit).await),
        Command::RevokeClient(it) => done(engine.revoke_client(it.id).await.map_err(store)),
        Command::LetClientIn(it) => done(engine.let_client_in(it.id).await.map_err(store)),
        Command::TestChannel(it) => json(channels::test(engine, &it.name).await?),
    }
}

fn done(result: Result<(), ErrorBody>) -> Result<Value, ErrorBody> {
    result.and_then(|()| json(Nothing {}))
}

fn json(reply: impl Serialize) -> Result<Value, ErrorBody> {
    serde_json::to_value(reply).map_err(|_| ErrorBody::new(ErrorCode::Internal))
}

fn search(id: i64) -> firstknock_listing::SearchId {
    firstknock_listing::SearchId(id)
}

fn store(error: StoreError) -> ErrorBody {
    match error {
        StoreError::Duplicate { id, name } => {
            ErrorBody::new(ErrorCode::Duplicate).with("name", name).with("id", id)
        }
        StoreError::TooManyEnabled { max } => ErrorBody::new(ErrorCode::TooMany).with("max", max),
        StoreError::NotFound => ErrorBody::new(ErrorCode::NotFound),
        StoreError::OutOfRange { field, min, max } => ErrorBody::new(ErrorCode::OutOfRange)
            .with("field", field)
            .with("min", min)
            .with("max", max),
        StoreError::Stopped(why) => ErrorBody::new(ErrorCode::Storage).with("why", why.code()),
        StoreError::TookTooLong => ErrorBody::new(ErrorCode::TookTooLong),
        StoreError::NoTurn => ErrorBody::new(ErrorCode::Busy),
        StoreError::Closed => ErrorBody::new(ErrorCode::Stopping),
        _ => ErrorBody::new(ErrorCode::Internal),
    }
}
