//! One page, from an empty view to its rendered text.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use firstknock_fetch::{Fetched, Response, Validators};
use firstknock_monitor::Reason;
use gtk::glib;
use tokio::sync::oneshot;
use url::Url;

use super::hidden::{Hidden, Mute};
use super::settle::Settle;
use super::{check_page, failure};
use crate::webview::Session;

/// What to read, and in whose session.
pub(super) struct Order {
    pub(super) url: Url,
    pub(super) deadline: Duration,
    pub(super) session: PathBuf,
}

/// Between two looks.
const PACE: Duration = Duration::from_millis(200);
/// A check that has not passed by itself until then does not.
const WAITED_OUT: Duration = Duration::from_secs(20);

/// Reads the page and tells the caller; ends early when nobody waits any more. Main thread only.
pub(super) async fn visit(order: Order, tell: oneshot::Sender<Fetched>) {
    let session = match Session::open(&order.session).await {
        Ok(session) => session,
        Err(error) => {
            tracing::warn!(%error, "a site's session folder cannot be used");
            let failed = failure::of(Reason::Browser, "the session's folder cannot be used");
            drop(tell.send(failed));
            return;
        }
    };
    let hidden = Hidden::new(session);
    hidden.go(&order.url);
    let Some(fetched) = read(&hidden, &order, &tell).await else { return };
    hidden.keep_session().await;
    // The window first, then the answer: whoever reads next finds the memory given back.
    drop(hidden);
    drop(tell.send(fetched));
}

/// `None`: nobody waits any more.
async fn read(hidden: &Hidden, order: &Order, tell: &oneshot::Sender<Fetched>) -> Option<Fetched> {
    let began = Instant::now();
    let mut settle = Settle::default();
    let mut document = 0;
    let mut checking_since: Option<Duration> = None;
    loop {
        glib::timeout_future(PACE).await;
        if tell.is_closed() {
            return None;
        }
        let told = &hidden.told;
        if let Some(failed) = told.failure.take() {
            return Some(Fetched::Failed(failed));
        }
        let late = began.elapsed() >= order.deadline;
        if told.documents.get() == 0 {
            if late {
                return Some(failure::of(Reason::Timeout, "no page came within the deadline"));
            }
            continue;
        }
        if document != told.documents.get() {
            document = told.documents.get();
            settle = Settle::default();
        }
        let look = match hidden.look().await {
            Ok(look) => look,
            Err(Mute::Hung) => return Some(failure::of(Reason::Browser, "the page hangs")),
            Err(Mute::Between) if late => {
                return Some(failure::of(Reason::Timeout, "the page was never still"));
            }
            Err(Mute::Between) => continue,
        };
        let at = began.elapsed();
        if !settle.look(at, look, told.under_way.get() > 0) && !late {
            continue;
        }
        if late && !settle.last().parsed {
            return Some(failure::of(Reason::Timeout, "the page was still being sent"));
        }
        let html = match hidden.html().await {
            Ok(html) => html,
            Err(Mute::Hung) => return Some(failure::of(Reason::Browser, "the page hangs")),
            Err(Mute::Between) => continue,
        };
        let response = response(hidden, &order.url, html);
        if !late && check_page::may_pass(&order.url, &response, settle.last()) {
            let since = *checking_since.get_or_insert(at);
            if at.saturating_sub(since) < WAITED_OUT {
                glib::timeout_future(PACE).await;
                continue;
            }
        }
        return Some(Fetched::Page(response));
    }
}

fn response(hidden: &Hidden, asked: &Url, html: String) -> Response {
    let answer = hidden.told.answer.borrow().clone();
    let address = hidden.address().unwrap_or_else(|| asked.clone());
    let mut response = Response::of_text(address, answer.status, html).with_headers(answer.headers);
    // They mark what the server sent, not what scripts made of it, and must not reach the other
    // reader's requests.
    response.validators = Validators::default();
    response
}
