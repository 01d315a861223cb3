//! Dutch cards: one `<article>` a home.

use super::{dotted, frame};
use crate::street::Home;

pub(super) fn list(homes: &[Home], town: &str) -> String {
    let cards: String = homes.iter().map(card).collect();
    let body = if homes.is_empty() {
        "<p class=\"leeg\">Er zijn geen woningen gevonden.</p>".to_owned()
    } else {
        format!("<section class=\"resultaten\">{cards}</section>")
    };
    frame(
        &format!("Huurwoningen in {town} | Grachtenhuur"),
        &format!(
            "<main><h1>Huurwoningen in {town}</h1><p>{} resultaten</p>{body}</main>",
            homes.len()
        ),
    )
}

fn card(home: &Home) -> String {
    let slug = home.title.to_lowercase().replace(' ', "-");
    format!(
        "<article class=\"woning\"><a href=\"/woning/{slug}-{id}\"><img src=\"/foto/{id}.jpg\" \
         alt=\"\"></a><div><h2><a href=\"/woning/{slug}-{id}\">{title}</a></h2>\
         <p class=\"adres\">{street}, {postcode} {town}</p>\
         <ul><li>{size} m²</li><li>{rooms} kamers</li></ul>\
         <p class=\"prijs\">€ {rent} per maand</p></div></article>",
        id = home.id,
        title = home.title,
        street = home.street,
        postcode = home.postcode,
        town = home.town,
        size = home.size,
        rooms = home.rooms,
        rent = dotted(home.rent),
    )
}
