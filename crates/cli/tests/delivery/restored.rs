//! Back to a backup while the engine runs.

use std::time::Duration;

use firstknock_ipc::{
    ApiState, BackupShown, ByName, Command, ErrorCode, ExportQuery, ExportWhat, ExportedFile, Host,
    ImportFate, ImportLine, ImportText, Nothing, serve,
};
use serde::de::DeserializeOwned;

use crate::play::Play;

pub(crate) const HERE: Host = Host {
    can_open_sites: false,
    has_tray: false,
    has_street: false,
    api: ApiState::Off,
    can_switch_api: false,
};

pub(crate) async fn ask<T: DeserializeOwned>(
    play: &Play,
    command: Command,
) -> Result<T, ErrorCode> {
    let answer = serve(play.engine(), HERE, command).await.map_err(|error| error.code)?;
    Ok(serde_json::from_value(answer).expect("the reply that the list promises"))
}

#[tokio::test]
async fn a_backup_comes_back_while_the_engine_runs_and_todays_state_can_be_had_again() {
    let play = Play::begin(61).await;
    play.add("utrecht").await;
    play.until_checked(1, 12).await;
    let backup: BackupShown = ask(&play, Command::BackUp(Nothing {})).await.expect("made");

    play.add("delft").await;
    play.until_checked(2, 12).await;
    play.site().add_home();
    play.pass(Duration::from_secs(300)).await;
    assert_eq!(play.mails().len(), 1, "the new home was told");

    let _: Nothing =
        ask(&play, Command::Restore(ByName { name: backup.name })).await.expect("done");
    let minute = Duration::from_secs(60);
    play.clock.until("the board of then", minute, || play.rows().len() == 1).await;
    // It goes on: the next look finds again what the backup does not know, and tells it.
    play.until_checked(1, 13).await;
    play.pass(Duration::from_secs(300)).await;
    assert_eq!(play.mails().len(), 2, "found after the backup, so it is news again");

    let newest = play.engine().backups().await.expect("read").remove(0);
    let name = newest.path.file_name().expect("a name").to_string_lossy().into_owned();
    let _: Nothing = ask(&play, Command::Restore(ByName { name })).await.expect("done");
    play.clock.until("today's board", minute, || play.rows().len() == 2).await;
    play.end().await;
}

#[tokio::test]
async fn a_backup_that_is_damaged_or_not_there_changes_nothing_and_the_engine_goes_on() {
    let play = Play::begin(62).await;
    play.add("utrecht").await;
    play.until_checked(1, 12).await;
    let backup = play.engine().back_up().await.expect("made");
    std::fs::write(&backup.path, b"SQLite format 3\0 torn").expect("torn");
    let name = backup.path.file_name().expect("a name").to_string_lossy().into_owned();
    let torn = ask::<Nothing>(&play, Command::Restore(ByName { name })).await;
    assert_eq!(torn, Err(ErrorCode::BadBackup));
    for name in ["../firstknock.db", "gone.db", ""] {
        let missing = Command::Restore(ByName { name: name.to_owned() });
        assert_eq!(ask::<Nothing>(&play, missing).await, Err(ErrorCode::NotFound), "{name}");
    }
    play.site().add_home();
    play.pass(Duration::from_secs(300)).await;
    assert_eq!(play.mails().len(), 1, "it still looks and tells");
    play.end().await;
}

#[tokio::test]
async fn searches_go_to_a_file_and_come_from_one_into_the_running_plan() {
    let play = Play::begin(63).await;
    play.add("utrecht").await;
    let query = ExportQuery { what: ExportWhat::Searches };
    let file: ExportedFile = ask(&play, Command::Export(query)).await.expect("written");
    assert_eq!(file.name, "firstknock-searches-2026-03-02.json");

    let again = Command::ImportSearches(ImportText { text: file.text.clone() });
    let lines: Vec<ImportLine> = ask(&play, again).await.expect("read");
    assert_eq!(lines[0].fate, ImportFate::Duplicate { of: "homes in utrecht".to_owned() });

    let other = file.text.replace("utrecht", "delft");
    let lines: Vec<ImportLine> =
        ask(&play, Command::ImportSearches(ImportText { text: other })).await.expect("read");
    assert_eq!(lines[0].fate, ImportFate::Added);
    play.until_checked(2, 12).await;
    let bad = Command::ImportSearches(ImportText { text: "[{\"url\": \"ftp://x\"}]".to_owned() });
    assert_eq!(ask::<Vec<ImportLine>>(&play, bad).await, Err(ErrorCode::BadImport));
    assert_eq!(play.rows().len(), 2);
    play.end().await;
}
