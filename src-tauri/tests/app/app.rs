//! The app under a driver, and the app by itself.

use std::os::unix::process::CommandExt;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::stage::{Stage, free_port, pictures, until};

/// The binary under test.
const APP: &str = env!("CARGO_BIN_EXE_firstknock");
/// Debug builds on a busy machine are slow; a green test does not wait for this.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The app with its window under WebDriver.
pub(crate) struct Driven {
    server: Child,
    pub(crate) window: WebDriver,
}

impl Driven {
    /// Starts the app on a stage and waits for its page.
    pub(crate) async fn start(stage: &Stage) -> Self {
        firstknock_fetch::install_crypto();
        let port = free_port();
        let server = stage
            .command("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdout(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut capabilities = Capabilities::new();
        let data = stage.data();
        let options = json!({ "binary": APP, "args": ["--multi", "--data", data] });
        capabilities.set("webkitgtk:browserOptions", options).unwrap();
        let address = format!("http://127.0.0.1:{port}");
        let window = until("the app starts", PATIENCE, async || {
            WebDriver::new(&address, capabilities.clone()).await.ok()
        })
        .await;
        window.set_script_timeout(Duration::from_secs(60)).await.unwrap();
        Self { server, window }
    }

    /// Asks the engine as the window does.
    pub(crate) async fn call(&self, name: &str, args: Value) -> Value {
        let answer =
            self.invoke("call", json!({ "command": { "name": name, "args": args } })).await;
        answer.unwrap_or_else(|refused| panic!("{name} was refused: {refused}"))
    }

    /// One of the app's own commands.
    pub(crate) async fn invoke(&self, command: &str, args: Value) -> Result<Value, Value> {
        let script = "const done = arguments[arguments.length - 1];
            window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1])
              .then((ok) => done({ ok: ok ?? null }), (no) => done({ no }));";
        let answer = self.window.execute_async(script, vec![json!(command), args]).await.unwrap();
        let answer = answer.json();
        match answer.get("ok") {
            Some(ok) => Ok(ok.clone()),
            None => Err(answer["no"].clone()),
        }
    }

    /// Adds a search past the form; gives its id.
    pub(crate) async fn add_search(&self, url: &str, reader: &str) -> i64 {
        let alerts = json!({
            "new": true, "price_drops": true, "relisted": true, "pace": "instant", "quiet": null,
        });
        let search = json!({
            "url": url, "name": "Kamers", "filters": {}, "alerts": alerts, "interval_ms": 30_000,
            "reader": reader, "enabled": true, "choice": null, "send_current": false,
        });
        self.call("add_search", search).await["id"].as_i64().unwrap()
    }

    /// Waits until a search's row is in one of these states; gives the row.
    pub(crate) async fn row_in(&self, id: i64, states: &[&str]) -> Value {
        let mut last = Value::Null;
        let what = format!("a row that is {states:?}");
        let found = tokio::time::timeout(
            PATIENCE,
            until(&what, PATIENCE * 2, async || {
                last = self.row(id).await;
                states.contains(&last["state"]["kind"].as_str()?).then(|| last.clone())
            }),
        )
        .await;
        found.unwrap_or_else(|_| panic!("{what}, but it is {last:#}"))
    }

    /// A search's row.
    pub(crate) async fn row(&self, id: i64) -> Value {
        let board = self.call("get_board", json!({})).await;
        let rows = board["rows"].as_array().unwrap();
        rows.iter().find(|row| row["id"] == id).cloned().unwrap_or_default()
    }

    /// The one host's card.
    pub(crate) async fn host(&self) -> Value {
        self.call("get_board", json!({})).await["hosts"][0].clone()
    }

    /// Waits for an element with a test id.
    pub(crate) async fn element(&self, id: &str) -> WebElement {
        self.window
            .query(By::Css(format!("[data-testid='{id}']")))
            .wait(PATIENCE, Duration::from_millis(100))
            .first()
            .await
            .unwrap()
    }

    /// The text of an element once it says this.
    pub(crate) async fn element_that_says(&self, id: &str, words: &str) -> String {
        let mut last = String::new();
        let what = format!("{id} says {words:?}");
        until(&what, PATIENCE, async || {
            last = self.element(id).await.text().await.ok()?;
            last.contains(words).then(|| last.clone())
        })
        .await
    }

    /// A picture of the window, under `target/`.
    pub(crate) async fn picture(&self, name: &str) {
        self.window.screenshot(&pictures().join(format!("{name}.png"))).await.unwrap();
    }

    /// Ends the app.
    pub(crate) async fn end(self) {
        self.window.clone().quit().await.unwrap();
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        // The driver and the app that it started; first of all, or the client waits for an answer.
        let group = format!("-{}", self.server.id());
        std::process::Command::new("kill").args(["-KILL", "--", &group]).status().ok();
        self.server.wait().ok();
    }
}

/// The app without a driver.
pub(crate) struct Alone(pub(crate) Child);

impl Alone {
    /// Starts it with these arguments besides the data folder.
    pub(crate) fn start(stage: &Stage, args: &[&str]) -> Self {
        let mut command = stage.command(APP);
        command.arg("--data").arg(stage.data()).args(args).stderr(Stdio::piped());
        Self(command.spawn().unwrap())
    }

    /// Waits for its end.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        until("the app ends", PATIENCE, async || self.0.try_wait().unwrap()).await
    }

    /// It runs.
    pub(crate) fn runs(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
