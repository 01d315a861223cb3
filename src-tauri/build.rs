//! Declares the window's own commands, so that a capability has to name each of them.

fn main() {
    let commands = tauri_build::AppManifest::new().commands(&[
        "call",
        "watch_status",
        "watch_menu",
        "open_site",
        "open_external",
        "try_street",
        "save_file",
        "open_folder",
        "quit",
    ]);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))
        .expect("BUG: tauri.conf.json or a capability is wrong");
}
