//! Where secrets are kept.

use firstknock_notify::secrets::{FILE_NAME, Place, Session, open};
use firstknock_notify::{Secret, SecretError, SecretName, Secrets};

async fn keeps_and_forgets(secrets: &dyn Secrets) {
    let name = SecretName::new("smtp", "noor@mailhuis.example");
    assert_eq!(secrets.get(&name).await.expect("asked"), None);
    for text in ["correct horse", "pässwörd 🔑"] {
        secrets.set(&name, Secret::new(text.into())).await.expect("kept");
        let kept = secrets.get(&name).await.expect("asked").expect("there");
        assert_eq!(kept.reveal(), text);
    }
    secrets.forget(&name).await.expect("forgotten");
    secrets.forget(&name).await.expect("twice is fine");
    assert_eq!(secrets.get(&name).await.expect("asked"), None);
}

#[tokio::test]
async fn a_session_and_a_file_keep_and_forget() {
    let folder = tempfile::tempdir().expect("a folder");
    keeps_and_forgets(&*open(Place::Session, folder.path())).await;
    assert!(std::fs::read_dir(folder.path()).expect("the folder").next().is_none());
    keeps_and_forgets(&*open(Place::File, folder.path())).await;
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_user_may_read_the_file_and_it_says_what_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let (name, path) = (SecretName::new("smtp", "noor"), folder.path().join(FILE_NAME));
    let secrets = open(Place::File, folder.path());
    secrets.set(&name, Secret::new("correct horse".into())).await.expect("kept");
    let mode = || std::fs::metadata(&path).expect("the file").permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    let text = std::fs::read_to_string(&path).expect("the file");
    assert!(text.contains("unencrypted"), "{text}");
    // A backup may have restored it with wider rights.
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("set");
    secrets.get(&name).await.expect("asked").expect("there");
    assert_eq!(mode(), 0o600);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_an_error_and_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(FILE_NAME);
    std::fs::write(&path, "not json").expect("written");
    let secrets = open(Place::File, folder.path());
    let name = SecretName::new("smtp", "noor");
    assert!(matches!(secrets.get(&name).await, Err(SecretError::File(_))));
    let set = secrets.set(&name, Secret::new("x".into())).await;
    assert!(matches!(set, Err(SecretError::File(_))));
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), "not json");
}

#[test]
fn a_secret_cannot_be_printed() {
    let shown = format!("{:?}", (Secret::new("correct horse".into()), Session::default()));
    assert!(!shown.contains("horse"), "{shown}");
}

/// Its own process on its own bus, since the bus is found by an environment variable.
#[cfg(target_os = "linux")]
#[test]
fn the_keychain_of_a_linux_desktop_keeps_forgets_and_says_when_it_is_locked_or_absent() {
    use std::process::Command;
    let here = std::env::current_exe().expect("this test");
    let run = |script: &str, expect: &str| {
        let home = tempfile::tempdir().expect("a folder");
        let output = Command::new("timeout")
            .args(["60", "dbus-run-session"])
            .args(["--", "sh", "-c", script])
            .env("HOME", home.path())
            .env("XDG_RUNTIME_DIR", home.path())
            .env("XDG_DATA_HOME", home.path())
            .env("FIRSTKNOCK_TEST_KEYCHAIN", expect)
            .env("TEST", &here)
            .output()
            .expect("a bus");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{expect}: {text}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(text.contains(&format!("keychain {expect}")), "{expect}: {text}");
    };
    let there = |name: &str| Command::new(name).arg("--version").output().is_ok();
    if !there("dbus-run-session") || !there("gnome-keyring-daemon") {
        println!("skipped: no dbus-run-session or no gnome-keyring-daemon");
        return;
    }
    let inner = r#""$TEST" --exact --ignored --nocapture secrets::inside_a_session"#;
    // No bus at this address.
    run(&format!("DBUS_SESSION_BUS_ADDRESS=unix:path=$HOME/none; {inner}"), "absent");
    let unlock = "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null";
    run(&format!("{unlock}; {inner}"), "open");
    if there("secret-tool") {
        run(&format!("{unlock}; secret-tool lock --collection=login; {inner}"), "locked");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "runs inside the session that the test above makes"]
async fn inside_a_session() {
    let Ok(expect) = std::env::var("FIRSTKNOCK_TEST_KEYCHAIN") else { return };
    let secrets = open(Place::Keychain, std::path::Path::new("."));
    let name = SecretName::new("smtp", "noor");
    match expect.as_str() {
        "absent" => assert!(matches!(secrets.get(&name).await, Err(SecretError::Absent))),
        "locked" => {
            let got = secrets.get(&name).await;
            assert!(matches!(got, Err(SecretError::Locked)), "{got:?}");
            let again = secrets.get(&name).await;
            assert!(matches!(again, Err(SecretError::Locked)), "{again:?}");
        }
        "open" => keeps_and_forgets(&*secrets).await,
        other => panic!("{other}"),
    }
    println!("keychain {expect}");
}
