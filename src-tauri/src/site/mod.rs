use firstknock_ipc::{ErrorBody, ErrorCode};
use tauri::AppHandle;
pub(crate) async fn open(_app: &AppHandle, _search: i64) -> Result<(), ErrorBody> {
    Err(ErrorBody::new(ErrorCode::Unsupported))
}
