//! Writes example mails as HTML, text and `.eml` into a folder, to be looked at:
//! `cargo run -p firstknock-notify --example gallery -- FOLDER`.

#[path = "../tests/notify/support/alerts.rs"]
mod alerts;

use firstknock_listing::catalogue::Language;
use firstknock_notify::{Alert, DigestReason, Found, News, render};

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let folder = std::path::PathBuf::from(folder);
    std::fs::create_dir_all(&folder)?;
    let context = alerts::context();
    for (name, alert) in examples() {
        let mail = render::mail(&alert, &context);
        std::fs::write(folder.join(format!("{name}.html")), &mail.html)?;
        std::fs::write(folder.join(format!("{name}.txt")), &mail.text)?;
        std::fs::write(folder.join(format!("{name}.eml")), &mail.bytes)?;
        println!("{name}: {}", mail.subject);
    }
    Ok(())
}

fn examples() -> Vec<(&'static str, Alert)> {
    let mut several = alerts::many(4);
    several.findings[1].news = News::PriceRise { was: alerts::euros(430) };
    several.findings[2].news = News::Relisted {
        seen_at: alerts::at("2026-09-03T10:00:00Z"),
        was: Some(alerts::euros(495)),
    };
    several.findings[3].listing.price = None;
    let since = alerts::at("2026-11-28T21:00:00Z");
    let mut digest = alerts::many(24);
    digest.kind = Found::Digest { reason: DigestReason::QuietHours, since };
    let mut blind = alerts::alert(Vec::new());
    blind.kind = Found::Blind {
        since: alerts::at("2026-11-29T06:41:00Z"),
        reason: "reason_too_many_requests".into(),
        args: vec![
            ("vendor".into(), "kamers.example".into()),
            ("evidence".into(), "HTTP 429".into()),
        ],
        page: Some("https://kamers.example/zoeken?stad=utrecht".into()),
        host: "kamers.example".into(),
    };
    let mut dutch = alerts::price_drop();
    dutch.language = Language::Nl;
    let mut german = several.clone();
    german.language = Language::De;
    let test = Alert::test(Language::En, alerts::at("2026-11-29T13:03:05Z"));
    vec![
        ("one", alerts::one()),
        ("drop", alerts::price_drop()),
        ("drop-nl", dutch),
        ("several", several),
        ("several-de", german),
        ("digest", digest),
        ("blind", blind),
        ("test", test),
    ]
}
