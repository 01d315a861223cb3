//! Files that leave the app for a place that the user chooses, and its own folder.

use std::path::{Path, PathBuf};

use firstknock_ipc::{Command, ErrorBody, ErrorCode, ExportQuery, ExportWhat, ExportedFile};
use firstknock_monitor::DataFolder;
use tauri::{AppHandle, Manager};
use tauri_plugin_opener::OpenerExt;

use crate::engine::Engine;

/// Asks where to, and writes an export there.
pub(crate) async fn save(app: &AppHandle, what: ExportWhat) -> Result<Option<String>, ErrorBody> {
    let export = Command::Export(ExportQuery { what });
    let reply = app.state::<Engine>().inner().clone().call(app, export).await?;
    let file: ExportedFile =
        serde_json::from_value(reply).map_err(|_| ErrorBody::new(ErrorCode::Internal))?;
    let Some(path) = ask_where(app, &file.name).await else { return Ok(None) };
    write(&path, &file.text).map_err(|error| {
        tracing::warn!(%error, "an export could not be written");
        ErrorBody::new(ErrorCode::Storage)
    })?;
    Ok(Some(path.display().to_string()))
}

/// Shows the data folder in the system's file manager.
pub(crate) fn show_folder(app: &AppHandle) -> Result<(), ErrorBody> {
    let folder = app.state::<DataFolder>().path().to_string_lossy().into_owned();
    app.opener().open_path(folder, None::<&str>).map_err(|error| {
        tracing::warn!(%error, "the system has no file manager");
        ErrorBody::new(ErrorCode::Unsupported).with("what", "folder")
    })
}

/// Beside its place first: a file that was there is whole until the new one is.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let making = folder.join(format!(".firstknock-{}.part", std::process::id()));
    let written = std::fs::write(&making, text).and_then(|()| std::fs::rename(&making, path));
    if written.is_err() && making.exists() {
        std::fs::remove_file(&making)?;
    }
    written
}

/// The desktop's own dialog.
#[cfg(target_os = "linux")]
async fn ask_where(app: &AppHandle, name: &str) -> Option<PathBuf> {
    let (tell, told) = tokio::sync::oneshot::channel();
    let (handle, name) = (app.clone(), name.to_owned());
    let sent = app.run_on_main_thread(move || show_chooser(&handle, &name, tell));
    if let Err(error) = sent {
        tracing::warn!(%error, "nobody could be asked where a file goes");
    }
    told.await.ok().flatten()
}

#[cfg(target_os = "linux")]
fn show_chooser(app: &AppHandle, name: &str, tell: tokio::sync::oneshot::Sender<Option<PathBuf>>) {
    use gtk::prelude::*;

    let parent = app.get_webview_window(crate::window::MAIN).and_then(|w| w.gtk_window().ok());
    let words = app.state::<crate::words::Words>();
    let chooser = gtk::FileChooserNative::new(
        Some(&words.say("save_file_title", &[])),
        parent.as_ref(),
        gtk::FileChooserAction::Save,
        Some(&words.say("save", &[])),
        Some(&words.say("channel_set_cancel", &[])),
    );
    chooser.set_modal(true);
    chooser.set_do_overwrite_confirmation(true);
    chooser.set_current_name(name);
    let tell = std::cell::Cell::new(Some(tell));
    // A native chooser is nobody's child: what answers keeps it until it has answered.
    let kept = chooser.clone();
    chooser.connect_response(move |chooser, response| {
        let path = (response == gtk::ResponseType::Accept).then(|| chooser.filename()).flatten();
        if let Some(tell) = tell.take()
            && tell.send(path).is_err()
        {
            tracing::debug!("nobody waited for the place of a file");
        }
        kept.destroy();
    });
    chooser.show();
}

/// Elsewhere it goes to the downloads, under a name that is free.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unused_async, reason = "the same call as on Linux, where it asks")]
async fn ask_where(app: &AppHandle, name: &str) -> Option<PathBuf> {
    let folder = app.path().download_dir().ok()?;
    let (stem, ending) = name.rsplit_once('.')?;
    let names =
        std::iter::once(name.to_owned()).chain((2..100).map(|n| format!("{stem}-{n}.{ending}")));
    names.map(|name| folder.join(name)).find(|path| !path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_its_place_whole_and_leaves_no_part_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("listings.csv");
        write(&path, "one").unwrap();
        write(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(&folder.path().join("not there/x.csv"), "x").is_err());
        assert!(write(folder.path(), "a folder is no file").is_err());
    }
}
