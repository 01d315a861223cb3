//! The listener: loopback only, so many connections, each with time limits.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::app::{Api, Ui};
use crate::stall::Patient;
use crate::{admit, door, guard, pages, v1};

/// How often what was spent is kept.
const KEEP_EVERY: Duration = Duration::from_secs(3);
/// How often clients that were changed elsewhere are noticed.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The most bytes of a request's head.
const HEAD_BYTES: usize = 16 * 1024;

/// A port on 127.0.0.1; 0 lets the system choose.
///
/// # Errors
/// If the port is taken.
pub async fn bind(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
}

/// A server that is about to run.
pub struct Server {
    listener: TcpListener,
    api: Api,
}

impl Server {
    /// The API on a listener of [`bind`].
    pub fn new(listener: TcpListener, api: Api) -> Self {
        Self { listener, api }
    }

    /// Serves until `end` is done; then every connection is closed and what was spent is kept.
    pub async fn run(self, end: impl Future<Output = ()>) {
        let routes = routes(&self.api);
        let places = Arc::new(Semaphore::new(self.api.limits.connections));
        let mut connections = JoinSet::new();
        // Apart: a store that is busy keeps nobody out.
        let mut settling = JoinSet::new();
        settling.spawn(settle(self.api.clone()));
        tokio::pin!(end);
        loop {
            tokio::select! {
                accepted = self.listener.accept() => {
                    let Ok((stream, _)) = accepted else {
                        // Out of descriptors, perhaps: a moment, not a spin.
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    };
                    // One too many is closed at once; those that are served do not notice.
                    if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
                        let (routes, api) = (routes.clone(), self.api.clone());
                        connections.spawn(async move {
                            connection(stream, routes, &api).await;
                            drop(place);
                        });
                    }
                }
                Some(_) = connections.join_next() => {}
                () = &mut end => break,
            }
        }
        settling.shutdown().await;
        connections.shutdown().await;
        if let Err(error) = self.api.settle().await {
            tracing::warn!(%error, "what the API's clients spent could not be kept");
        }
    }
}

async fn settle(api: Api) {
    let (mut keep, mut look) =
        (tokio::time::interval(KEEP_EVERY), tokio::time::interval(LOOK_EVERY));
    loop {
        let done = tokio::select! {
            _ = keep.tick() => api.book.keep(&api.engine).await,
            _ = look.tick() => api.book.refresh(&api.engine).await,
        };
        if let Err(error) = done {
            tracing::warn!(%error, "the API's clients could not be read or kept");
        }
    }
}

async fn connection(stream: TcpStream, routes: Router, api: &Api) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection was gone before it was served");
    }
    let stream = TokioIo::new(Patient::new(stream, api.limits.stall));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(api.limits.head)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(stream, TowerToHyperService::new(routes))
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended");
    }
}

fn routes(api: &Api) -> Router {
    let door = match api.ui {
        Ui::None => Router::new(),
        Ui::Built(_) | Ui::Folder(_) | Ui::Missing => {
            Router::new().nest("/api/ui", door::routes(api))
        }
    };
    let routes = door
        .nest("/api/v1", v1::routes(api))
        .route("/healthz", get(v1::healthz))
        .route("/metrics", get(v1::metrics).layer(from_fn_with_state(api.clone(), admit::client)))
        .fallback(pages::page)
        .method_not_allowed_fallback(v1::no_such_method)
        .with_state(api.clone());
    guard::over(routes, api)
}
