//! A login that is refused, and a batch that goes out over one connection.

use firstknock_monitor::DeliveryStage;

use crate::outbox::{fill, rows};
use crate::process::{knock, until};
use crate::smtp::{At, Do, Script, Server};

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_is_tried_once_and_not_once_for_each_message() {
    let script = Script::at(At::Auth, Do::Say("535 5.7.8 authentication failed"));
    let server = Server::start(true, vec![script]).await;
    let folder = tempfile::tempdir().expect("a folder");
    fill(folder.path(), &server, 5).await;
    let knock = knock(folder.path());
    let all_held = || rows(folder.path()).iter().all(|(r, _)| r.state == DeliveryStage::Held);
    until("every message is held", all_held).await;
    // A second round would come at once.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    knock.kill();
    let logins = server.commands().iter().filter(|line| line.starts_with("AUTH")).count();
    assert_eq!(logins, 1, "{:?}", server.commands());
    for (row, steps) in rows(folder.path()) {
        assert_eq!(row.reason.as_deref(), Some("auth"), "{steps:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_is_due_goes_over_one_connection_which_is_closed_afterwards() {
    let server = Server::start(true, vec![Script::default()]).await;
    let folder = tempfile::tempdir().expect("a folder");
    fill(folder.path(), &server, 4).await;
    let knock = knock(folder.path());
    until("the end of the connection", || server.commands().iter().any(|l| l == "QUIT")).await;
    knock.kill();
    assert_eq!(server.connections(), 1);
    assert_eq!(server.messages().len(), 4);
}
