//! When a marker of the table may speak.

use firstknock_listing::{PageKind, PageSigns};
use firstknock_policy::Reason;

use super::condition::Scene;
use super::look::Look;
use super::table::{Class, Marker, Strength, TABLE};
use crate::exchange::Response;

/// What was recognised.
#[derive(Debug)]
pub(super) struct Sight {
    pub(super) class: Class,
    pub(super) reason: Reason,
    pub(super) who: Option<String>,
    pub(super) evidence: Vec<String>,
}

/// Statuses that are an answer about one page, whatever else stands on it.
const PAGE_GONE: [u16; 2] = [404, 410];
/// Statuses of a proxy or portal between us and the site.
const OUR_NETWORK: [u16; 2] = [407, 511];
/// Statuses under which a captcha widget is a gate and no contact form.
const GATES: [u16; 5] = [401, 403, 405, 429, 503];

/// Decisive markers that need no look at the page.
pub(super) fn outside(response: &Response) -> Option<Sight> {
    let look = Look::default();
    let scene = Scene { response, look: &look };
    TABLE
        .marker
        .iter()
        .filter(|marker| marker.strength == Strength::A && marker.is_outside())
        .find_map(|marker| marker.sight(&scene))
}

/// Decisive markers of any kind.
pub(super) fn decisive(scene: &Scene<'_>) -> Option<Sight> {
    let decisive = TABLE.marker.iter().filter(|marker| marker.strength == Strength::A);
    decisive.into_iter().find_map(|marker| marker.sight(scene))
}

/// Markers that need a second fact, where it is there.
pub(super) fn supported(scene: &Scene<'_>, signs: &PageSigns) -> Option<Sight> {
    let status = scene.response.status;
    let refused =
        status.is_some_and(|s| s >= 400 && !PAGE_GONE.contains(&s) && !OUR_NETWORK.contains(&s));
    let bare = scene.look.is_small() && signs.listings == 0 && signs.kind != PageKind::Detail;
    let fine = status.is_none_or(|s| (200..300).contains(&s));
    let soft = bare && (fine || status == Some(503));
    TABLE.marker.iter().find_map(|marker| {
        let may = match marker.strength {
            Strength::A => false,
            Strength::B => refused || bare && (fine || status.is_some_and(|s| s < 400)),
            Strength::Widget => {
                status.is_some_and(|s| GATES.contains(&s)) || bare && fine && !signs.nothing_found
            }
            Strength::SmallOnly => soft,
        };
        let sight = may.then(|| marker.sight(scene)).flatten()?;
        // "Nothing found" reads like "not found": on an empty result list only a title counts.
        let honest = marker.strength == Strength::SmallOnly && signs.kind == PageKind::Empty;
        (!honest || sight.evidence[0].starts_with("title ")).then_some(sight)
    })
}

impl Marker {
    fn is_outside(&self) -> bool {
        self.all.iter().chain(&self.any).all(super::condition::Condition::is_outside)
    }

    pub(super) fn sight(&self, scene: &Scene<'_>) -> Option<Sight> {
        if !self.status.is_empty() && !self.status.contains(&scene.response.status?) {
            return None;
        }
        let mut evidence = Vec::new();
        for condition in &self.all {
            evidence.push(condition.seen(scene)?);
        }
        if !self.any.is_empty() {
            evidence.push(self.any.iter().find_map(|condition| condition.seen(scene))?);
        }
        Some(Sight { class: self.verdict, reason: self.reason, who: self.who.clone(), evidence })
    }
}
