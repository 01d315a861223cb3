//! Previews and edits of searches.

use std::collections::BTreeMap;
use std::time::Duration;

use firstknock_listing::{
    Area, Criteria, Hidden, Listing, Money, PostalAddress, Rooms, SearchId, SearchUrl,
    SearchUrlError,
};
use firstknock_monitor as monitor;
use firstknock_monitor::{Engine, Locked, Refusal, SearchWish};

use super::{search, store};
use crate::{
    AlertChoices, ById, CandidateList, EditSearch, ErrorBody, ErrorCode, Found, HiddenCount,
    ListingCard, NewSearch, Pace, Pasted, Preview, PreviewListing, PreviewRefusal, Reader, Remark,
    WouldShow, WouldShowQuery, wire,
};

pub(super) async fn preview(engine: &Engine, pasted: Pasted) -> Result<Preview, ErrorBody> {
    let photos = engine.settings().await.photos;
    Ok(match engine.preview(&pasted.url, pasted.choice).await {
        monitor::Preview::Found(read) => Preview::Found(Box::new(found(&read, photos))),
        monitor::Preview::Unsure(read) => Preview::Unsure {
            name: read.extraction.name.clone().unwrap_or_default(),
            took_ms: wire::span(read.took),
            lists: read
                .extraction
                .candidates
                .iter()
                .zip(0..)
                .map(|(candidate, index)| CandidateList {
                    index,
                    count: u32::try_from(candidate.count).unwrap_or(u32::MAX),
                    sample: candidate.sample.iter().map(|it| sample(it, photos)).collect(),
                })
                .collect(),
        },
        monitor::Preview::Refused(refusal) => Preview::Refused { why: refused(refusal)? },
    })
}

/// A listing that is not stored.
fn sample(listing: &Listing, photos: bool) -> ListingCard {
    let card = wire::card(listing, None);
    ListingCard { image: card.image.filter(|_| photos), ..card }
}

fn found(read: &monitor::Read, photos: bool) -> Found {
    let shown: Vec<&Listing> = read
        .extraction
        .listings
        .iter()
        .filter(|listing| listing.role != firstknock_listing::Role::Recommendation)
        .collect();
    let remark = read.extraction.problems.first().map(|problem| Remark {
        code: format!("page_problem_{}", problem.code()),
        args: problem
            .args()
            .into_iter()
            .map(|(k, v)| (k.to_owned(), v))
            .collect::<BTreeMap<_, _>>(),
    });
    Found {
        name: read.extraction.name.clone().unwrap_or_default(),
        count: u32::try_from(shown.len()).unwrap_or(u32::MAX),
        sample: shown.iter().take(3).map(|listing| sample(listing, photos)).collect(),
        all: shown.iter().map(|listing| small(listing)).collect(),
        took_ms: wire::span(read.took),
        moved_to: read.moved_to.clone(),
        remark,
    }
}

#[expect(clippy::cast_precision_loss, reason = "prices stay far below 2^53 cents")]
fn small(listing: &Listing) -> PreviewListing {
    let address = listing.address.as_ref().map(|a| a.raw.as_str()).unwrap_or_default();
    PreviewListing {
        text: format!("{} {address}", listing.title.as_deref().unwrap_or_default()),
        price_monthly: listing.price.as_ref().map(|p| p.monthly_cents() as f64 / 100.0),
        size_m2: listing.size.map(Area::m2),
        rooms: listing.rooms.or(listing.bedrooms).map(Rooms::count),
        let_already: listing.flags.let_already,
    }
}

fn refused(refusal: Refusal) -> Result<PreviewRefusal, ErrorBody> {
    Ok(match refusal {
        Refusal::Address(SearchUrlError::NotAnAddress) => PreviewRefusal::NotAnAddress,
        Refusal::Address(SearchUrlError::NotHttp) => PreviewRefusal::NotHttp,
        Refusal::Address(SearchUrlError::HasPassword) => PreviewRefusal::HasPassword,
        Refusal::Address(SearchUrlError::TooLong) => PreviewRefusal::TooLong,
        Refusal::Duplicate(same) => {
            PreviewRefusal::Duplicate { id: same.id.0, name: same.wish.name.clone() }
        }
        Refusal::Sixteenth => PreviewRefusal::Sixteenth {
            max: u32::try_from(monitor::store::MAX_ENABLED).unwrap_or(u32::MAX),
        },
        Refusal::OneHome => PreviewRefusal::OneHome,
        Refusal::NoList { empty } => PreviewRefusal::NoList { empty },
        Refusal::Wall(wall) => PreviewRefusal::Wall {
            wall: wire::kind(wall.kind),
            reason: wall.reason.code(),
            evidence: wall.evidence,
        },
        Refusal::Dead(reason) => PreviewRefusal::Dead { reason: reason.code() },
        Refusal::PageGone(status) => PreviewRefusal::PageGone { status },
        Refusal::NotBefore(at) => PreviewRefusal::NotBefore { at: at.as_millisecond() },
        Refusal::Store(error) => return Err(store(error)),
    })
}

