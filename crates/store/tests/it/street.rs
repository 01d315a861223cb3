//! What the store's tests share: pages of a made-up site and the checks that read them.

use std::time::Duration;

use firstknock_listing::{
    HostKey, KeyKind, Listing, ListingKey, Money, Revision, SearchId, SearchUrl, diff,
};
use firstknock_schedule::{Change, Check, CheckId, Why};
use firstknock_store::{
    CheckCommit, CheckMark, CheckResult, Committed, News, NewsKind, PageCommit, Post, PostKind,
    ReaderChoice, Rhythm, RunId, SearchWish, Store, Tell,
};
use jiff::Timestamp;

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + seconds).expect("a time")
}

pub(crate) fn url(text: &str) -> SearchUrl {
    SearchUrl::parse(text).expect("an address")
}

pub(crate) fn wish(name: &str, address: &str) -> SearchWish {
    SearchWish {
        name: name.to_owned(),
        url: url(address),
        interval: Duration::from_secs(90),
        muted: false,
        reader: ReaderChoice::Auto,
        criteria: Default::default(),
        tell: Tell::default(),
        quiet: None,
        rhythm: Rhythm::Instant,
    }
}

/// A home of the made-up site, with an id and a link as keys.
pub(crate) fn home(number: u32, euros: i64) -> Listing {
    let link = format!("https://street.example/home/{number}");
    let keys = vec![
        ListingKey::new(KeyKind::Id, &format!("street.example:path2:{number}")),
        ListingKey::new(KeyKind::Url, &link),
    ];
    let mut home = Listing::new(keys, link);
    home.title = Some(format!("Home {number}"));
    home.price = Some(Money::of_cents(euros * 100));
    home
}

pub(crate) fn host() -> HostKey {
    url("https://street.example/").host()
}

pub(crate) fn check(search: Option<SearchId>, revision: Revision, now: Timestamp) -> Check {
    Check {
        id: CheckId(1),
        search,
        revision,
        host: host(),
        domain: host().domain(),
        url: url("https://street.example/list"),
        why: Why::Due,
        at: now,
    }
}

pub(crate) fn answered(listings: u32) -> CheckResult {
    CheckResult {
        mark: CheckMark::Answered,
        verdict: "answer".to_owned(),
        reason: "answered".to_owned(),
        finding: None,
        status: Some(200),
        listings: Some(listings),
        bytes: Some(1000),
        took: Duration::from_millis(120),
        retry_after: None,
        evidence: Vec::new(),
        etag: None,
        last_modified: None,
        body_hash: None,
    }
}

pub(crate) fn refused() -> CheckResult {
    CheckResult {
        mark: CheckMark::Refused,
        verdict: "challenge".to_owned(),
        reason: "browser_check".to_owned(),
        status: Some(403),
        listings: None,
        ..answered(0)
    }
}

pub(crate) fn mail() -> Post {
    Post {
        channel: "mail".to_owned(),
        kind: PostKind::Alert,
        not_before: None,
        join: false,
        payload: None,
    }
}

/// One whole look, as the engine does it: reserve, know, compare, commit.
pub(crate) fn look(
    store: &mut Store,
    search: SearchId,
    page: &[Listing],
    now: Timestamp,
) -> Committed {
    let commit = prepare(store, search, page, now);
    store.commit_check(&commit, now).expect("committed")
}

/// All of a look but the commit.
pub(crate) fn prepare(
    store: &mut Store,
    search: SearchId,
    page: &[Listing],
    now: Timestamp,
) -> CheckCommit {
    let saved = store.search(search).expect("read").expect("the search");
    let baseline = store.search_facts(search).expect("read").baseline_at.is_none();
    let run = reserve(store, search, saved.revision, now);
    let known = store.known(&host(), search, page, now).expect("read");
    let knowns: Vec<_> = known.iter().map(|it| it.known.clone()).collect();
    let diff = diff(page, &knowns);
    let sighted = |id| known.iter().any(|it| it.known.id == id && it.sighted);
    let missed = |id| {
        let here = known.iter().find(|it| it.known.id == id);
        here.and_then(|it| it.missed.first()).map(|it| it.kind)
    };
    let mut news = Vec::new();
    for change in &diff.seen {
        use firstknock_listing::Change::{New, Relisted, Repriced, Same};
        let (at, kind) = match change {
            New { at } => (*at, Some(NewsKind::New)),
            Relisted { at, .. } => (*at, Some(NewsKind::Relisted)),
            Repriced { at, id, .. } | Same { at, id } if !sighted(*id) => {
                (*at, Some(NewsKind::New))
            }
            Repriced { at, was, .. } => {
                let now = page[*at].price.as_ref().expect("a price").cents;
                (*at, Some(if now < was.cents { NewsKind::PriceDrop } else { NewsKind::PriceRise }))
            }
            Same { at, id } => (*at, missed(*id)),
        };
        news.extend(kind.map(|kind| News { at, kind, tell: !saved.wish.muted }));
    }
    CheckCommit {
        run,
        search: Some(search),
        revision: saved.revision,
        host: host(),
        result: answered(page.len() as u32),
        page: Some(PageCommit {
            listings: page.to_vec(),
            diff,
            baseline,
            complete: true,
            rekeyed: Vec::new(),
            news,
            posts: vec![mail()],
            memory: None,
        }),
        notices: Vec::new(),
        change: Change::default(),
    }
}

pub(crate) fn reserve(
    store: &mut Store,
    search: SearchId,
    revision: Revision,
    now: Timestamp,
) -> RunId {
    let check = check(Some(search), revision, now);
    store.reserve(&check, &Change::default(), now).expect("reserved")
}
