//! Mail as `.eml` files: what happens until an account is set up, so that the app works before.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use firstknock_policy::delivery::{Attempt, NotSent, Pace, Repeat};

use super::{ChannelError, Kind, Tools};
use crate::render::{self, Context};
use crate::{Alert, BoxFuture, Deliver, Outgoing};

/// The folder inside the data folder.
pub const FOLDER: &str = "mail";

/// Mail as files.
pub(crate) struct File;

struct FileSender {
    folder: PathBuf,
}

impl Kind for File {
    fn code(&self) -> &'static str {
        "file"
    }

    fn repeat(&self) -> Repeat {
        // The same file again.
        Repeat::Freely
    }

    fn message(&self, alert: &Alert, context: &Context) -> Outgoing {
        render::mail(alert, context).into()
    }

    fn sender(&self, tools: Tools<'_>) -> Result<Box<dyn Deliver>, ChannelError> {
        Ok(Box::new(FileSender { folder: tools.data_dir.join(FOLDER) }))
    }
}

/// Written beside, flushed to the disk, then renamed: a file is whole or not there. The name
/// follows from the message, so a repeat replaces its own file.
fn write(folder: &Path, message: &Outgoing) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(name(message));
    let beside = path.with_extension("part");
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(&message.body)?;
    file.sync_all()?;
    std::fs::rename(&beside, &path)?;
    Ok(path)
}

/// `745-utrecht-zonnige-kamer-4f0c21aa.eml`: readable, and safe on every file system.
fn name(message: &Outgoing) -> String {
    let mut slug = String::new();
    for c in firstknock_listing::fold(&message.subject).chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= 60 {
            break;
        }
    }
    let key: String = message
        .key
        .split('@')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(32)
        .collect();
    format!("{}-{key}.eml", slug.trim_end_matches('-'))
}

impl Deliver for FileSender {
    fn deliver<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Attempt> {
        Box::pin(async move {
            let (folder, message) = (self.folder.clone(), message.clone());
            let written = tokio::task::spawn_blocking(move || write(&folder, &message)).await;
            match written.expect("BUG: writing a file does not panic") {
                Ok(path) => Attempt::Sent { reply: path.display().to_string() },
                Err(error) => Attempt::NotSent {
                    reason: NotSent::Local,
                    retry_after: None,
                    words: error.to_string(),
                },
            }
        })
    }

    fn pace(&self) -> Pace {
        Pace::MAIL
    }
}
