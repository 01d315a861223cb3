//! A test that runs once more as a process of its own: one that trusts our certificate authority,
//! which a process can be told only before it starts.

use std::path::PathBuf;
use std::process::Command;

use base64::Engine as _;

use crate::smtp::Server;

/// Names the test to the process that it is.
const ME: &str = "FIRSTKNOCK_TEST_AGAIN";

/// Runs `test` (its whole name) in a process of its own and passes on what came of it; `false` in
/// that process, where the test goes on.
pub(crate) fn elsewhere(test: &str) -> bool {
    if std::env::var_os(ME).is_some() {
        return false;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", test, "--nocapture"])
        .env(ME, test)
        .env("SSL_CERT_FILE", folder.path().join("root.pem"))
        .output()
        .expect("it runs");
    let words = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && words.contains("1 passed"), "{words}\n{errors}");
    true
}

/// From here on this process trusts the server; to be called before anything asks.
pub(crate) fn trust(server: &Server) {
    let file = PathBuf::from(std::env::var_os("SSL_CERT_FILE").expect("it was set"));
    let root = base64::engine::general_purpose::STANDARD.encode(&server.root);
    let pem = format!("-----BEGIN CERTIFICATE-----\n{root}\n-----END CERTIFICATE-----\n");
    std::fs::write(file, pem).expect("written");
}
