//! The built `knock` as a process on a folder of its own.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use firstknock_notify::{Login, Security, SmtpConfig};

/// A child that never outlives its test.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.0.kill().expect("our own child");
        self.0.wait().expect("our own child");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Already gone is fine.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// `knock watch` on the folder's `data`, trusting its `cert.pem`.
pub(crate) fn knock(folder: &Path) -> Process {
    let child = Command::new(env!("CARGO_BIN_EXE_knock"))
        .args(["watch", "--data"])
        .arg(folder.join("data"))
        .env("SSL_CERT_FILE", folder.join("cert.pem"))
        .stdout(Stdio::null())
        .spawn()
        .expect("knock starts");
    Process(child)
}

/// Waits until something is true.
pub(crate) async fn until(what: &str, mut is: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is() {
        assert!(started.elapsed() < Duration::from_secs(180), "{what}: not within three minutes");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The account of a mail server on loopback.
pub(crate) fn account(port: u16) -> SmtpConfig {
    SmtpConfig {
        server: "localhost".into(),
        port,
        security: Security::ImplicitTls,
        user: "noor@mailhuis.example".into(),
        login: Login::Password,
        from: "noor@mailhuis.example".into(),
        to: "noor@mailhuis.example".into(),
    }
}
