//! The clients of the local API.

use firstknock_monitor::Engine;
use firstknock_monitor::clients::{Budget, ClientFacts, NoClient};

use super::{Host, store};
use crate::{ApiShown, ClientShown, EditClient, ErrorBody, ErrorCode, MadeClient, NewClient};

pub(super) async fn shown(engine: &Engine, host: Host) -> Result<ApiShown, ErrorBody> {
    let clients = engine.clients().await.map_err(store)?;
    Ok(ApiShown {
        state: host.api,
        can_switch: host.can_switch_api,
        clients: clients.into_iter().map(client).collect(),
    })
}

fn client(facts: ClientFacts) -> ClientShown {
    ClientShown {
        id: facts.id,
        name: facts.name,
        can_write: facts.can_write,
        per_minute: facts.budget.per_minute,
        per_day: facts.budget.per_day,
        spent_minute: facts.spent_minute,
        spent_day: facts.spent_day,
        seen_at: facts.used_at.map(|at| at.as_millisecond()),
        offences: facts.offences,
        locked_until: facts.locked_until.map(|at| at.as_millisecond()),
    }
}

pub(super) async fn add(engine: &Engine, new: NewClient) -> Result<MadeClient, ErrorBody> {
    let (id, token) =
        engine.add_client(&new.name, new.can_write).await.map_err(|error| match error {
            NoClient::Store(error) => store(error),
            NoClient::Dice(_) => ErrorBody::new(ErrorCode::Internal),
        })?;
    Ok(MadeClient { id, token: token.reveal().to_owned() })
}

pub(super) async fn edit(engine: &Engine, edit: EditClient) -> Result<(), ErrorBody> {
    let budget = Budget { per_minute: edit.per_minute, per_day: edit.per_day };
    engine.edit_client(edit.id, &edit.name, edit.can_write, budget).await.map_err(store)
}
