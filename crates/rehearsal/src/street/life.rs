//! A street that lives: homes come, go and change price; now and then a wall goes up.

use std::time::Duration;

use super::{Site, Street, Wall};
use crate::Dice;

/// Lets the street live until the future is dropped. One thing happens every `pace`, give or take
/// a half; the same seed tells the same story.
pub async fn live(street: &Street, seed: u64, pace: Duration) {
    let mut dice = Dice::new(seed);
    loop {
        tokio::time::sleep(pace.mul_f64(0.5 + dice.roll())).await;
        let site = dice.pick(street.sites()).clone();
        happen(&site, &mut dice);
    }
}

fn happen(site: &Site, dice: &mut Dice) {
    let homes = site.homes();
    match dice.between(0, 9) {
        0..=4 => {
            let home = site.add_home();
            tracing::info!(site = site.name(), home = home.id, "a home appears on the street");
        }
        5 | 6 if homes.len() > 4 => {
            let home = dice.pick(&homes);
            site.remove_home(home.id);
            tracing::info!(site = site.name(), home = home.id, "a home is gone from the street");
        }
        7 if !homes.is_empty() => {
            let home = dice.pick(&homes);
            let cheaper = home.rent - home.rent / 20;
            site.reprice(home.id, cheaper);
            tracing::info!(site = site.name(), home = home.id, "a home got cheaper");
        }
        8 => {
            let slower = Wall::RateLimited { retry_after: Some("20".into()) };
            let wall = dice.pick(&[Wall::Challenge, slower, Wall::ServerError]).clone();
            tracing::info!(site = site.name(), ?wall, "a wall goes up");
            site.wall(Some(wall));
        }
        _ => site.wall(None),
    }
}
