//! `knock serve`: the engine with the window's interface in a browser, and the local API.

use std::path::PathBuf;

use anyhow::{Context, Result};
use firstknock_api::{Api, Limits, Server, Ui, bind, owner_token};
use firstknock_fetch::Config;
use firstknock_ipc::API_PORT;

use crate::start::{DataArg, start};
use crate::watch::stopped;
use crate::{End, Usage};

/// The interface, as it was when this program was built; empty if it was not.
static BUILT_UI: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/ui.rs"));

#[derive(clap::Args)]
pub(crate) struct ServeArgs {
    /// The port on 127.0.0.1; 0 lets the system choose.
    #[arg(long, default_value_t = API_PORT)]
    port: u16,
    /// A built user interface to serve instead of the one inside.
    #[arg(long, value_name = "DIR")]
    ui: Option<PathBuf>,
    /// Makes another token for the browser; the old one is no longer good.
    #[arg(long)]
    new_token: bool,
    #[command(flatten)]
    data: DataArg,
}

pub(crate) async fn serve(args: &ServeArgs) -> Result<End> {
    let ui = ui(args)?;
    let listener = bind(args.port).await.map_err(|error| {
        Usage(format!("port {} cannot be used ({error}); choose another with --port", args.port))
    })?;
    let port = listener.local_addr()?.port();
    let running = start(&args.data, Config::default())?;
    let now = jiff::Timestamp::now();
    let make_new = args.new_token;
    let made = running.engine.store().run(move |store| Ok(owner_token(store, make_new, now)));
    let served = async {
        match made.await?? {
            Some(token) => {
                println!("Open http://127.0.0.1:{port}/#token={}", token.reveal());
                println!(
                    "The token is shown this once; keep it, or make another with --new-token."
                );
            }
            None => println!("Open http://127.0.0.1:{port}/"),
        }
        let api = Api::open(running.engine.clone(), ui, Limits::default(), port)
            .await
            .context("the clients of the API cannot be read")?;
        let mut signal = Ok(());
        let end = async { signal = stopped().await };
        Server::new(listener, api).run(end).await;
        signal
    };
    let served = served.await;
    running.engine.shut_down().await;
    served.map(|()| End::Done)
}

fn ui(args: &ServeArgs) -> Result<Ui, Usage> {
    match &args.ui {
        Some(folder) if folder.join("index.html").is_file() => Ok(Ui::Folder(folder.clone())),
        Some(folder) => Err(Usage(format!("there is no index.html in {}", folder.display()))),
        None if BUILT_UI.is_empty() => Ok(Ui::Missing),
        None => Ok(Ui::Built(BUILT_UI)),
    }
}
