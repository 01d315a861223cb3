//! How WebKitGTK hands what it draws to the window.
//!
//! Its way through the graphics card's buffers cost the window 100 MB of 348 where we measured it
//! (`cargo xtask bench window`); a list of homes gains nothing by it. WebKit reads this from the
//! environment when the process starts, so the process starts itself once more, under the same
//! number.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

const PLAINLY: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Makes sure that this process draws plainly, unless whoever started it said something else.
///
/// # Errors
/// If the program cannot be started once more; it then goes on as it is.
pub(crate) fn plainly() -> io::Result<()> {
    if std::env::var_os(PLAINLY).is_some() {
        return Ok(());
    }
    Err(Command::new(std::env::current_exe()?)
        .args(std::env::args_os().skip(1))
        .env(PLAINLY, "1")
        .exec())
}
