//! Which desktops want a menu bar.

/// The system that the app was built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    MacOs,
    Windows,
    /// Linux and its like, where the desktop decides.
    Free,
}

/// Where people look for a menu bar; names as they stand in `XDG_CURRENT_DESKTOP`. GNOME and
/// elementary have none in their guidelines, and a tiling session wants every line for itself.
const WITH_MENU_BARS: [&str; 10] =
    ["XFCE", "KDE", "X-Cinnamon", "Cinnamon", "MATE", "LXQt", "LXDE", "Unity", "TDE", "Trinity"];

impl System {
    /// This one.
    pub(super) const fn here() -> Self {
        if cfg!(target_os = "macos") {
            Self::MacOs
        } else if cfg!(windows) {
            Self::Windows
        } else {
            Self::Free
        }
    }
}

/// Whether the app has a menu bar here. `desktop` is what `XDG_CURRENT_DESKTOP` says: names with
/// colons between them, the most special first.
pub(super) fn has_menu_bar(system: System, desktop: Option<&str>) -> bool {
    if system != System::Free {
        return true;
    }
    let names = || desktop.unwrap_or_default().split(':');
    let is = |name: &str, known: &str| name.eq_ignore_ascii_case(known);
    // Whatever is built on GNOME keeps its ways.
    !names().any(|name| name.to_ascii_uppercase().starts_with("GNOME"))
        && names().any(|name| WITH_MENU_BARS.iter().any(|known| is(name, known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_menu_bar_stands_where_the_desktop_has_the_habit() {
        let table = [
            (System::MacOs, None, true),
            (System::Windows, None, true),
            (System::Free, Some("XFCE"), true),
            (System::Free, Some("KDE"), true),
            (System::Free, Some("X-Cinnamon"), true),
            (System::Free, Some("MATE"), true),
            (System::Free, Some("LXQt"), true),
            (System::Free, Some("LXDE"), true),
            (System::Free, Some("xfce"), true),
            (System::Free, Some("Unity:Unity7:ubuntu"), true),
            (System::Free, Some("GNOME"), false),
            (System::Free, Some("ubuntu:GNOME"), false),
            (System::Free, Some("GNOME-Classic:GNOME"), false),
            (System::Free, Some("GNOME-Flashback:Unity"), false),
            (System::Free, Some("Budgie:GNOME"), false),
            (System::Free, Some("Pantheon"), false),
            (System::Free, Some("sway"), false),
            (System::Free, Some("NOT-XFCE"), false),
            (System::Free, Some(""), false),
            (System::Free, None, false),
        ];
        for (system, desktop, there) in table {
            assert_eq!(has_menu_bar(system, desktop), there, "{system:?} {desktop:?}");
        }
    }
}
