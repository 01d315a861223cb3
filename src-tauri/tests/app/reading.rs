//! The webview as a reader, in the real app.

use firstknock_rehearsal::Dice;
use firstknock_rehearsal::street::{Markup, Site, Wall};

use crate::app::{Driven, PATIENCE};
use crate::probe_site::ProbeSite;
use crate::stage::{Stage, until};

async fn site(markup: Markup) -> Site {
    Site::open("kamerplein", markup, Dice::new(11), 12).await.unwrap()
}

fn by_browser(site: &Site) -> usize {
    let page = |agent: &str| agent.contains("AppleWebKit");
    site.requests().iter().filter(|r| r.path.starts_with("/huren/") && page(&r.agent)).count()
}

#[tokio::test]
async fn a_page_that_only_scripts_fill_is_read_by_the_browser() {
    let stage = Stage::new();
    let site = site(Markup::Script).await;
    let app = Driven::start(&stage).await;
    let id = app.add_search(&site.plain_url("utrecht"), "auto").await;
    let row = app.row_in(id, &["ok"]).await;
    assert_eq!(row["state"]["listings"], 12, "{row:#}");
    assert_eq!(by_browser(&site), 1, "one page in the browser");
    app.end().await;
}

#[tokio::test]
async fn a_check_that_passes_by_itself_is_waited_out_within_the_same_check() {
    let stage = Stage::new();
    let site = site(Markup::Cards).await;
    site.wall(Some(Wall::ClearsAfter { ms: 4000 }));
    let app = Driven::start(&stage).await;
    let id = app.add_search(&site.plain_url("utrecht"), "auto").await;
    let row = app.row_in(id, &["ok", "blocked", "needs_you", "first_error"]).await;
    assert_eq!(row["state"]["kind"], "ok", "{row:#}");
    assert_eq!(row["state"]["listings"], 12);
    let checks = row["checks"].as_array().unwrap();
    assert!(!checks.iter().any(|mark| mark == "refused"), "a failure was recorded: {checks:?}");
    assert_eq!(app.host().await["state"]["kind"], "answers");

    // The session outlives the process: the next run's browser is let in at once.
    app.end().await;
    site.forget_requests();
    let app = Driven::start(&stage).await;
    app.call("check_now", serde_json::json!({ "id": id })).await;
    until("the next run reads the page", PATIENCE, async || (by_browser(&site) > 0).then_some(()))
        .await;
    let row = app.row_in(id, &["ok"]).await;
    assert_eq!(row["state"]["listings"], 12);
    let refused =
        site.requests().iter().filter(|r| r.status == 403 && r.agent.contains("Apple")).count();
    assert_eq!(refused, 0, "the browser had to pass the check again");
    app.end().await;
}

#[tokio::test]
async fn a_check_that_never_passes_is_a_challenge() {
    let stage = Stage::new();
    let site = site(Markup::Cards).await;
    site.wall(Some(Wall::Challenge));
    let app = Driven::start(&stage).await;
    let id = app.add_search(&site.plain_url("utrecht"), "browser").await;
    let row = app.row_in(id, &["ok", "blocked", "needs_you", "first_error"]).await;
    assert_eq!(row["state"]["kind"], "blocked", "{row:#}");
    assert_eq!(row["state"]["wall"], "challenge");
    app.end().await;
}

#[tokio::test]
async fn a_page_that_looks_for_the_apps_commands_finds_nothing() {
    let stage = Stage::new();
    let site = ProbeSite::open().await;
    let app = Driven::start(&stage).await;
    app.add_search(&site.url, "browser").await;
    let reports = until("the page reports", PATIENCE, async || {
        let reports = site.reports();
        reports.iter().any(|r| r.ends_with("drawn")).then_some(reports)
    })
    .await;
    assert!(reports.contains(&String::from("names:")), "{reports:?}");
    assert!(reports.contains(&String::from("handlers:")), "{reports:?}");
    assert!(reports.contains(&String::from("webdriver:false")), "{reports:?}");
    assert!(reports.contains(&String::from("size:1280x900 visible")), "{reports:?}");
    assert!(reports.contains(&String::from("drawn")), "{reports:?}");
    let reached = |r: &&String| r.starts_with("reached") || *r == "invoked" || r.contains("window");
    assert_eq!(reports.iter().find(reached), None, "{reports:?}");
    // Still alive, and still in its own page: `quit` was out of reach.
    app.call("get_about", serde_json::json!({})).await;
    app.end().await;
}
