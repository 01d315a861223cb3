//! A German table: one row a home, the number only in the query.

use super::{dotted, frame};
use crate::street::Home;

pub(super) fn list(homes: &[Home], town: &str) -> String {
    let rows: String = homes.iter().map(row).collect();
    let body = if homes.is_empty() {
        "<p>Leider wurden keine Treffer gefunden.</p>".to_owned()
    } else {
        format!("<table><tbody>{rows}</tbody></table>")
    };
    frame(
        &format!("Mietwohnungen {town} – Kieznest"),
        &format!(
            "<main><h1>Mietwohnungen in {town}</h1><p>{} Treffer</p>{body}</main>",
            homes.len()
        ),
    )
}

fn row(home: &Home) -> String {
    format!(
        "<tr data-objekt=\"{id}\"><td><a href=\"/expose?nr={id}\"><img src=\"/foto/{id}.jpg\" \
         alt=\"\"></a></td><td><strong><a href=\"/expose?nr={id}\">{title}</a></strong><br>\
         {street}, {postcode} {town}</td><td>{rooms} Zimmer</td><td>{size} m²</td>\
         <td>{rent} € Kaltmiete</td></tr>",
        id = home.id,
        title = home.title,
        street = home.street,
        postcode = home.postcode,
        town = home.town,
        rooms = home.rooms,
        size = home.size,
        rent = dotted(home.rent),
    )
}
