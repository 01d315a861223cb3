//! `cargo xtask bench`: how fast, beside others, in one run.

mod api;
mod delivery;
mod extract;
mod peers;
mod policy;
mod window;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The reader of pages over the corpus, beside peers that do less.
    Extract(extract::Args),
    /// Messages from their commit to the server's 250, and 1,000 of them drained.
    Delivery,
    /// The local API over real HTTP with many listings stored.
    Api(api::Args),
    /// The scripted weeks under this policy and under three others.
    Policy,
    /// Start, memory and CPU of the real window.
    Window(window::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.what {
        What::Extract(args) => extract::run(args),
        What::Delivery => delivery::run(),
        What::Api(args) => api::run(args),
        What::Policy => policy::run(),
        What::Window(args) => window::run(args),
    }
}
