//! The description against the server: schemathesis makes requests from it, good and bad, and looks
//! for answers that it does not describe.

use std::path::PathBuf;
use std::time::Duration;

use firstknock_api::Limits;

use crate::house::{House, bearer, rich};
use crate::play::Play;

/// The tool of the tests' Python, if it is there.
fn schemathesis() -> Option<PathBuf> {
    let python = PathBuf::from(std::env::var_os("FIRSTKNOCK_TEST_PYTHON")?);
    Some(python.with_file_name("schemathesis")).filter(|tool| tool.is_file())
}

/// The description with addresses that lead somewhere, beside those that are made up.
fn with_addresses_of_the_street(play: &Play) -> String {
    let mut doc: serde_json::Value =
        serde_json::from_str(&firstknock_api::openapi_json()).expect("JSON");
    for name in ["SearchIn", "PreviewIn"] {
        let url = &mut doc["components"]["schemas"][name]["properties"]["url"];
        assert!(url.is_object(), "{name} has an address");
        url["example"] = play.site().search_url("leidseveer").into();
    }
    doc.to_string()
}

const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
     response_schema_conformance,negative_data_rejection,unsupported_method,ignored_auth";

#[tokio::test(flavor = "multi_thread")]
async fn no_request_from_the_description_breaks_the_server_or_gets_an_answer_that_is_not_in_it() {
    let Some(tool) = schemathesis() else {
        println!("skipped: no schemathesis (FIRSTKNOCK_TEST_PYTHON)");
        return;
    };
    let play = Play::begin(41).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    let folder = tempfile::tempdir().expect("a folder");
    let doc = folder.path().join("openapi.json");
    std::fs::write(&doc, with_addresses_of_the_street(&play)).expect("written");
    let here = folder.path().to_owned();
    let url = format!("http://127.0.0.1:{}", house.port);
    let out = tokio::task::spawn_blocking(move || {
        std::process::Command::new(tool)
            .arg("run")
            .arg(doc)
            .args(["--url", &url, "--header", &bearer(&token)])
            // The stream of events has no end.
            .args(["--exclude-operation-id", "stream_events"])
            .args(["--checks", CHECKS])
            .args(["--phases", "examples,coverage,fuzzing"])
            .args(["--max-examples", "20", "--seed", "1", "--no-color"])
            .current_dir(here)
            .output()
            .expect("it runs")
    });
    // Previews wait for the gap between two looks at a site, and for sites that wait: time flies.
    let time = async {
        loop {
            play.clock.advance(Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    let out = tokio::select! {
        out = out => out.expect("it ends"),
        () = time => unreachable!("it never ends"),
    };
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{said}\n{}", String::from_utf8_lossy(&out.stderr));
    assert!(said.contains("passed"), "{said}");
    let looked = play.site().requests();
    assert!(looked.iter().any(|it| it.path.contains("/huren/leidseveer")), "it got to the street");
    // What was added may have been deleted again; its number stays taken.
    assert!(play.add("leidseveer/2").await.0 > 2, "and added a search");
    house.close().await;
    play.end().await;
}
