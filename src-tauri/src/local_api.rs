//! The local API inside the app: on while the settings say so, for programs of this computer.
//!
//! **Leaves out**: pages and the door of the web twin, which `knock serve` has; the app has a window.

use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use firstknock_api::{Api, Limits, Server, Ui, bind};
use firstknock_ipc::{ApiState, Settings};
use firstknock_monitor::Engine;
use tauri::async_runtime::{JoinHandle, spawn};
use tokio::sync::oneshot;

/// The server, if it runs.
pub(crate) struct LocalApi {
    state: Mutex<ApiState>,
    /// Held while it starts or stops: one change after the other.
    running: tokio::sync::Mutex<Option<Running>>,
}

struct Running {
    end: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl LocalApi {
    pub(crate) fn new() -> Self {
        Self { state: Mutex::new(ApiState::Off), running: tokio::sync::Mutex::default() }
    }

    /// What it came to.
    pub(crate) fn state(&self) -> ApiState {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts, stops or moves as the settings say. A port that was taken is tried again.
    pub(crate) async fn follow(&self, engine: &Engine, settings: &Settings) {
        let wanted = settings.local_api.then_some(settings.local_api_port);
        let mut running = self.running.lock().await;
        let as_it_is = match (wanted, self.state()) {
            (None, ApiState::Off) => true,
            (Some(port), ApiState::On { port: now }) => port == now,
            _ => false,
        };
        if as_it_is {
            return;
        }
        if let Some(old) = running.take() {
            old.stop().await;
        }
        let state = match wanted {
            None => ApiState::Off,
            Some(port) => match Running::start(engine, port).await {
                Ok(new) => {
                    *running = Some(new);
                    ApiState::On { port }
                }
                Err(error) => {
                    tracing::warn!(port, "the local API cannot be served: {error:#}");
                    ApiState::Failed { port }
                }
            },
        };
        tracing::info!(?state, "the local API");
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// For the end of the app: what clients spent is kept.
    pub(crate) async fn stop(&self) {
        if let Some(old) = self.running.lock().await.take() {
            old.stop().await;
        }
    }
}

impl Running {
    async fn start(engine: &Engine, port: u16) -> anyhow::Result<Self> {
        let listener = bind(port).await.context("the port cannot be used")?;
        let api = Api::open(engine.clone(), Ui::None, Limits::default(), port).await?;
        let (end, ended) = oneshot::channel::<()>();
        let served = spawn(Server::new(listener, api).run(async {
            // Dropped is an end, too.
            drop(ended.await);
        }));
        Ok(Self { end, served })
    }

    async fn stop(self) {
        drop(self.end);
        if let Err(error) = self.served.await {
            tracing::warn!(%error, "the local API ended badly");
        }
    }
}
