//! British divs, with the same homes as JSON-LD beside them.

use serde_json::json;

use super::{frame, grouped};
use crate::street::Home;

pub(super) fn list(homes: &[Home], town: &str) -> String {
    let items: Vec<_> = homes
        .iter()
        .enumerate()
        .map(|(at, home)| {
            json!({
                "@type": "ListItem",
                "position": at + 1,
                "item": {
                    "@type": "Apartment",
                    "name": home.title,
                    "url": format!("/to-let/{}", home.id),
                    "numberOfBedrooms": home.rooms,
                    "address": {
                        "@type": "PostalAddress",
                        "streetAddress": home.street,
                        "addressLocality": home.town,
                        "postalCode": home.postcode,
                    },
                },
            })
        })
        .collect();
    let data =
        json!({ "@context": "https://schema.org", "@type": "ItemList", "itemListElement": items });
    let cards: String = homes.iter().map(card).collect();
    let body = if homes.is_empty() {
        "<p>No properties found. Try a wider search.</p>".to_owned()
    } else {
        cards
    };
    frame(
        &format!("Property to rent in {town} | Lanternlets"),
        &format!(
            "<script type=\"application/ld+json\">{data}</script><main><h1>To rent in {town}</h1>\
             <p>{} properties found</p><div>{body}</div></main>",
            homes.len()
        ),
    )
}

fn card(home: &Home) -> String {
    format!(
        "<div class=\"lc-9f2\"><a href=\"/to-let/{id}?position=3\"><picture><img \
         data-src=\"/photo/{id}.jpg\" src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\" alt=\"\">\
         </picture><h3>{title}</h3></a><address>{street}, {town} {postcode}</address>\
         <span>{bed} bed</span> <span>{size} sq m</span> <b>£{rent} pcm</b></div>",
        id = home.id,
        title = home.title,
        street = home.street,
        town = home.town,
        postcode = home.postcode,
        bed = home.rooms,
        size = home.size,
        rent = grouped(home.rent, ','),
    )
}
