//! Where one test plays: a display, a session bus and a home, all gone when it ends.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The place of one test. Only one exists at a time on this machine.
pub(crate) struct Stage {
    children: Vec<Child>,
    display: String,
    bus: String,
    /// What `XDG_CURRENT_DESKTOP` says; unset at first.
    desktop: Option<&'static str>,
    home: tempfile::TempDir,
    _turn: File,
}

impl Stage {
    /// A display without a window manager, and a session bus with nothing on it.
    pub(crate) fn new() -> Self {
        let turn = wait_for_turn();
        let home = tempfile::tempdir().unwrap();
        let (screen, display) =
            server("Xvfb", &["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"]);
        let (bus, address) = server("dbus-daemon", &["--session", "--nofork", "--print-address=1"]);
        fake_browser(home.path());
        Self {
            children: vec![screen, bus],
            display: format!(":{display}"),
            bus: address,
            desktop: None,
            home,
            _turn: turn,
        }
    }

    /// With a window manager: windows have frames and can be closed by key.
    pub(crate) fn with_window_manager() -> Self {
        let mut stage = Self::new();
        let mut command = stage.command("openbox");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        stage.children.push(command.spawn().unwrap());
        stage
    }

    /// On a desktop of this name.
    pub(crate) fn on_desktop(mut self, name: &'static str) -> Self {
        self.desktop = Some(name);
        self
    }

    /// The app's data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// The session bus.
    pub(crate) fn bus(&self) -> &str {
        &self.bus
    }

    /// A program on this stage, and nothing of the developer's own.
    pub(crate) fn command(&self, program: &str) -> Command {
        let home = self.home.path();
        // Whatever happens to the test, the program ends with it.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", program]);
        command
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .env("HOME", home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_DATA_HOME", home.join("share"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_RUNTIME_DIR", home.join("run"))
            .env("LANG", "C.UTF-8")
            .env("NO_AT_BRIDGE", "1")
            .env(
                "PATH",
                format!("{}:{}", home.join("bin").display(), std::env::var("PATH").unwrap()),
            )
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("XDG_CURRENT_DESKTOP")
            .env_remove("FIRSTKNOCK_DATA")
            .env_remove("http_proxy")
            .env_remove("https_proxy")
            .env("no_proxy", "*");
        if let Some(desktop) = self.desktop {
            command.env("XDG_CURRENT_DESKTOP", desktop);
        }
        command
    }

    /// What the system's browser was asked to open so far.
    pub(crate) fn opened_outside(&self) -> Vec<String> {
        let seen = std::fs::read_to_string(self.home.path().join("opened")).unwrap_or_default();
        seen.lines().map(str::to_owned).collect()
    }

    /// Titles of all windows on the display.
    pub(crate) fn windows(&self) -> Vec<String> {
        let found = self.run("xdotool", &["search", "--onlyvisible", "--name", "."]);
        found
            .lines()
            .map(|id| self.run("xdotool", &["getwindowname", id]).trim().to_owned())
            .collect()
    }

    /// Runs a small program and gives what it prints.
    pub(crate) fn run(&self, program: &str, args: &[&str]) -> String {
        let output = self.command(program).args(args).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// A picture of the whole display, under `target/`.
    pub(crate) fn picture(&self, name: &str) -> PathBuf {
        let file = pictures().join(format!("{name}.png"));
        self.run("import", &["-window", "root", file.to_str().unwrap()]);
        file
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        for child in self.children.iter_mut().rev() {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

/// Where pictures are written.
pub(crate) fn pictures() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Looks again and again until it is so, for at most so long.
pub(crate) async fn until<T>(
    what: &str,
    patience: Duration,
    mut look: impl AsyncFnMut() -> Option<T>,
) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(began.elapsed() < patience, "waited {patience:?} in vain: {what}");
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
}

/// A port that is free now.
pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// One app at a time, whoever runs the tests: they share two cores.
fn wait_for_turn() -> File {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("one-app-at-a-time.lock");
    let file = File::create(path).unwrap();
    file.lock().unwrap();
    file
}

/// Starts a server that prints where it can be reached.
fn server(program: &str, args: &[&str]) -> (Child, String) {
    let mut child = Command::new("setpriv")
        .args(["--pdeathsig", "KILL", program])
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(!line.trim().is_empty(), "{program} did not start");
    (child, line.trim().to_owned())
}

/// Stands where the system's browser would be and writes down what it is asked to open.
fn fake_browser(home: &Path) {
    use std::os::unix::fs::PermissionsExt;

    let bin = home.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(home.join("run")).unwrap();
    let script = format!("#!/bin/sh\necho \"$1\" >> {}\n", home.join("opened").display());
    let file = bin.join("xdg-open");
    std::fs::write(&file, script).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
}
