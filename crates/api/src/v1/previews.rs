//! What a pasted address turns out to be.

use axum::Json;
use axum::extract::State;
use firstknock_ipc::{Command, Pasted, Preview, serve};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asked::Sent;
use super::listings::CardOut;
use super::word;
use crate::app::Api;
use crate::problem::Problem;

/// An address to look at.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreviewIn {
    url: String,
    /// Which set of cards, where an earlier preview was unsure.
    #[schema(minimum = 0, maximum = 4294967295u32)]
    choice: Option<u32>,
}

/// What is there.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PreviewOut {
    /// `found`, or `unsure`: then `choice` says which of `lists` is meant.
    outcome: String,
    /// What to call it.
    name: String,
    /// Listings on the page.
    count: u32,
    /// The first of them.
    sample: Vec<CardOut>,
    /// Sets of cards to choose from, where it is unsure.
    lists: Vec<ListOut>,
    took_ms: i64,
}

/// A set of cards.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListOut {
    choice: u32,
    count: u32,
    sample: Vec<CardOut>,
}

/// Looks at a page once, through the plan like everything that asks a site.
#[utoipa::path(post, path = "/previews", operation_id = "preview_page", request_body = PreviewIn, responses((status = 200, body = PreviewOut), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn preview(
    State(api): State<Api>,
    Sent(asked): Sent<PreviewIn>,
) -> Result<Json<PreviewOut>, Problem> {
    Ok(Json(match look(&api, &asked.url, asked.choice).await? {
        Preview::Found(found) => PreviewOut {
            outcome: "found".to_owned(),
            name: found.name,
            count: found.count,
            sample: found.sample.into_iter().map(CardOut::from).collect(),
            lists: Vec::new(),
            took_ms: found.took_ms,
        },
        Preview::Unsure { name, took_ms, lists } => PreviewOut {
            outcome: "unsure".to_owned(),
            name,
            count: 0,
            sample: Vec::new(),
            lists: lists
                .into_iter()
                .map(|list| ListOut {
                    choice: list.index,
                    count: list.count,
                    sample: list.sample.into_iter().map(CardOut::from).collect(),
                })
                .collect(),
            took_ms,
        },
        Preview::Refused { why } => return Err(refused(&why)),
    }))
}

/// The name of a page that is a list; an honest empty page is one, too.
pub(super) async fn must_be_a_list(
    api: &Api,
    url: &str,
    choice: Option<u32>,
) -> Result<String, Problem> {
    match look(api, url, choice).await? {
        Preview::Found(found) => Ok(found.name),
        Preview::Unsure { name, .. } if choice.is_some() => Ok(name),
        Preview::Unsure { .. } => Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "preview_unsure",
            "There are several lists on the page; a preview shows them, `choice` says which.",
        )),
        Preview::Refused { why: firstknock_ipc::PreviewRefusal::NoList { empty: true } } => {
            Ok(String::new())
        }
        Preview::Refused { why } => Err(refused(&why)),
    }
}

async fn look(api: &Api, url: &str, choice: Option<u32>) -> Result<Preview, Problem> {
    let pasted = Pasted { url: url.to_owned(), choice };
    let reply = serve(&api.engine, api.host(), Command::Preview(pasted)).await?;
    serde_json::from_value(reply)
        .map_err(|_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "We broke."))
}

fn refused(why: &firstknock_ipc::PreviewRefusal) -> Problem {
    let mut problem = Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        &format!("preview_{}", word(why)),
        "This page cannot be saved as a search as it is.",
    );
    if let Ok(serde_json::Value::Object(facts)) = serde_json::to_value(why) {
        for (name, value) in facts.into_iter().filter(|(name, _)| name != "kind") {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            problem = problem.with(&name, text);
        }
    }
    problem
}
