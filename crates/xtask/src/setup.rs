//! Set-up that needs the system: packages of the distribution, Node, Python for the tests.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::sh::{has, root, sh, target};

/// What a command needs from the system.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// To build and run the desktop app.
    Build,
    /// To test it: a display, a browser, a driver.
    Test,
}

/// One package manager and its names for what we need. Only apt is tried by us.
struct Manager {
    program: &'static str,
    tried: bool,
    install: &'static [&'static str],
    build: &'static [&'static str],
    test: &'static [&'static str],
}

const MANAGERS: &[Manager] = &[
    Manager {
        program: "apt-get",
        tried: true,
        install: &["install", "-y", "--no-install-recommends"],
        build: &[
            "build-essential",
            "pkg-config",
            "libwebkit2gtk-4.1-dev",
            "libayatana-appindicator3-dev",
        ],
        test: &[
            "xvfb",
            "xauth",
            "dbus",
            "dbus-x11",
            "openbox",
            "xdotool",
            "x11-utils",
            "imagemagick",
            "fonts-dejavu-core",
            "webkit2gtk-driver",
            "chromium",
            "gnome-keyring",
            "dunst",
            "python3-venv",
            "debootstrap",
        ],
    },
    Manager {
        program: "dnf",
        tried: false,
        install: &["install", "-y"],
        build: &[
            "gcc",
            "pkgconf-pkg-config",
            "webkit2gtk4.1-devel",
            "libayatana-appindicator-gtk3-devel",
        ],
        test: &[
            "xorg-x11-server-Xvfb",
            "dbus-x11",
            "openbox",
            "xdotool",
            "ImageMagick",
            "dejavu-sans-fonts",
            "webkit2gtk-driver",
            "chromium",
            "gnome-keyring",
            "dunst",
        ],
    },
    Manager {
        program: "pacman",
        tried: false,
        install: &["-S", "--needed", "--noconfirm"],
        build: &["base-devel", "webkit2gtk-4.1", "libayatana-appindicator"],
        test: &[
            "xorg-server-xvfb",
            "dbus",
            "openbox",
            "xdotool",
            "imagemagick",
            "ttf-dejavu",
            "chromium",
            "gnome-keyring",
            "dunst",
        ],
    },
    Manager { program: "brew", tried: false, install: &["install"], build: &[], test: &[] },
];

/// Makes sure that the packages are there, asking first where somebody can answer.
pub(crate) fn packages(need: Need) -> Result<()> {
    let Some(manager) = MANAGERS.iter().find(|m| has(m.program)) else {
        println!("no package manager that we know; going on with what is there");
        return Ok(());
    };
    let mut wanted = manager.build.to_vec();
    if need == Need::Test {
        wanted.extend(manager.test);
    }
    let missing: Vec<&str> = wanted.into_iter().filter(|p| !installed(manager, p)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("These system packages are missing: {}", missing.join(" "));
    if !manager.tried {
        println!("(Installing through {} is untried by us.)", manager.program);
    }
    let by_hand =
        format!("{} {} {}", manager.program, manager.install.join(" "), missing.join(" "));
    let Some(prefix) = privilege(manager) else {
        bail!("they need an administrator; please run this and start again:\n\n    {by_hand}\n");
    };
    if std::io::stdin().is_terminal() && !agreed(&by_hand)? {
        bail!("please install them yourself and start again:\n\n    {by_hand}\n");
    }
    if manager.program == "apt-get" {
        with(prefix, manager.program, &["update", "-qq"]).run()?;
    }
    let mut args = manager.install.to_vec();
    args.extend(&missing);
    with(prefix, manager.program, &args).env("DEBIAN_FRONTEND", "noninteractive").run()
}

fn with(prefix: &[&'static str], program: &str, args: &[&str]) -> crate::sh::Sh {
    match prefix.first() {
        None => sh(program, args),
        Some(sudo) => {
            let mut all = vec![program];
            all.extend(args);
            sh(sudo, &all)
        }
    }
}

fn installed(manager: &Manager, package: &str) -> bool {
    match manager.program {
        "apt-get" => sh("dpkg-query", &["-W", "-f=${Status}", package])
            .read()
            .is_some_and(|status| status.contains("install ok installed")),
        "dnf" => sh("rpm", &["-q", package]).read().is_some(),
        "pacman" => sh("pacman", &["-Q", package]).read().is_some(),
        _ => true,
    }
}

fn privilege(manager: &Manager) -> Option<&'static [&'static str]> {
    let root = sh("id", &["-u"]).read().is_some_and(|id| id.trim() == "0");
    if root || manager.program == "brew" {
        Some(&[])
    } else if has("sudo") {
        Some(&["sudo"])
    } else {
        None
    }
}

fn agreed(command: &str) -> Result<bool> {
    print!("Run `{command}` now? [Y/n] ");
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(!answer.trim().to_lowercase().starts_with('n'))
}

/// Node with npm, which nobody can install for the user.
pub(crate) fn node() -> Result<()> {
    if has("node") && has("npm") {
        return Ok(());
    }
    bail!("Node.js 20 or newer with npm is needed to build the window; please install it first")
}

/// The pinned Python tools of the tests, in a folder of their own. Returns its interpreter.
pub(crate) fn python() -> Result<PathBuf> {
    let venv = target().join("test-venv");
    let python = venv.join("bin/python");
    let wanted = root().join("crates/xtask/requirements-test.txt");
    let stamp = venv.join("installed.txt");
    let text = std::fs::read_to_string(&wanted)?;
    if python.is_file() && std::fs::read_to_string(&stamp).is_ok_and(|s| s == text) {
        return Ok(python);
    }
    let venv_path = venv.to_string_lossy().into_owned();
    sh("python3", &["-m", "venv", &venv_path]).run()?;
    sh(&python, &["-m", "pip", "install", "--quiet", "--requirement", &wanted.to_string_lossy()])
        .run()?;
    std::fs::write(stamp, text)?;
    Ok(python)
}

/// `cargo deny`, built once per machine.
pub(crate) fn cargo_deny() -> Result<()> {
    if has("cargo-deny") {
        return Ok(());
    }
    crate::sh::cargo(&["install", "--quiet", "--locked", "cargo-deny"])
        .env("CARGO_TARGET_DIR", target().join("tools"))
        .run()
}
