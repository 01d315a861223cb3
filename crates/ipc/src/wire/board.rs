//! The board and its changes.

use std::collections::BTreeMap;

use firstknock_monitor as monitor;
use firstknock_monitor::{Finding, Kind};
use firstknock_schedule as schedule;

use super::{filters, ms, span};
use crate::{
    AlertChoices, AppStatus, Away, AwayWhy, Banner, Board, BoardFacts, CheckMark, HostCard,
    HostState, LockWhy, MailState, Pace, QuietHours, Reader, Remark, Retry, RowState, SearchRow,
    StatusEvent, StopWhy, Turn, WallKind,
};

/// The whole board.
pub fn board(board: &monitor::Board) -> Board {
    Board {
        app: app(&board.app),
        rows: board.rows.iter().map(row).collect(),
        hosts: board.hosts.iter().map(|host| card(host, board.facts.can_open_sites)).collect(),
        facts: facts(board),
    }
}

/// What is different in `now`; `None` if nothing is.
pub fn changed(before: &Board, now: &Board) -> Option<StatusEvent> {
    if before == now {
        return None;
    }
    let rows = now.rows.iter().filter(|row| !before.rows.contains(row)).cloned().collect();
    let hosts = now.hosts.iter().filter(|host| !before.hosts.contains(host)).cloned().collect();
    let gone_row = |id: &i64| !now.rows.iter().any(|row| row.id == *id);
    let gone_host = |name: &String| !now.hosts.iter().any(|host| host.host == *name);
    Some(StatusEvent::Changed {
        app: now.app.clone(),
        rows,
        hosts,
        removed_rows: before.rows.iter().map(|row| row.id).filter(gone_row).collect(),
        removed_hosts: before
            .hosts
            .iter()
            .map(|host| host.host.clone())
            .filter(gone_host)
            .collect(),
        facts: now.facts.clone(),
    })
}

fn app(status: &schedule::AppStatus) -> AppStatus {
    match *status {
        schedule::AppStatus::Polling { checking, of } => AppStatus::Polling { checking, of },
        schedule::AppStatus::Idle { waiting, next_at } => {
            AppStatus::Idle { waiting, next_at: next_at.map(ms) }
        }
        schedule::AppStatus::Offline { since, next_at } => {
            AppStatus::Offline { since: ms(since), next_at: next_at.map(ms) }
        }
        schedule::AppStatus::Stopped { why, since } => AppStatus::Stopped {
            why: match why {
                schedule::StopWhy::User => StopWhy::User,
                schedule::StopWhy::DiskFull => StopWhy::DiskFull,
                schedule::StopWhy::ReadOnly => StopWhy::ReadOnly,
            },
            since: ms(since),
        },
    }
}

fn row(board: &monitor::BoardRow) -> SearchRow {
    let wish = &board.search.wish;
    SearchRow {
        id: board.search.id.0,
        name: wish.name.clone(),
        url: wish.url.as_str().to_owned(),
        host: board.search.host.as_str().to_owned(),
        position: board.search.position,
        enabled: board.search.enabled,
        muted: wish.muted,
        unread: board.unread,
        filters: filters(&wish.criteria),
        alerts: alerts(wish),
        interval_ms: span(wish.interval),
        interval_used_ms: (span(board.row.interval.from), span(board.row.interval.to)),
        stretched: board.row.interval.stretched,
        reader: match wish.reader {
            monitor::ReaderChoice::Auto => Reader::Auto,
            monitor::ReaderChoice::Plain => Reader::Plain,
            monitor::ReaderChoice::Browser => Reader::Browser,
        },
        checks: board.marks.iter().map(|mark| check_mark(*mark)).collect(),
        state: state(&board.row.state),
        retry: retry(board.row.retry),
        last_answer_at: board.row.answered_at.map(ms),
        last_listings: board.row.listings,
        remark: remark(&board.row),
    }
}

fn alerts(wish: &monitor::SearchWish) -> AlertChoices {
    AlertChoices {
        new: wish.tell.new,
        price_drops: wish.tell.price_drops,
        relisted: wish.tell.relisted,
        pace: match wish.rhythm {
            monitor::Rhythm::Instant => Pace::Instant,
            monitor::Rhythm::Digest => Pace::Digest,
        },
        quiet: wish.quiet.as_ref().map(|quiet| QuietHours {
            from_minute: quiet.from_minute,
            to_minute: quiet.to_minute,
            zone: quiet.zone.clone(),
        }),
    }
}

