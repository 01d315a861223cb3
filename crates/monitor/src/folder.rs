//! The data folder: one place for everything that outlives the process.

use std::path::{Path, PathBuf};

/// The folder with the database, the mails of the file channel and the photos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFolder(PathBuf);

/// No home directory could be found.
#[derive(Debug, thiserror::Error)]
#[error("no home folder was found; choose a data folder with --data DIR or FIRSTKNOCK_DATA")]
pub struct NoHome;

impl DataFolder {
    /// The folder that is asked for, else the one of `FIRSTKNOCK_DATA`, else the system's own
    /// place for our data (local, not roaming).
    ///
    /// # Errors
    /// [`NoHome`] if none was named and the system knows none.
    pub fn choose(asked: Option<&Path>) -> Result<Self, NoHome> {
        let named = asked.map(Path::to_owned).or_else(|| {
            std::env::var_os("FIRSTKNOCK_DATA").filter(|v| !v.is_empty()).map(PathBuf::from)
        });
        match named {
            Some(path) => Ok(Self(std::path::absolute(&path).unwrap_or(path))),
            None => directories::ProjectDirs::from("org", "firstknock", "Firstknock")
                .map(|dirs| Self(dirs.data_local_dir().to_owned()))
                .ok_or(NoHome),
        }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where mails go as `.eml` files while no account is set up.
    pub fn mail(&self) -> PathBuf {
        self.0.join("mail")
    }

    /// Where photos of listings are kept; all of it can be read again.
    pub fn photos(&self) -> PathBuf {
        self.0.join("photos")
    }

    /// Where the user's recipes are, if there are any.
    pub fn recipes(&self) -> PathBuf {
        self.0.join("recipes")
    }

    /// Where the webview keeps the sessions of one host.
    pub fn webview(&self, host: &str) -> PathBuf {
        let safe: String = host
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' })
            .collect();
        self.0.join("webview").join(safe)
    }
}

/// A path as people write it: with `~` for their home, where the system knows that sign.
pub fn written(path: &Path) -> String {
    let home = std::env::home_dir().filter(|home| cfg!(unix) && home.parent().is_some());
    let inside = home.as_deref().and_then(|home| path.strip_prefix(home).ok());
    inside.map_or_else(|| path.display().to_string(), |rest| format!("~/{}", rest.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_path_in_the_users_home_is_written_with_its_sign_and_no_other() {
        let home = std::env::home_dir().expect("a home");
        assert_eq!(written(&home.join("rooms/mail")), "~/rooms/mail");
        assert_eq!(written(Path::new("/srv/mail")), "/srv/mail");
        let beside = format!("{}-too/mail", home.display());
        assert_eq!(written(Path::new(&beside)), beside);
    }
}
