//! The migrations are embedded; a changed or new one must lead to a new build.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
