//! The owner hears of a client that offended for the fifth time, before anything breaks for them.

use firstknock_monitor::store::PostKind;
use firstknock_monitor::{Engine, StoreError};
use firstknock_policy::lockout::Offence;
use serde_json::json;

/// An event for the app, and a notice through every channel that is on.
pub(super) async fn owner(
    engine: &Engine,
    client: &str,
    offence: Offence,
) -> Result<(), StoreError> {
    let now = engine.clock().now();
    let args = json!({
        "client": client,
        "offences": offence.number,
        "until": offence.until.as_millisecond(),
    });
    let posted = engine
        .store()
        .run(move |store| {
            store.note_event(super::CLIENT_LIMITED, None, None, &args, now)?;
            let channels = store.channels()?;
            let channels: Vec<_> = channels.into_iter().filter(|it| it.enabled).collect();
            for channel in &channels {
                store.post(&channel.channel, PostKind::Notice, None, Some(&args), now)?;
            }
            Ok(channels.len())
        })
        .await?;
    if posted > 0 {
        engine.ring();
    }
    Ok(())
}
