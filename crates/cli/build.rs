//! Puts the built user interface into `knock`, if it was built.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder for results"));
    let dist = here.join("../../ui/dist");
    // A folder that is not there yet is looked for again at the next build.
    println!("cargo::rerun-if-changed={}", dist.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    if dist.join("index.html").is_file() {
        list(&dist, &dist, &mut files)?;
    }
    files.sort();
    let mut source = String::from("&[\n");
    for (name, path) in files {
        let path = fs::canonicalize(path)?;
        writeln!(source, "    ({name:?}, include_bytes!({path:?})),").map_err(io::Error::other)?;
    }
    source.push(']');
    fs::write(out.join("ui.rs"), source)
}

fn list(dist: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(dist, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(dist) {
            files.push((name.to_string_lossy().replace('\\', "/"), path));
        }
    }
    Ok(())
}
