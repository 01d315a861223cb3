//! A server on a free port over the stage's engine, and a client that says exactly what it is told.

use std::time::Duration;

use firstknock_api::{Api, Budget, Limits, Server, Ui, add_client, bind, owner_token};
use firstknock_monitor::Engine;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A running server.
pub(crate) struct House {
    pub(crate) port: u16,
    pub(crate) api: Api,
    end: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl House {
    pub(crate) async fn open(engine: &Engine, limits: Limits) -> Self {
        Self::open_with(engine, limits, Ui::Missing).await
    }

    pub(crate) async fn open_with(engine: &Engine, limits: Limits, ui: Ui) -> Self {
        let listener = bind(0).await.expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let api = Api::open(engine.clone(), ui, limits, port).await.expect("clients");
        let (end, ended) = oneshot::channel();
        let server = Server::new(listener, api.clone());
        let served = tokio::spawn(server.run(async {
            // Dropped is an end, too.
            drop(ended.await);
        }));
        Self { port, api, end, served }
    }

    pub(crate) async fn close(self) {
        self.end.send(()).expect("it runs");
        self.served.await.expect("it ends well");
    }

    /// One request with these header lines (without Host and Connection) on a connection of its own.
    pub(crate) async fn ask(&self, method: &str, path: &str, lines: &[&str], body: &str) -> Answer {
        let host = format!("Host: 127.0.0.1:{}", self.port);
        let mut all = vec![host.as_str()];
        all.extend(lines);
        self.say(method, path, &all, body).await
    }

    /// The same with the Host line left to the caller.
    pub(crate) async fn say(&self, method: &str, path: &str, lines: &[&str], body: &str) -> Answer {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for line in lines {
            text.push_str(line);
            text.push_str("\r\n");
        }
        if !body.is_empty() {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        text.push_str(body);
        let mut stream = self.connect().await;
        // A server that refused at the head may close before the body is through.
        drop(stream.write_all(text.as_bytes()).await);
        Answer::read(stream).await
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Answer {
        self.ask("GET", path, &[&bearer(token)], "").await
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        token: &str,
        key: Option<&str>,
        body: &str,
    ) -> Answer {
        let (bearer, key) = (bearer(token), key.map(|key| format!("Idempotency-Key: {key}")));
        let mut lines = vec![bearer.as_str(), "Content-Type: application/json"];
        lines.extend(key.as_deref());
        self.ask(method, path, &lines, body).await
    }

    /// Raw bytes on a connection that stays open.
    pub(crate) async fn raw(&self, text: &str) -> TcpStream {
        let mut stream = self.connect().await;
        stream.write_all(text.as_bytes()).await.expect("sent");
        stream
    }

    /// A GET whose answer goes on, read up to and with some words.
    pub(crate) async fn follow(&self, path: &str, token: &str, until: &str) -> TcpStream {
        let (port, head) = (self.port, bearer(token));
        let mut stream = self
            .raw(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\n\r\n"))
            .await;
        let mut text = String::new();
        while !text.contains(until) {
            let mut bytes = [0; 4096];
            let n = stream.read(&mut bytes).await.expect("a stream");
            assert!(n > 0, "{text}");
            text.push_str(&String::from_utf8_lossy(&bytes[..n]));
        }
        stream
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).await.expect("it listens")
    }
}

pub(crate) fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}")
}

/// An answer, as it came.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) async fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A reset after the answer is an end, too.
        drop(
            tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut bytes))
                .await
                .expect("the server neither answers nor hangs up"),
        );
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub(crate) fn code(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.head);
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// A client of that name; its token.
pub(crate) async fn client(engine: &Engine, name: &str, write: bool, budget: Budget) -> String {
    let (name, now) = (name.to_owned(), engine.clock().now());
    let made = engine.store().run(move |store| Ok(add_client(store, &name, write, budget, now)));
    let (_, token) = made.await.expect("a store").expect("a client");
    token.reveal().to_owned()
}

/// A client that may do all that clients may, with plenty to spend.
pub(crate) async fn rich(engine: &Engine) -> String {
    let budget = Budget { per_minute: 100_000, per_day: 1_000_000 };
    client(engine, "rich", true, budget).await
}

pub(crate) async fn owner(engine: &Engine) -> String {
    let now = engine.clock().now();
    let made = engine.store().run(move |store| Ok(owner_token(store, false, now)));
    let token = made.await.expect("a store").expect("a client").expect("the first one");
    token.reveal().to_owned()
}
