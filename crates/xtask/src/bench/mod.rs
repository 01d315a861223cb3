//! `cargo xtask bench`: how fast, beside others, in one run.

mod extract;
mod peers;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The reader of pages over the corpus, beside peers that do less.
    Extract(extract::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.what {
        What::Extract(args) => extract::run(args),
    }
}
