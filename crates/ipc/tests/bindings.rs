//! The generated TypeScript is committed; this test holds it against the Rust types.

#[test]
fn the_committed_typescript_is_what_the_types_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/backend/bindings.ts");
    let now = firstknock_ipc::bindings();
    if std::env::var_os("FIRSTKNOCK_WRITE_BINDINGS").is_some() {
        std::fs::create_dir_all(std::path::Path::new(path).parent().expect("a folder"))
            .expect("the folder can be made");
        std::fs::write(path, &now).expect("bindings.ts can be written");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == now, "ui/src/backend/bindings.ts is old: run `cargo xtask bindings`");
}