fn check_mark(mark: monitor::CheckMark) -> CheckMark {
    match mark {
        monitor::CheckMark::News => CheckMark::News,
        monitor::CheckMark::Answered => CheckMark::Answered,
        monitor::CheckMark::Empty => CheckMark::Empty,
        monitor::CheckMark::Refused => CheckMark::Refused,
        monitor::CheckMark::Failed | monitor::CheckMark::CutOff => CheckMark::Failed,
        monitor::CheckMark::NotAsked => CheckMark::NotAsked,
    }
}

fn state(state: &schedule::RowState) -> RowState {
    use schedule::RowState as From;
    match state {
        From::Queued => RowState::Queued,
        From::Checking { since } => RowState::Checking { since: ms(*since) },
        From::Ok { listings, checked_at, next_at, .. } => {
            RowState::Ok { listings: *listings, checked_at: ms(*checked_at), next_at: ms(*next_at) }
        }
        From::Empty { checked_at, next_at } => {
            RowState::Empty { checked_at: ms(*checked_at), next_at: ms(*next_at) }
        }
        From::Suspicious { recognised, before, next_at, .. } => {
            RowState::Suspicious { recognised: *recognised, before: *before, next_at: ms(*next_at) }
        }
        From::Blocked { wall, turn: whose, retry_at, .. } => {
            RowState::Blocked { wall: kind(*wall), turn: turn(*whose), retry_at: ms(*retry_at) }
        }
        From::Probing { host, since, turn: whose } => RowState::Probing {
            host: host.as_str().to_owned(),
            since: ms(*since),
            turn: turn(*whose),
        },
        From::NeedsYou { reason, turn: whose, retry_at, .. } => RowState::NeedsYou {
            reason: reason.code(),
            turn: turn(*whose),
            retry_at: ms(*retry_at),
        },
        From::FirstError { reason, next_at } => {
            RowState::FirstError { reason: reason.code(), next_at: ms(*next_at) }
        }
        From::ErrorWaiting { reason, turn: whose, retry_at } => RowState::ErrorWaiting {
            reason: reason.code(),
            turn: turn(*whose),
            retry_at: ms(*retry_at),
        },
        From::Offline { since } => RowState::Offline { since: ms(*since) },
        From::PageGone { status, since, next_at } => {
            RowState::PageGone { status: *status, since: ms(*since), next_at: ms(*next_at) }
        }
        From::Paused => RowState::Paused,
        From::Stopped => RowState::Stopped,
    }
}

fn remark(row: &schedule::Row) -> Option<Remark> {
    let finding = match &row.state {
        schedule::RowState::Ok { finding, .. } | schedule::RowState::Suspicious { finding, .. } => {
            *finding
        }
        _ => return None,
    };
    let code = match finding {
        Finding::Fine | Finding::Empty => return None,
        // The schedule keeps what was found, not which fields or how many.
        Finding::Degraded => "page_degraded_row",
        Finding::ReKeyed => "page_re_keyed_row",
        Finding::Broken => "page_broken",
        Finding::Unsure => "page_unsure_row",
    };
    Some(Remark { code: code.to_owned(), args: BTreeMap::new() })
}

pub(crate) fn kind(kind: Kind) -> WallKind {
    match kind {
        Kind::Challenge => WallKind::Challenge,
        Kind::RateLimited => WallKind::RateLimited,
        Kind::Denied => WallKind::Denied,
        Kind::Error => WallKind::Error,
    }
}

const fn turn(turn: schedule::Turn) -> Turn {
    match turn {
        schedule::Turn::First => Turn::First,
        schedule::Turn::Waits => Turn::Waits,
    }
}

fn retry(retry: schedule::Retry) -> Retry {
    match retry {
        schedule::Retry::None => Retry::None,
        schedule::Retry::Ready => Retry::Ready,
        schedule::Retry::Free => Retry::Free,
        schedule::Retry::Busy => Retry::Busy,
        schedule::Retry::Locked { until, why } => Retry::Locked {
            until: ms(until),
            why: match why {
                schedule::LockWhy::SiteAsked => LockWhy::SiteAsked,
                schedule::LockWhy::RefusedAgain => LockWhy::RefusedAgain,
            },
        },
    }
}

