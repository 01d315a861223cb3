//! `cargo xtask soak`: what takes too long for `cargo xtask test`.

use anyhow::Result;

use crate::sh::cargo;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Kills the program at random moments of its deliveries: no mail is lost, and only what may
    /// have been lost comes twice.
    Delivery {
        /// How often.
        #[arg(long, default_value_t = 200)]
        kills: u32,
        /// Replays a run; each prints its own.
        #[arg(long)]
        seed: Option<u64>,
    },
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match args.what {
        What::Delivery { kills, seed } => {
            let test =
                "random::killed_at_random_moments_nothing_is_lost_and_only_the_unknown_is_repeated";
            let run = cargo(&["test", "--package", "firstknock-cli", "--test", "delivery", "--"])
                .arg("--exact")
                .arg(test)
                .arg("--nocapture")
                .env("FIRSTKNOCK_KILLS", kills.to_string());
            match seed {
                Some(seed) => run.env("FIRSTKNOCK_SEED", seed.to_string()).run(),
                None => run.run(),
            }
        }
    }
}
