//! SIGKILL at random moments of deliveries: nothing is lost, and a repeat comes only where the
//! outcome was unknown, with the same Message-ID and bytes.
//!
//! `FIRSTKNOCK_KILLS` sets how often (`cargo xtask soak delivery`), `FIRSTKNOCK_SEED` replays.

use std::collections::HashMap;
use std::time::Duration;

use firstknock_monitor::store::OutboxStep;
use firstknock_monitor::{DeliveryStage, Dice};

use crate::outbox::{fill, rows};
use crate::process::{knock, until};
use crate::smtp::{At, Do, Script, Server};

/// The server takes its time at each step, so that a kill can fall into any of them.
const STEP: Duration = Duration::from_millis(12);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn slow() -> Script {
    let steps = [At::Greeting, At::Ehlo, At::Auth, At::Mail, At::Rcpt, At::Data, At::Dot, At::Quit];
    steps.into_iter().fold(Script::default(), |script, at| script.with(at, Do::Late(STEP)))
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_random_moments_nothing_is_lost_and_only_the_unknown_is_repeated() {
    let kills = number("FIRSTKNOCK_KILLS").unwrap_or(20);
    let seed = number("FIRSTKNOCK_SEED").unwrap_or_else(|| Dice::unforeseen().bits() % 100_000);
    println!("{kills} kills, FIRSTKNOCK_SEED={seed}");
    let mut dice = Dice::new(seed);
    let server = Server::start(true, vec![slow()]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let messages = u32::try_from(kills * 3 + 3).expect("a small number");
    fill(folder.path(), &server, messages).await;

    for _ in 0..kills {
        let before = server.connections();
        let knock = knock(folder.path());
        until("a connection", || server.connections() > before).await;
        tokio::time::sleep(Duration::from_millis(dice.between(0, 200))).await;
        knock.kill();
    }
    let last = knock(folder.path());
    until("all is done", || rows(folder.path()).iter().all(|(row, _)| row.state.is_final())).await;
    last.kill();

    let mut arrived: HashMap<String, Vec<String>> = HashMap::new();
    for message in server.messages() {
        let id = message.lines().find_map(|line| line.strip_prefix("Message-ID: "));
        arrived.entry(id.expect("a Message-ID").to_owned()).or_default().push(message);
    }
    let (mut cuts, mut repeats) = (0, 0);
    let rows = rows(folder.path());
    assert_eq!(rows.len(), messages as usize, "no row is lost");
    for (row, steps) in rows {
        let id = &row.rendered.as_ref().expect("it was rendered").message_id;
        let copies = arrived.remove(id).unwrap_or_default();
        let unknown = steps.iter().filter(|step| is_cut_off(step)).count();
        cuts += unknown;
        repeats += copies.len().saturating_sub(1);
        match row.state {
            DeliveryStage::Sent => assert!(!copies.is_empty(), "called sent, never arrived"),
            // Cut off three times in a row: from then on it could only arrive twice.
            DeliveryStage::MaybeDelivered => assert_eq!(unknown, 3, "{steps:?}"),
            other => panic!("{other:?}: {steps:?}"),
        }
        assert!(copies.len() <= 1 + unknown, "a repeat of what was known: {steps:?}");
        assert!(copies.iter().all(|copy| *copy == copies[0]), "a repeat has the same bytes");
    }
    assert!(arrived.is_empty(), "a message that no row knows: {:?}", arrived.keys());
    println!("{messages} messages, {cuts} cut off while sending, {repeats} arrived twice");
    assert!(cuts as u64 >= kills / 4, "the kills fell beside the deliveries: {cuts} of {kills}");
}

fn is_cut_off(step: &OutboxStep) -> bool {
    step.reason.as_deref() == Some("cut_off")
}
