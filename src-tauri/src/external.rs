//! Links leave the app through the system's browser, and only web addresses do.

use firstknock_ipc::{ErrorBody, ErrorCode};
use tauri::AppHandle;
use tauri_plugin_opener::OpenerExt;
use url::Url;

/// A web address that may be handed to the system; anything else could start a program.
pub(crate) fn web_address(text: &str) -> Result<Url, ErrorBody> {
    let url = Url::parse(text).map_err(|_| ErrorBody::new(ErrorCode::NotAnAddress))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(ErrorBody::new(ErrorCode::NotHttp));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ErrorBody::new(ErrorCode::HasPassword));
    }
    Ok(url)
}

/// Opens a web address in the system's browser.
pub(crate) fn open(app: &AppHandle, text: &str) -> Result<(), ErrorBody> {
    let url = web_address(text)?;
    app.opener().open_url(url.as_str(), None::<&str>).map_err(|error| {
        tracing::warn!(%error, "the system has no browser that opens addresses");
        ErrorBody::new(ErrorCode::Unsupported).with("what", "browser")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_addresses_without_a_password_leave_the_app() {
        let refused = |text: &str| web_address(text).unwrap_err().code;
        assert!(web_address("https://kamer.example/huren?max=750").is_ok());
        assert!(web_address("http://127.0.0.1:4000/").is_ok());
        assert_eq!(refused("file:///etc/passwd"), ErrorCode::NotHttp);
        assert_eq!(refused("javascript:alert(1)"), ErrorCode::NotHttp);
        assert_eq!(refused("smb://host/share"), ErrorCode::NotHttp);
        assert_eq!(refused("-version"), ErrorCode::NotAnAddress);
        assert_eq!(refused("/usr/bin/xterm"), ErrorCode::NotAnAddress);
        assert_eq!(refused("https://me:secret@kamer.example/"), ErrorCode::HasPassword);
    }
}
