//! A small Debian in a folder, as a fresh machine would have it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::sh::{has, sh, target};

/// The user of that machine.
pub(crate) const USER: &str = "seeker";

/// In namespaces of its own, so that nothing stays mounted or running.
const ENTER: &str = r#"
set -e
mount -t proc proc "$1/proc"
mount -t tmpfs tmpfs "$1/dev/shm"
mount --bind "$2" "$1/var/cache/apt/archives"
shift 2
exec chroot "$@"
"#;

/// A Debian in a folder. Its packages' files are kept for the next time.
pub(crate) struct Debian {
    root: PathBuf,
    archives: PathBuf,
}

impl Debian {
    /// What stands in the way of making one here, if anything does.
    pub(crate) fn obstacle() -> Option<&'static str> {
        let debian = std::fs::read_to_string("/etc/os-release")
            .is_ok_and(|text| text.lines().any(|line| line == "ID=debian"));
        let root = sh("id", &["-u"]).read().is_some_and(|id| id.trim() == "0");
        match (debian, root, has("debootstrap")) {
            (false, ..) => Some("this is not Debian"),
            (_, false, _) => Some("it needs root"),
            (.., false) => Some("debootstrap is not installed"),
            _ => None,
        }
    }

    /// A fresh one, with fresh lists of packages. The first on a machine is downloaded, later
    /// ones are copied. `None` if the mirror cannot be reached: that says nothing of our package.
    pub(crate) fn fresh() -> Result<Option<Self>> {
        let here = target().join("debian");
        let (base, root, archives) = (here.join("base"), here.join("root"), here.join("archives"));
        std::fs::create_dir_all(archives.join("partial"))?;
        if !base.join("usr/bin/apt-get").is_file() || !here.join("complete").is_file() {
            if let Err(error) = bootstrap(&base) {
                println!("{error:#}");
                return Ok(None);
            }
            std::fs::write(here.join("complete"), "")?;
        }
        if root.exists() {
            std::fs::remove_dir_all(&root)?;
        }
        sh("cp", &["-a"]).arg(&text(&base)).arg(&text(&root)).run()?;
        let debian = Self { root, archives };
        debian.as_root(&format!("useradd --create-home {USER}"))?;
        if let Err(error) = debian.as_root("apt-get update -qq --error-on=any") {
            println!("{error:#}");
            return Ok(None);
        }
        Ok(Some(debian))
    }

    /// Puts a file into it; returns where it is inside.
    pub(crate) fn take_in(&self, file: &Path) -> Result<String> {
        let name = file.file_name().context("a file has a name")?;
        std::fs::copy(file, self.root.join("srv").join(name))?;
        Ok(format!("/srv/{}", name.to_string_lossy()))
    }

    /// Whether this is there, seen from inside.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path.trim_start_matches('/')).symlink_metadata().is_ok()
    }

    /// Runs a shell line as the administrator; returns what it prints.
    pub(crate) fn as_root(&self, line: &str) -> Result<String> {
        self.output(&[], line)
    }

    /// Runs a shell line as the user.
    pub(crate) fn as_user(&self, line: &str) -> Result<String> {
        self.output(&[&format!("--userspec={USER}:{USER}")], line)
    }

    /// Starts a shell line as the user, on a display and with a session bus of its own.
    pub(crate) fn on_display(&self, display: &str, line: &str) -> Result<Child> {
        let line = format!("export DISPLAY={display}; exec dbus-run-session -- sh -c '{line}'");
        let mut command = self.command(&[&format!("--userspec={USER}:{USER}")], &line);
        Ok(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
    }

    fn output(&self, how: &[&str], line: &str) -> Result<String> {
        println!("  in the clean Debian: {line}");
        let out = self.command(how, line).output()?;
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        if !out.status.success() {
            bail!("`{line}` failed:\n{said}{}", String::from_utf8_lossy(&out.stderr));
        }
        Ok(said)
    }

    fn command(&self, how: &[&str], line: &str) -> Command {
        let home = if how.is_empty() { "/root".into() } else { format!("/home/{USER}") };
        let mut command = Command::new("unshare");
        command
            .args(["--mount", "--pid", "--fork", "--kill-child=KILL", "sh", "-c", ENTER, "enter"])
            .args([&self.root, &self.archives])
            .args(how)
            .arg(&self.root)
            .args(["/bin/sh", "-c", &format!("cd; {line}")])
            .env_clear()
            .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
            .env("HOME", home)
            .env("LANG", "C.UTF-8")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdin(Stdio::null());
        for name in ["http_proxy", "https_proxy", "no_proxy"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
    }
}

/// A minimal system of this machine's own release, from the mirror that it uses itself.
fn bootstrap(base: &Path) -> Result<()> {
    if base.exists() {
        std::fs::remove_dir_all(base)?;
    }
    let release = std::fs::read_to_string("/etc/os-release")?;
    let codename = release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
        .context("/etc/os-release names no release")?;
    let asked = ["indextargets", "--format", "$(REPO_URI)", "Identifier: Packages"];
    let mirrors = sh("apt-get", &asked).read().unwrap_or_default();
    let mirror = mirrors.lines().find(|uri| uri.trim_end_matches('/').ends_with("/debian"));
    let mut command = sh("debootstrap", &["--variant=minbase", codename]).arg(&text(base));
    if let Some(mirror) = mirror {
        command = command.arg(mirror);
    }
    command.run()?;
    std::fs::copy("/etc/resolv.conf", base.join("etc/resolv.conf"))?;
    // A chroot has nobody who could start services.
    let no_services = base.join("usr/sbin/policy-rc.d");
    std::fs::write(&no_services, "#!/bin/sh\nexit 101\n")?;
    sh("chmod", &["755"]).arg(&text(&no_services)).run()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
