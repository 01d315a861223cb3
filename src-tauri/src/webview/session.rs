//! A host's browser session: a folder, and the web context that lives in it while it is used.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};

use webkit2gtk::{
    CacheModel, CookieManagerExt, CookiePersistentStorage, WebContext, WebContextExt,
    WebsiteDataManager, WebsiteDataManagerExt,
};

use super::cookies;

/// The session while somebody uses it. The last user that lets go ends its processes.
pub(crate) struct Session {
    context: WebContext,
    folder: PathBuf,
}

thread_local! {
    /// Two views of one host share one context, so that they see the same cookies at once.
    static OPEN: RefCell<HashMap<PathBuf, Weak<Session>>> = RefCell::default();
}

impl Session {
    /// Opens the session in a folder, or joins the one that is open. Main thread only.
    pub(crate) async fn open(folder: &Path) -> io::Result<Rc<Self>> {
        if let Some(open) = open_one(folder) {
            return Ok(open);
        }
        make_private(folder)?;
        let session = Rc::new(Self { context: context(folder), folder: folder.to_owned() });
        OPEN.with_borrow_mut(|open| {
            open.retain(|_, session| session.strong_count() > 0);
            open.insert(folder.to_owned(), Rc::downgrade(&session));
        });
        if let Some(jar) = session.context.cookie_manager() {
            cookies::put_back(&jar, folder).await;
        }
        Ok(session)
    }

    /// What a view is made with.
    pub(crate) fn context(&self) -> &WebContext {
        &self.context
    }

    /// Keeps the cookies that the browser would forget with its process: a check that was passed
    /// stays passed after a restart.
    pub(crate) async fn keep(&self) {
        if let Some(jar) = self.context.cookie_manager() {
            cookies::keep(&jar, &self.folder).await;
        }
    }
}

/// Forgets all that a host's pages stored. Main thread only.
pub(crate) fn forget(folder: &Path) -> io::Result<()> {
    if let Some(open) = open_one(folder)
        && let Some(jar) = open.context.cookie_manager()
    {
        #[expect(deprecated, reason = "its successor takes a list of single cookies")]
        jar.delete_all_cookies();
    }
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn open_one(folder: &Path) -> Option<Rc<Session>> {
    OPEN.with_borrow(|open| open.get(folder).and_then(Weak::upgrade))
}

fn context(folder: &Path) -> WebContext {
    let path = folder.to_string_lossy().into_owned();
    let manager = WebsiteDataManager::builder()
        .base_data_directory(path.clone())
        .base_cache_directory(folder.join("cache").to_string_lossy().into_owned())
        .build();
    if let Some(jar) = manager.cookie_manager() {
        let file = folder.join("cookies").to_string_lossy().into_owned();
        jar.set_persistent_storage(&file, CookiePersistentStorage::Text);
    }
    let context = WebContext::builder().website_data_manager(&manager).build();
    // A page's scripts and pictures are kept: a guest does not fetch them anew each time.
    context.set_cache_model(CacheModel::WebBrowser);
    context.set_spell_checking_enabled(false);
    if system_language_is_unset() {
        context.set_preferred_languages(&["en"]);
    }
    context.connect_download_started(|_, download| {
        use webkit2gtk::DownloadExt;
        download.cancel();
    });
    context
}

/// Without a language the engine would ask sites for pages in "C".
fn system_language_is_unset() -> bool {
    let language = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    language.is_none_or(|value| value == "POSIX" || value.split('.').next() == Some("C"))
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    std::fs::create_dir_all(folder)?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}
