//! One process per data folder.

use firstknock_store::{DataLock, LockError};

#[test]
fn the_second_is_told_who_has_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("not/there/yet");
    let lock = DataLock::acquire(&data).expect("the first");
    match DataLock::acquire(&data) {
        Err(LockError::HeldBy { pid, program }) => {
            assert_eq!(pid, std::process::id());
            assert!(program.starts_with("it"), "{program}");
        }
        other => panic!("{other:?}"),
    }
    drop(lock);
    DataLock::acquire(&data).expect("free again");
}