fn card(host: &monitor::BoardHost, can_open_sites: bool) -> HostCard {
    let has_session = host.has_session;
    HostCard { has_session, can_open_site: can_open_sites, ..host_card(&host.card) }
}

/// A host's card as the schedule draws it, without what only a running app knows.
pub fn host_card(card: &schedule::HostCard) -> HostCard {
    HostCard {
        host: card.host.as_str().to_owned(),
        searches: u32::try_from(card.searches.len()).unwrap_or(u32::MAX),
        state: match &card.state {
            schedule::HostState::Answers { next_at } => {
                HostState::Answers { next_at: next_at.map(ms) }
            }
            schedule::HostState::Waits(wait) => HostState::Waits {
                wall: kind(wait.wall),
                reason: wait.reason.code(),
                since: ms(wait.since),
                failures: wait.failures,
                asked_ms: wait.asked.map(span),
                retry_at: ms(wait.retry_at),
                evidence: wait.evidence.clone(),
            },
            schedule::HostState::Probing { since, .. } => HostState::Probing { since: ms(*since) },
            schedule::HostState::SiteOpen { since } => HostState::SiteOpen { since: ms(*since) },
        },
        retry: retry(card.retry),
        last_answer_at: card.answered_at.map(ms),
        has_session: false,
        can_open_site: false,
    }
}

fn facts(board: &monitor::Board) -> BoardFacts {
    let facts = &board.facts;
    let folder = firstknock_monitor::written(&facts.mail.folder);
    let mail = match (&facts.mail.address, &facts.mail.held, &facts.mail.retrying) {
        (None, ..) => {
            MailState::Folder { folder: folder.clone(), last: facts.mail.last_accepted.map(ms) }
        }
        (Some(address), Some(why), _) if why.starts_with("secrets_locked") => {
            MailState::Locked { address: address.clone() }
        }
        (Some(address), Some(why), _) => {
            let hint = facts.mail.hint.clone();
            MailState::Held { address: address.clone(), why: why.clone(), hint }
        }
        (Some(address), None, Some((next, why))) => {
            MailState::Retrying { address: address.clone(), next: ms(*next), why: why.clone() }
        }
        (Some(address), None, None) => MailState::Works {
            address: address.clone(),
            last_accepted: facts.mail.last_accepted.map(ms),
        },
    };
    let mut banners = Vec::new();
    match board.app {
        schedule::AppStatus::Offline { .. } => banners.push(Banner::Offline),
        schedule::AppStatus::Stopped { why: schedule::StopWhy::DiskFull, .. } => {
            banners.push(Banner::DiskFull);
        }
        schedule::AppStatus::Stopped { why: schedule::StopWhy::ReadOnly, .. } => {
            banners.push(Banner::ReadOnly);
        }
        _ => {}
    }
    match &mail {
        MailState::Locked { .. } => banners.push(Banner::MailLocked),
        MailState::Folder { .. } if !board.rows.is_empty() => {
            banners.push(Banner::MailToFolder { folder });
        }
        _ => {}
    }
    if let Some(from) = facts.restored_from {
        banners.push(Banner::RestoredBackup { from: ms(from) });
    }
    if let Some(client) = &facts.worrying_client {
        banners.push(Banner::ClientLimited {
            client: client.name.clone(),
            offences: client.offences,
            until: client.locked_until.map(ms),
        });
    }
    let enabled = board.rows.iter().filter(|row| row.search.enabled).count();
    BoardFacts {
        unread: facts.unread,
        mail,
        banners,
        max_searches: u32::try_from(schedule::MAX_ENABLED).unwrap_or(u32::MAX),
        enabled_searches: u32::try_from(enabled).unwrap_or(u32::MAX),
        away: facts.away.as_ref().map(|away| Away {
            appeared: away.appeared,
            gone: away.gone,
            from: ms(away.from),
            to: ms(away.to),
            why: match away.why {
                monitor::PauseWhy::Asleep => AwayWhy::Asleep,
                monitor::PauseWhy::Closed => AwayWhy::Closed,
                monitor::PauseWhy::Blocked => AwayWhy::Blocked,
            },
            host: away.host.as_ref().map(ToString::to_string),
        }),
        photos: facts.photos.clone(),
    }
}
