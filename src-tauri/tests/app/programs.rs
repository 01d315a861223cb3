//! Other programs beside the real window: the switch, a token that is shown once, a restart.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::app::{Driven, PATIENCE};
use crate::stage::{Stage, free_port, until};

#[tokio::test]
async fn programs_may_ask_while_the_switch_is_on_and_the_app_remembers_it() {
    let stage = Stage::new();
    let app = Driven::start(&stage).await;
    let port = free_port();
    assert!(ask(port, "GET /api/v1/summary", "").await.is_none(), "off until somebody says so");
    show(&app).await;
    app.element_that_says("api-state", "Off").await;
    let mut settings = app.call("get_settings", json!({})).await;
    settings["local_api_port"] = json!(port);
    app.call("put_settings", settings).await;
    show(&app).await;
    let switch = "document.querySelector('#programs [role=switch]').click()";
    app.window.execute(switch, vec![]).await.unwrap();
    app.element_that_says("api-state", &format!("http://127.0.0.1:{port}")).await;

    app.element("program-add").await.click().await.unwrap();
    app.element("program-name").await.send_keys("Home Assistant").await.unwrap();
    app.element("program-save").await.click().await.unwrap();
    let shown = app.element_that_says("program-token", "fk_").await;
    app.picture("programs").await;
    let token = shown.split_whitespace().find(|word| word.starts_with("fk_")).unwrap();
    assert!(ok(&ask(port, "GET /api/v1/summary", token).await), "it is let in");
    for path in ["GET /", "GET /sign-in", "POST /api/ui/call", "GET /api/ui/events"] {
        let answer = ask(port, path, token).await.unwrap();
        assert!(
            answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 405"),
            "{answer}"
        );
    }
    let again = app.call("get_api", json!({})).await;
    assert!(!again.to_string().contains(token), "shown once: {again:#}");
    app.end().await;
    until("it has ended", PATIENCE, async || {
        ask(port, "GET /healthz", "").await.is_none().then_some(())
    })
    .await;
    // Its last descriptors go together: the port is free, and so are the data.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;

    let app = Driven::start(&stage).await;
    until("it answers again", PATIENCE, async || {
        ok(&ask(port, "GET /api/v1/summary", token).await).then_some(())
    })
    .await;
    show(&app).await;
    app.window.execute(switch, vec![]).await.unwrap();
    app.element_that_says("api-state", "Off").await;
    assert!(ask(port, "GET /api/v1/summary", token).await.is_none(), "nothing listens");
    app.end().await;
}

#[tokio::test]
async fn a_port_that_somebody_has_is_said_and_another_one_is_taken() {
    let stage = Stage::new();
    let app = Driven::start(&stage).await;
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let mut settings = app.call("get_settings", json!({})).await;
    settings["local_api"] = json!(true);
    settings["local_api_port"] = json!(port);
    app.call("put_settings", settings.clone()).await;
    let state = app.call("get_api", json!({})).await["state"].clone();
    assert_eq!(state, json!({ "kind": "failed", "port": port }));
    drop(taken);
    // Saved once more, it is tried once more.
    app.call("put_settings", settings).await;
    let state = app.call("get_api", json!({})).await["state"].clone();
    assert_eq!(state, json!({ "kind": "on", "port": port }));
    app.end().await;
}

async fn show(app: &Driven) {
    app.window.goto("tauri://localhost/index.html#/help").await.unwrap();
    app.window.refresh().await.unwrap();
    app.window.goto("tauri://localhost/index.html#/settings/programs").await.unwrap();
    app.element("api-state").await;
}

fn ok(answer: &Option<String>) -> bool {
    answer.as_deref().is_some_and(|text| text.starts_with("HTTP/1.1 200"))
}

/// One request on a connection of its own; `None` if nobody listens.
async fn ask(port: u16, line: &str, token: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
    let request = format!(
        "{line} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.ok()?;
    Some(answer)
}