pub(super) fn would_show(query: &WouldShowQuery) -> WouldShow {
    let criteria = wire::criteria(&query.filters);
    let verdicts: Vec<Option<Hidden>> =
        query.listings.iter().map(|listing| criteria.hides(&grown(listing))).collect();
    let mut counts: BTreeMap<(String, Option<String>), u32> = BTreeMap::new();
    for hidden in verdicts.iter().flatten() {
        let (why, word) = match hidden {
            Hidden::TooCheap => ("too_cheap", None),
            Hidden::TooDear => ("too_dear", None),
            Hidden::TooSmall => ("too_small", None),
            Hidden::TooFewRooms => ("too_few_rooms", None),
            Hidden::NoWantedWord => ("no_wanted_word", None),
            Hidden::ExcludedWord { word } => ("excluded_word", Some(word.clone())),
            Hidden::AlreadyLet => ("already_let", None),
        };
        *counts.entry((why.to_owned(), word)).or_default() += 1;
    }
    let mut hidden: Vec<HiddenCount> =
        counts.into_iter().map(|((why, word), count)| HiddenCount { why, word, count }).collect();
    hidden.sort_by_key(|count| std::cmp::Reverse(count.count));
    WouldShow {
        of: u32::try_from(verdicts.len()).unwrap_or(u32::MAX),
        shown: verdicts.iter().map(Option::is_none).collect(),
        hidden,
    }
}

/// A listing as far as filters look at it.
#[expect(clippy::cast_possible_truncation, reason = "prices stay far below 2^63 cents")]
fn grown(small: &PreviewListing) -> Listing {
    let mut listing = Listing::new(Vec::new(), String::new());
    listing.address = Some(PostalAddress { raw: small.text.clone(), ..PostalAddress::default() });
    listing.price = small.price_monthly.map(|p| Money::of_cents((p * 100.0).round() as i64));
    listing.size = small.size_m2.and_then(Area::from_m2);
    listing.rooms = small.rooms.and_then(Rooms::from_count);
    listing.flags.let_already = small.let_already;
    listing
}

pub(super) async fn add(engine: &Engine, new: NewSearch) -> Result<ById, ErrorBody> {
    let wish = wish(
        &new.url,
        &new.name,
        wire::criteria(&new.filters),
        &new.alerts,
        new.interval_ms,
        new.reader,
        false,
    )?;
    let choice = new.choice.and_then(|at| engine.choice(&wish.url, at));
    let added = engine.add_search(wish, new.enabled, choice).await.map_err(store)?;
    if new.send_current {
        engine.send_current_after_baseline(added.id).await.map_err(store)?;
    }
    Ok(ById { id: added.id.0 })
}

pub(super) async fn edit(engine: &Engine, edit: EditSearch) -> Result<(), ErrorBody> {
    let wish = wish(
        &edit.url,
        &edit.name,
        wire::criteria(&edit.filters),
        &edit.alerts,
        edit.interval_ms,
        edit.reader,
        edit.muted,
    )?;
    engine.edit_search(search(edit.id), wish).await.map_err(store)?;
    Ok(())
}

pub(super) async fn send_current(engine: &Engine, id: SearchId) -> Result<(), ErrorBody> {
    engine.send_current(id).await.map_err(store)?;
    Ok(())
}

fn wish(
    url: &str,
    name: &str,
    criteria: Criteria,
    alerts: &AlertChoices,
    interval_ms: i64,
    reader: Reader,
    muted: bool,
) -> Result<SearchWish, ErrorBody> {
    let url = SearchUrl::parse(url).map_err(|error| {
        ErrorBody::new(match error {
            SearchUrlError::NotAnAddress => ErrorCode::NotAnAddress,
            SearchUrlError::NotHttp => ErrorCode::NotHttp,
            SearchUrlError::HasPassword => ErrorCode::HasPassword,
            SearchUrlError::TooLong => ErrorCode::AddressTooLong,
        })
    })?;
    let name = firstknock_listing::clean_line(name);
    let name = if name.is_empty() { url.host().to_string() } else { name };
    Ok(SearchWish {
        name: firstknock_listing::truncate_chars(&name, 120),
        url,
        interval: Duration::from_millis(u64::try_from(interval_ms).unwrap_or_default()),
        muted,
        reader: match reader {
            Reader::Auto => monitor::ReaderChoice::Auto,
            Reader::Plain => monitor::ReaderChoice::Plain,
            Reader::Browser => monitor::ReaderChoice::Browser,
        },
        criteria,
        tell: monitor::Tell {
            new: alerts.new,
            price_drops: alerts.price_drops,
            relisted: alerts.relisted,
        },
        quiet: alerts.quiet.as_ref().map(|quiet| monitor::QuietHours {
            from_minute: quiet.from_minute,
            to_minute: quiet.to_minute,
            zone: quiet.zone.clone(),
        }),
        rhythm: match alerts.pace {
            Pace::Instant => monitor::Rhythm::Instant,
            Pace::Digest => monitor::Rhythm::Digest,
        },
    })
}

pub(super) fn locked(locked: Locked) -> ErrorBody {
    match locked {
        Locked::Until { until, .. } => {
            ErrorBody::new(ErrorCode::Locked).with("until", until.as_millisecond())
        }
        Locked::Busy | Locked::Off => ErrorBody::new(ErrorCode::Locked),
        Locked::Unknown => ErrorBody::new(ErrorCode::NotFound),
    }
}
