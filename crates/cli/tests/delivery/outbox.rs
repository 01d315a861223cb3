//! A data folder whose outbox is full, for a scripted mail server.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use firstknock_monitor::store::{OutboxRow, OutboxStep, PostKind, Store};
use firstknock_notify::secrets::{Place, open};
use firstknock_notify::{ChannelConfig, Secret};

use crate::process::account;
use crate::smtp::Server;

/// Prepares a folder: an account at this server, and so many messages that wait.
pub(crate) async fn fill(folder: &Path, server: &Server, messages: u32) {
    let data = data(folder);
    std::fs::create_dir_all(&data).expect("a folder");
    let root = base64::engine::general_purpose::STANDARD.encode(&server.root);
    let pem = format!("-----BEGIN CERTIFICATE-----\n{root}\n-----END CERTIFICATE-----\n");
    std::fs::write(folder.join("cert.pem"), pem).expect("written");
    let account = account(server.address.port());
    open(Place::File, &data)
        .set(&account.password(), Secret::new("correct horse".into()))
        .await
        .expect("the password is kept");
    let now = jiff::Timestamp::now();
    let (mut store, _) = Store::open(&data, now).expect("a database");
    let settings = serde_json::json!({ "keep_secret": "file" });
    store.set_setting("app", &settings, now).expect("kept");
    let config = serde_json::to_value(ChannelConfig::Smtp(account)).expect("JSON");
    store.put_channel("mail", "smtp", true, &config, now).expect("kept");
    for _ in 0..messages {
        store.post("mail", PostKind::Test, None, None, now).expect("kept");
    }
}

/// All rows with their history, oldest first.
pub(crate) fn rows(folder: &Path) -> Vec<(OutboxRow, Vec<OutboxStep>)> {
    let (store, _) = Store::open(&data(folder), jiff::Timestamp::now()).expect("a database");
    let mut rows = store.deliveries(2_000).expect("rows");
    rows.reverse();
    rows.into_iter()
        .map(|row| {
            let steps = store.delivery_steps(row.id).expect("steps");
            (row, steps)
        })
        .collect()
}

fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}
