//! The end of a channel's set-up: a real message, and the server's own words.

use firstknock_listing::catalogue::Language;
use firstknock_policy::delivery::Attempt;

use crate::render::{Context, outgoing};
use crate::{Alert, ChannelConfig, Deliver};

/// Sends the test message once and tells what came of it. "Sent" holds the server's own words
/// ("250 2.0.0 Ok: queued as …"): accepted, which is not yet delivered. What to do about anything
/// else is [`crate::hint()`].
pub async fn test_message(
    sender: &dyn Deliver,
    config: &ChannelConfig,
    context: &Context,
    language: Language,
) -> Attempt {
    let alert = Alert::test(language, context.now);
    let message = outgoing(config, &alert, context);
    let attempt = sender.deliver(&message).await;
    sender.rest().await;
    tracing::info!(channel = config.code(), came_to = attempt.code(), "test message");
    attempt
}
