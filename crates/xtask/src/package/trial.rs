//! The trial of a .deb: installed, started from the menu, upgraded, uninstalled.
//!
//! **Promises**: a clean Debian needs nothing but the package and what it asks for; an older
//! version's data are there after the upgrade and after the uninstallation. **Leaves out**: what
//! the app does (other tests), and the .rpm, which is made and not tried.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::debian::Debian;
use crate::sh::{sh, target};

const PACKAGE: &str = "firstknock";
const OLDER: &str = "0.0.1";
const SEARCH: &str = "http://127.0.0.1:9/rooms";
/// A desktop has these already.
const DESKTOP: &str = "dbus libgtk-3-bin fonts-dejavu-core";

pub(crate) fn run(deb: &Path) -> Result<()> {
    if let Some(obstacle) = Debian::obstacle() {
        println!("skipped: the .deb on a clean Debian ({obstacle})");
        return Ok(());
    }
    let Some(debian) = Debian::fresh()? else {
        println!("skipped: the .deb on a clean Debian (its mirror cannot be reached)");
        return Ok(());
    };
    let (newer, older) = (debian.take_in(deb)?, debian.take_in(&with_version(deb, OLDER)?)?);
    install(&debian, DESKTOP)?;

    install(&debian, &older)?;
    ensure!(version(&debian)? == OLDER, "the older version is not installed");
    debian.as_user(&format!("firstknock-cli add --unseen --name Attic {SEARCH}"))?;
    opens_from_the_menu(&debian, "older")?;

    install(&debian, &newer)?;
    ensure!(version(&debian)? != OLDER, "the upgrade changed nothing");
    ensure!(debian.as_user("firstknock-cli list")?.contains("Attic"), "the upgrade lost a search");
    opens_from_the_menu(&debian, "newer")?;

    let owned = debian.as_root(&format!("dpkg -L {PACKAGE}"))?;
    debian.as_root(&format!("apt-get purge -y -qq {PACKAGE}"))?;
    let ours = |path: &&str| path.to_lowercase().contains(PACKAGE);
    let left: Vec<&str> = owned.lines().filter(ours).filter(|path| debian.has(path)).collect();
    ensure!(left.is_empty(), "uninstalled, but there is still: {}", left.join(", "));
    install(&debian, &newer)?;
    ensure!(debian.as_user("firstknock-cli list")?.contains("Attic"), "uninstalling took the data");
    println!("the .deb installs, opens from its menu entry, upgrades and uninstalls");
    Ok(())
}

fn install(debian: &Debian, packages: &str) -> Result<()> {
    let apt = "apt-get -o Acquire::Retries=3 install -y -qq --no-install-recommends";
    debian.as_root(&format!("{apt} {packages}")).map(drop)
}

fn version(debian: &Debian) -> Result<String> {
    debian.as_root(&format!("dpkg-query -W -f '${{Version}}' {PACKAGE}"))
}

/// The same package under another number.
fn with_version(deb: &Path, version: &str) -> Result<PathBuf> {
    let folder = target().join("debian/older");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let (deb, tree) = (deb.to_string_lossy(), folder.to_string_lossy().into_owned());
    sh("dpkg-deb", &["-R", &deb, &tree]).run()?;
    let control = folder.join("DEBIAN/control");
    let lines = std::fs::read_to_string(&control)?;
    let lines = lines.lines().map(|line| match line.starts_with("Version:") {
        true => format!("Version: {version}\n"),
        false => format!("{line}\n"),
    });
    std::fs::write(&control, lines.collect::<String>())?;
    let made = target().join(format!("debian/{PACKAGE}_{version}.deb"));
    sh("dpkg-deb", &["--root-owner-group", "-b", &tree, &made.to_string_lossy()]).run()?;
    Ok(made)
}

/// Starts the app as a click in the menu does, and waits for a window that shows something.
fn opens_from_the_menu(debian: &Debian, name: &str) -> Result<()> {
    let entry = menu_entry(debian)?;
    let (mut screen, display) = screen()?;
    let mut app = debian.on_display(&display, &format!("gtk-launch {entry} && sleep 300"))?;
    let seen = window_of_the_app(&display, name);
    for child in [&mut app, &mut screen] {
        child.kill().ok();
        child.wait()?;
    }
    seen.with_context(|| format!("started from the menu ({name} version)"))
}

/// The id of the app's menu entry, whose icon has to be there.
fn menu_entry(debian: &Debian) -> Result<String> {
    let owned = debian.as_root(&format!("dpkg -L {PACKAGE}"))?;
    let file = owned
        .lines()
        .find(|path| path.ends_with(".desktop"))
        .context("the package has no menu entry")?;
    let entry = debian.as_root(&format!("cat {file}"))?;
    let icon = entry
        .lines()
        .find_map(|line| line.strip_prefix("Icon="))
        .context("the menu entry names no icon")?;
    ensure!(
        owned
            .lines()
            .any(|p| p.contains("/icons/hicolor/") && p.ends_with(&format!("/{icon}.png"))),
        "there is no icon {icon}"
    );
    let id = file.rsplit('/').next().and_then(|name| name.strip_suffix(".desktop"));
    Ok(id.context("a menu entry has a name")?.to_owned())
}

fn window_of_the_app(display: &str, name: &str) -> Result<()> {
    let picture = target().join(format!("debian/{name}.png")).to_string_lossy().into_owned();
    let at = |program, args: &[&str]| sh(program, args).env("DISPLAY", display).read();
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(90) {
        std::thread::sleep(Duration::from_millis(500));
        let found = at("xdotool", &["search", "--onlyvisible", "--name", "^Firstknock$"]);
        let Some(id) = found.and_then(|ids| ids.lines().next().map(str::to_owned)) else {
            continue;
        };
        let properties = at("xprop", &["-id", &id, "WM_CLASS", "_NET_WM_ICON"]).unwrap_or_default();
        ensure!(properties.contains("\"firstknock\""), "the menu cannot tell whose window it is");
        ensure!(properties.contains("Icon ("), "the window has no icon: {properties}");
        // An empty window is of one colour; text and drawings have hundreds.
        at("import", &["-window", "root", &picture]).context("no picture")?;
        let colours = at("identify", &["-format", "%k", &picture]).unwrap_or_default();
        if colours.trim().parse::<u32>().is_ok_and(|n| n > 200) {
            return Ok(());
        }
    }
    bail!("no window that shows something; see {picture}")
}

fn screen() -> Result<(Child, String)> {
    let mut child = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("Xvfb")?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().context("Xvfb's answer")?).read_line(&mut line)?;
    Ok((child, format!(":{}", line.trim())))
}
