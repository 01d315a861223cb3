//! Listings, filters and money.

use firstknock_listing::{Area, Criteria, Listing, ListingId, Money, Period, RentKind, Rooms};
use firstknock_monitor::PhotoKey;
use firstknock_monitor::store::{ListingExtras, NewsKind, StoredListing};

use super::ms;
use crate::{
    Filters, ListingCard, ListingRow, News, Price, PriceKind, PricePeriod, PriceStep, SeenBefore,
};

/// The user's filters as the window shows them.
#[expect(clippy::cast_precision_loss, reason = "prices stay far below 2^53 cents")]
pub fn filters(criteria: &Criteria) -> Filters {
    let whole = |cents: i64| cents as f64 / 100.0;
    Filters {
        min_price: criteria.min_cents.map(whole),
        max_price: criteria.max_cents.map(whole),
        min_size: criteria.min_size.map(Area::m2),
        min_rooms: criteria.min_rooms.map(Rooms::count),
        want_words: criteria.want_words.clone(),
        exclude_words: criteria.exclude_words.clone(),
        hide_let: criteria.hide_let,
    }
}

/// The same, the other way. Values that make no sense are no bound.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
pub fn criteria(filters: &Filters) -> Criteria {
    let cents = |whole: f64| (0.0..1e12).contains(&whole).then(|| (whole * 100.0).round() as i64);
    let words = |words: &[String]| {
        words.iter().map(|w| w.trim().to_owned()).filter(|w| !w.is_empty()).collect()
    };
    Criteria {
        min_cents: filters.min_price.and_then(cents),
        max_cents: filters.max_price.and_then(cents),
        min_size: filters.min_size.and_then(Area::from_m2),
        min_rooms: filters.min_rooms.and_then(Rooms::from_count),
        want_words: words(&filters.want_words),
        exclude_words: words(&filters.exclude_words),
        hide_let: filters.hide_let,
    }
}

/// A listing as a card; `id` if it is stored. Its photo goes by a key, never by its address.
pub fn card(listing: &Listing, id: Option<ListingId>) -> ListingCard {
    ListingCard {
        title: listing.title.clone(),
        address: listing.address.as_ref().map(|a| a.raw.clone()),
        price: listing.price.as_ref().map(price),
        price_on_request: listing.price_on_request,
        size_m2: listing.size.map(Area::m2),
        rooms: listing.rooms.map(Rooms::count),
        bedrooms: listing.bedrooms.map(Rooms::count),
        image: listing.image.as_deref().map(|image| PhotoKey::of(id, image).to_string()),
        url: listing.url.clone(),
    }
}

fn price(money: &Money) -> Price {
    Price {
        amount: money.amount(),
        upper: money.upper(),
        currency: money.currency.map(|c| c.code().to_owned()),
        period: money.period.map(|period| match period {
            Period::Day => PricePeriod::Day,
            Period::Week => PricePeriod::Week,
            Period::Month => PricePeriod::Month,
            Period::Year => PricePeriod::Year,
        }),
        kind: money.kind.map(|kind| match kind {
            RentKind::Cold => PriceKind::Cold,
            RentKind::Warm => PriceKind::Warm,
        }),
    }
}

/// A stored listing with what stands beside it.
pub fn listing_row(stored: &StoredListing, extras: &ListingExtras) -> ListingRow {
    let steps: Vec<PriceStep> = extras
        .prices
        .iter()
        .map(|step| PriceStep { at: ms(step.at), amount: step.price.amount() })
        .collect();
    ListingRow {
        id: stored.id.0,
        card: card(&stored.listing, Some(stored.id)),
        host: stored.host.as_str().to_owned(),
        news: stored.news.map(|news| match news {
            NewsKind::New => News::New,
            NewsKind::PriceDrop => News::PriceDrop,
            NewsKind::PriceRise => News::PriceRise,
            NewsKind::Relisted => News::Relisted,
        }),
        first_seen: ms(stored.first_seen),
        last_seen: ms(stored.last_seen),
        gone_at: stored.gone_at.map(ms),
        unread: stored.unread,
        starred: stored.starred,
        hidden: stored.hidden,
        note: stored.note.clone().unwrap_or_default(),
        available_from: stored.listing.available_from.clone(),
        let_already: stored.listing.flags.let_already,
        prices: if steps.len() > 1 { steps } else { Vec::new() },
        searches: extras.searches.iter().map(|id| id.0).collect(),
        seen_before: extras.seen_before.as_ref().map(|before| SeenBefore {
            at: ms(before.at),
            amount: before.price.as_ref().map(Money::amount),
        }),
    }
}
