//! The independent second opinion: aiosmtpd, another implementation of the other side.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use firstknock_notify::channel::smtp::{Deadlines, SmtpSender};
use firstknock_notify::secrets::Session;
use firstknock_notify::{
    Deliver as _, Login, Outgoing, Secret, Secrets as _, Security, SmtpConfig, render,
};

use crate::support::alerts;
use crate::support::certificate::Certificate;

/// Prints its port, then one line per message: its subject as decoded there.
const SERVER: &str = r#"
import asyncio, email, email.policy, ssl, sys
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

implicit = sys.argv[1] == "implicit"
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2], sys.argv[3])

def authenticate(server, session, envelope, mechanism, data):
    good = isinstance(data, LoginPassword) and data.password == b"correct horse"
    return AuthResult(success=good, handled=good)

class Handler:
    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.original_content, policy=email.policy.default)
        kinds = [part.get_content_type() for part in mail.walk()]
        text = mail.get_body(("plain",)).get_content()
        html = mail.get_body(("html",)).get_content()
        complete = "kamers.example/aanbod/1" in text and "kamers.example/aanbod/1" in html
        print(mail["subject"], kinds, complete, len(mail.defects), sep="|", flush=True)
        return "250 2.0.0 taken"

def make():
    return SMTP(Handler(), hostname="street.example", authenticator=authenticate,
                auth_required=True, auth_require_tls=not implicit,
                tls_context=None if implicit else context, require_starttls=not implicit)

async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(make, "127.0.0.1", 0, ssl=context if implicit else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"#;

/// A Python that has aiosmtpd: named by the environment, or the project's own.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("FIRSTKNOCK_TEST_PYTHON").map(PathBuf::from);
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-venv/bin/python");
    named.or(Some(ours)).filter(|python| python.exists())
}

struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
    port: u16,
}

impl Running {
    fn start(python: &Path, kind: &str, folder: &Path) -> Self {
        let mut child = Command::new(python)
            .args(["-c", SERVER, kind])
            .args([folder.join("certificate.pem"), folder.join("key.pem")])
            .stdout(Stdio::piped())
            .spawn()
            .expect("python starts");
        let output = child.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines();
        let port = lines.next().expect("a line").expect("the port").parse().expect("a port");
        Self { child, lines, port }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().expect("our own child");
        self.child.wait().expect("our own child");
    }
}

async fn deliver(kind: &str, security: Security) {
    let Some(python) = python() else {
        println!("skipped: no Python with aiosmtpd (FIRSTKNOCK_TEST_PYTHON, target/test-venv)");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = Certificate::new("localhost");
    std::fs::write(folder.path().join("certificate.pem"), &certificate.leaf_pem).expect("written");
    std::fs::write(folder.path().join("key.pem"), certificate.key.serialize_pem())
        .expect("written");
    let mut server = Running::start(&python, kind, folder.path());
    let config = SmtpConfig {
        server: "localhost".into(),
        port: server.port,
        security,
        user: "noor@mailhuis.example".into(),
        login: Login::Password,
        from: "noor@mailhuis.example".into(),
        to: "noor@mailhuis.example".into(),
    };
    let messages: Vec<Outgoing> = titles().map(|title| mail(&title)).collect();
    for (password, expect) in [("wrong", "account_held"), ("correct horse", "sent")] {
        let secrets = Arc::new(Session::default());
        let secret = Secret::new(password.into());
        secrets.set(&config.password(), secret).await.expect("kept");
        let root = Some(certificate.root.clone());
        let sender = SmtpSender::with(&config, secrets, Deadlines::default(), root);
        let sender = sender.expect("a sender");
        for message in &messages {
            let attempt = sender.deliver(message).await;
            assert_eq!(attempt.code(), expect, "{kind}: {attempt:?}");
            if expect != "sent" {
                break;
            }
        }
        sender.rest().await;
    }
    let kinds = "['multipart/alternative', 'text/plain', 'text/html']";
    for message in &messages {
        let seen = server.lines.next().expect("a line").expect("what it saw");
        assert_eq!(seen, format!("{}|{kinds}|True|0", message.subject));
    }
}

/// Titles that another implementation must read back as we meant them.
fn titles() -> impl Iterator<Item = String> {
    let long = format!("{}\r\nBcc: x@y.z\r\n\r\n<script>alert(1)</script>", "ö".repeat(10_000));
    ["Zonnige kamer met balkon", "🏠🔥 Schöne Wohnung 👨‍👩‍👧 mit Balkon", "a\r\n.\r\nQUIT\r\n", &long]
        .map(str::to_owned)
        .into_iter()
}

fn mail(title: &str) -> Outgoing {
    let mut alert = alerts::one();
    alert.findings[0].listing.title = Some(title.to_owned());
    render::mail(&alert, &alerts::context()).into()
}

#[tokio::test]
async fn aiosmtpd_takes_a_mail_with_starttls_and_auth() {
    deliver("starttls", Security::StartTls).await;
}

#[tokio::test]
async fn aiosmtpd_takes_a_mail_with_implicit_tls() {
    deliver("implicit", Security::ImplicitTls).await;
}
