//! An empty shell: a script asks for the homes and draws them. Plain reading sees nothing.

use serde_json::json;

use super::frame;
use crate::street::Home;

pub(super) fn list(town: &str) -> String {
    let script = r#"
setTimeout(async () => {
  const homes = await (await fetch('/data.json')).json();
  const root = document.getElementById('app');
  root.innerHTML = '<h1>Kamers</h1><p>' + homes.length + ' resultaten</p>' + homes.map((h) =>
    `<article><a href="/kamer/${h.id}"><img src="/foto/${h.id}.jpg" alt=""></a><h2><a href="/kamer/${h.id}">${h.title}</a></h2><p>${h.street}, ${h.postcode} ${h.town}</p>` +
    `<p>${h.size} m² · ${h.rooms} kamers</p><p>€ ${h.rent} per maand</p></article>`).join('');
}, 400);
"#;
    frame(
        &format!("Kamers in {town} | Kamerplein"),
        &format!(
            "<div id=\"app\"></div><noscript>Zet JavaScript aan.</noscript><script>{script}</script>"
        ),
    )
}

pub(super) fn data(homes: &[Home]) -> String {
    let homes: Vec<_> = homes
        .iter()
        .map(|home| {
            json!({
                "id": home.id,
                "title": home.title,
                "street": home.street,
                "postcode": home.postcode,
                "town": home.town,
                "size": home.size,
                "rooms": home.rooms,
                "rent": home.rent,
            })
        })
        .collect();
    json!(homes).to_string()
}
