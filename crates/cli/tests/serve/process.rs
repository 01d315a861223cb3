//! `knock serve` and `knock clients` as they are run.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A child that never outlives its test.
pub(crate) struct Served {
    child: Child,
    out: BufReader<ChildStdout>,
    pub(crate) port: u16,
    pub(crate) token: Option<String>,
}

impl Served {
    fn start(data: &Path, more: &[&str]) -> Self {
        Self::start_at(data, "0", more)
    }

    pub(crate) fn start_at(data: &Path, port: &str, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_knock"))
            .args(["serve", "--port", port])
            .args(more)
            .env("FIRSTKNOCK_DATA", data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("knock starts");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("Open http://127.0.0.1:").expect("the address");
        let (port, rest) = address.split_once('/').expect("a path");
        let token = rest.strip_prefix("#token=").map(str::to_owned);
        Self { child, out, port: port.parse().expect("a port"), token }
    }

    fn get(&self, path: &str, token: &str) -> String {
        use std::io::{Read, Write};
        let mut stream =
            std::net::TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\n\r\n",
            self.port
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Already gone is fine.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn clients(data: &Path, args: &[&str]) -> (bool, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_knock"))
        .arg("clients")
        .args(args)
        .env("FIRSTKNOCK_DATA", data)
        .output()
        .expect("knock runs");
    (out.status.success(), String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

#[test]
fn the_token_is_shown_once_and_clients_are_managed_beside_it() {
    let data = tempfile::tempdir().expect("a folder");
    let ui = tempfile::tempdir().expect("a folder");
    std::fs::write(ui.path().join("index.html"), "<html><head></head>the window</html>")
        .expect("written");
    let folder = ui.path().to_string_lossy();
    let mut served = Served::start(data.path(), &["--ui", &folder]);
    let token = served.token.clone().expect("the first start shows it");
    let page = served.get("/", "");
    assert!(page.contains("the window") && page.contains("/gate.js"), "{page}");
    assert!(served.get("/sign-in", "").contains("<form"));
    assert!(served.get("/api/v1/summary", &token).starts_with("HTTP/1.1 200"));
    let database =
        std::fs::read(data.path().join(firstknock_monitor::store::DB_FILE)).expect("the database");
    let found = database.windows(token.len()).any(|window| window == token.as_bytes());
    assert!(!found, "stored hashed only");

    let (done, reader) = clients(data.path(), &["add", "sensor"]);
    assert!(done && reader.starts_with("fk_"), "{reader}");
    assert!(served.get("/api/v1/summary", &reader).starts_with("HTTP/1.1 200"));
    assert!(clients(data.path(), &["budget", "2", "--per-minute", "7"]).0);
    let (_, list) = clients(data.path(), &["list"]);
    assert!(list.contains("sensor") && list.contains("7 a minute"), "{list}");
    assert!(!list.contains("fk_"), "{list}");
    assert!(clients(data.path(), &["revoke", "2"]).0);
    assert!(!clients(data.path(), &["revoke", "77"]).0);
    assert!(clients(data.path(), &["let-in", "2"]).0);
    assert!(!clients(data.path(), &["let-in", "77"]).0);

    #[cfg(unix)]
    {
        let id = served.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status().expect("kill runs");
        assert!(asked.success());
        assert!(served.child.wait().expect("our own child").success(), "it ends well");
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut served.out, &mut rest).expect("text");
        let again = Served::start(data.path(), &["--ui", &folder]);
        assert_eq!(again.token, None, "shown once");
        assert!(again.get("/api/v1/summary", &token).starts_with("HTTP/1.1 200"));
        assert!(again.get("/api/v1/summary", &reader).starts_with("HTTP/1.1 401"), "revoked");
        drop(again);
        let renewed = Served::start(data.path(), &["--new-token"]);
        let new = renewed.token.clone().expect("another one");
        assert!(renewed.get("/api/v1/summary", &new).starts_with("HTTP/1.1 200"));
        assert!(renewed.get("/api/v1/summary", &token).starts_with("HTTP/1.1 401"));
    }
}
