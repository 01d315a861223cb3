//! The clients of the documents, played: the sensor's request as its configuration says it, and
//! the shell script as it is.

use std::path::PathBuf;

use firstknock_api::{Limits, USUAL_BUDGET};

use crate::house::{House, client};
use crate::play::Play;

fn document(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

/// What stands behind `key: ` on the first line that has it.
fn value<'a>(yaml: &'a str, key: &str) -> Vec<&'a str> {
    let lines = yaml.lines().map(|line| line.trim().trim_start_matches("- "));
    lines.filter_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sensor_of_home_assistant_finds_what_its_configuration_names() {
    let yaml = std::fs::read_to_string(document("home-assistant.yaml")).expect("the document");
    let play = Play::begin(31).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = client(play.engine(), "Home Assistant", false, USUAL_BUDGET).await;

    let resource = value(&yaml, "resource")[0];
    let path = resource.strip_prefix("http://127.0.0.1:7433").expect("our own port");
    assert!(yaml.contains("Authorization: !secret firstknock_token"));
    let secret = yaml.split_once("firstknock_token: \"").expect("the secret's form").1;
    assert!(secret.starts_with("Bearer fk_"));
    let every: u64 = value(&yaml, "scan_interval")[0].parse().expect("seconds");
    let answer = house.get(path, &token).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let json = answer.json();
    let templates = value(&yaml, "value_template");
    assert_eq!(templates.len(), 2);
    for template in templates {
        let field = template.trim_matches(['"', '{', '}', ' ']).strip_prefix("value_json.");
        let field = &json[field.expect("a field of the answer")];
        assert!(field.is_number() || field.is_string(), "{template}: {json}");
    }
    let listed = yaml.split_once("json_attributes:\n").expect("attributes").1;
    let listed: Vec<_> = listed.lines().map_while(|l| l.trim().strip_prefix("- ")).collect();
    let attributes: Vec<_> = listed.iter().filter(|it| !it.contains(':')).collect();
    assert!(attributes.len() >= 5);
    for attribute in attributes {
        assert!(json.get(attribute).is_some(), "{attribute} in {json}");
    }
    assert!(json.as_object().expect("flat").values().all(|it| !it.is_object() && !it.is_array()));
    assert!(86_400 / every < u64::from(USUAL_BUDGET.per_day), "a day of it is within the budget");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shell_script_prints_what_nobody_has_looked_at() {
    let has_curl = std::process::Command::new("curl").arg("--version").output().is_ok();
    if !cfg!(unix) || !has_curl {
        println!("skipped: no curl");
        return;
    }
    let play = Play::begin(32).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let home = play.site().add_home();
    let minutes = std::time::Duration::from_secs(300);
    play.clock.until("the mail", minutes, || !play.mails().is_empty()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = client(play.engine(), "script", false, USUAL_BUDGET).await;
    let url = format!("http://127.0.0.1:{}", house.port);
    let run = |token: String| {
        let url = url.clone();
        tokio::task::spawn_blocking(move || {
            std::process::Command::new("sh")
                .arg(document("unread.sh"))
                .env("FIRSTKNOCK_TOKEN", token)
                .env("FIRSTKNOCK_URL", url)
                .output()
                .expect("sh runs")
        })
    };
    let out = run(token).await.expect("it ends");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains(&format!("-{}", home.id)), "{text}");
    let refused = run("fk_wrong".to_owned()).await.expect("it ends");
    assert!(!refused.status.success(), "a refusal is no empty list");
    house.close().await;
    play.end().await;
}
