//! A real mail server with TLS and AUTH, SIGKILL, and a second process on the same folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use firstknock_listing::{Criteria, SearchUrl};
use firstknock_monitor::store::Store;
use firstknock_monitor::{Dice, ReaderChoice, Rhythm, SearchWish, Tell};
use firstknock_notify::secrets::{Place, open};
use firstknock_notify::{ChannelConfig, Secret};
use firstknock_rehearsal::street::{Markup, Site};

use crate::process::{Process, account, knock, until};

/// Takes the port, the certificate, the key and a folder; each message becomes a file there.
const SERVER: &str = r#"
import asyncio, os, ssl, sys
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

port, cert, key, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(cert, key)

def authenticate(server, session, envelope, mechanism, data):
    good = isinstance(data, LoginPassword) and data.password == b"correct horse"
    return AuthResult(success=good, handled=good)

class Handler:
    count = 0
    async def handle_DATA(self, server, session, envelope):
        Handler.count += 1
        name = os.path.join(folder, f"{os.getpid()}-{Handler.count}")
        with open(name + ".part", "wb") as file:
            file.write(envelope.original_content)
        os.rename(name + ".part", name + ".eml")
        return "250 2.0.0 taken"

async def main():
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(Handler(), hostname="street.example", authenticator=authenticate,
                     auth_required=True, auth_require_tls=False),
        "127.0.0.1", port, ssl=context)
    print("ready", flush=True)
    await server.serve_forever()

asyncio.run(main())
"#;

fn python() -> Option<PathBuf> {
    let named = std::env::var_os("FIRSTKNOCK_TEST_PYTHON").map(PathBuf::from);
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-venv/bin/python");
    named.or(Some(ours)).filter(|python| python.exists())
}

fn mail_server(python: &Path, port: u16, folder: &Path) -> Process {
    let mut child = Command::new(python)
        .args(["-c", SERVER, &port.to_string()])
        .args([folder.join("cert.pem"), folder.join("key.pem"), folder.join("inbox")])
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("its output");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).expect("a line");
    assert_eq!(line.trim(), "ready");
    Process(child)
}

fn inbox(folder: &Path) -> Vec<String> {
    std::fs::read_dir(folder.join("inbox"))
        .expect("the inbox")
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "eml"))
        .filter_map(|entry| std::fs::read_to_string(entry.path()).ok())
        .collect()
}

/// A data folder with one search and a mail account, and a certificate that `knock` trusts.
async fn prepare(folder: &Path, site: &Site, port: u16) {
    std::fs::create_dir_all(folder.join("inbox")).expect("a folder");
    let signed =
        rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    std::fs::write(folder.join("cert.pem"), signed.cert.pem()).expect("written");
    std::fs::write(folder.join("key.pem"), signed.signing_key.serialize_pem()).expect("written");
    let account = account(port);
    let data = folder.join("data");
    std::fs::create_dir_all(&data).expect("a folder");
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
    let wish = SearchWish {
        name: "homes in Waterveen".into(),
        url: SearchUrl::parse(&site.plain_url("waterveen")).expect("an address"),
        interval: Duration::from_secs(30),
        muted: false,
        reader: ReaderChoice::Plain,
        criteria: Criteria::default(),
        tell: Tell { new: true, price_drops: true, relisted: true },
        quiet: None,
        rhythm: Rhythm::Instant,
    };
    store.add_search(&wish, true, now).expect("kept");
}

/// What the database says while the other process works: how many rows wait, how many were sent.
fn outbox(folder: &Path) -> (usize, usize) {
    let Ok((store, _)) = Store::open(&folder.join("data"), jiff::Timestamp::now()) else {
        return (0, 0);
    };
    let rows = store.deliveries(50).unwrap_or_default();
    let sent = rows.iter().filter(|row| row.done_at.is_some()).count();
    (rows.len() - sent, sent)
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_commit_and_delivery_the_mail_comes_after_the_restart_once() {
    let Some(python) = python() else {
        println!("skipped: no Python with aiosmtpd (FIRSTKNOCK_TEST_PYTHON, target/test-venv)");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let site = Site::open("grachtenhuur", Markup::Cards, Dice::new(7), 12).await.expect("a port");
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .expect("a free port")
        .port();
    prepare(folder, &site, port).await;

    // The baseline, then a listing while no mail server answers: the row waits.
    let first = knock(folder);
    until("the first check", || !site.requests().is_empty()).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let home = site.add_home();
    until("the message is written", || outbox(folder).0 == 1).await;
    first.kill();
    assert!(inbox(folder).is_empty());

    // Another process on the same folder is told who has it; the first one's lock died with it.
    let server = mail_server(&python, port, folder);
    let second = knock(folder);
    until("the mail", || !inbox(folder).is_empty()).await;
    let refused = Command::new(env!("CARGO_BIN_EXE_knock"))
        .args(["watch", "--run-for", "1", "--data"])
        .arg(folder.join("data"))
        .output()
        .expect("knock runs");
    assert_eq!(refused.status.code(), Some(6), "the folder is taken");
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(words.contains(&second.0.id().to_string()), "and it says by whom: {words}");

    until("the row is closed", || outbox(folder) == (0, 1)).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    second.kill();
    drop(server);
    let mails = inbox(folder);
    assert_eq!(mails.len(), 1, "once");
    assert!(mails[0].contains(&home.id.to_string()), "with the listing's own link");
}
