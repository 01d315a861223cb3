//! `knock clients`: who may call the local API. It works beside a running `knock serve`, which
//! takes changes over within a few seconds.

use anyhow::{Context, Result};
use firstknock_api::{Budget, OWNER_KEY, USUAL_BUDGET, add_client};
use firstknock_monitor::DataFolder;
use firstknock_monitor::clients::ClientFacts;
use firstknock_monitor::store::{Client, Store};
use jiff::Timestamp;

use crate::start::{DataArg, lock};
use crate::{End, Usage};

#[derive(clap::Args)]
pub(crate) struct ClientsArgs {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    data: DataArg,
}

#[derive(clap::Subcommand)]
enum What {
    /// Makes a client and shows its token, once.
    Add {
        /// What to call it.
        name: String,
        /// It may change things, too.
        #[arg(long)]
        write: bool,
        /// Units of cost within any 60 s.
        #[arg(long, value_name = "UNITS", default_value_t = USUAL_BUDGET.per_minute)]
        per_minute: u32,
        /// Units of cost within any 24 h.
        #[arg(long, value_name = "UNITS", default_value_t = USUAL_BUDGET.per_day)]
        per_day: u32,
    },
    /// Lists the clients.
    List,
    /// Makes a client's token worthless.
    Revoke {
        /// The number that `knock clients list` shows.
        id: i64,
    },
    /// Ends a client's lock and begins its budgets anew; its offences stay.
    LetIn {
        /// The number that `knock clients list` shows.
        id: i64,
    },
    /// Sets what a client may spend; what it has spent and its offences stay.
    Budget {
        /// The number that `knock clients list` shows.
        id: i64,
        /// Units of cost within any 60 s.
        #[arg(long, value_name = "UNITS")]
        per_minute: Option<u32>,
        /// Units of cost within any 24 h.
        #[arg(long, value_name = "UNITS")]
        per_day: Option<u32>,
    },
}

pub(crate) fn run(args: &ClientsArgs) -> Result<End> {
    let folder = DataFolder::choose(args.data.data.as_deref()).map_err(|e| Usage(e.to_string()))?;
    // A running `knock serve` holds the lock; the rows of clients may be changed beside it.
    let held = lock(&folder);
    let now = Timestamp::now();
    let (mut store, _) = Store::open(folder.path(), now)
        .with_context(|| format!("the data in {} cannot be used", folder.path().display()))?;
    match &args.what {
        What::Add { name, write, per_minute, per_day } => {
            let budget = Budget { per_minute: *per_minute, per_day: *per_day };
            let (id, token) = add_client(&mut store, name, *write, budget, now)?;
            eprintln!("Client {id}, \"{name}\". Its token, shown this once:");
            println!("{}", token.reveal());
        }
        What::List => {
            let owner = store.setting::<i64>(OWNER_KEY)?;
            for client in store.clients()? {
                println!("{}", line(&client, owner, now));
            }
        }
        What::Revoke { id } => {
            existing(&store, *id)?;
            store.revoke_client(*id, now)?;
        }
        What::LetIn { id } => {
            existing(&store, *id)?;
            store.let_client_in(*id, now)?;
        }
        What::Budget { id, per_minute, per_day } => {
            let client = existing(&store, *id)?;
            let budget =
                (per_minute.unwrap_or(client.per_minute), per_day.unwrap_or(client.per_day));
            store.edit_client(*id, &client.name, client.can_write, budget)?;
        }
    }
    drop(held);
    Ok(End::Done)
}

fn existing(store: &Store, id: i64) -> Result<Client> {
    let missing = || Usage(format!("there is no client {id}; `knock clients list` shows them"));
    Ok(store.client(id)?.ok_or_else(missing)?)
}

fn line(client: &Client, owner: Option<i64>, now: Timestamp) -> String {
    let facts = ClientFacts::of(client, now);
    let scope = match (owner == Some(client.id), client.can_write) {
        (true, _) => "owner",
        (false, true) => "read, write",
        (false, false) => "read",
    };
    let used = facts.used_at.map_or_else(|| "never".to_owned(), |at| at.to_string());
    let more = if client.revoked_at.is_some() {
        ", revoked".to_owned()
    } else {
        let locked = facts.locked_until.map(|until| format!(", locked out until {until}"));
        format!("; {} offences{}", facts.offences, locked.unwrap_or_default())
    };
    format!(
        "{}  {}  ({scope}; {} of {} a minute, {} of {} a day; last used {used}{more})",
        facts.id,
        facts.name,
        facts.spent_minute,
        facts.budget.per_minute,
        facts.spent_day,
        facts.budget.per_day,
    )
}
