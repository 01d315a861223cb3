//! Previews that end otherwise than with an answer: nothing stays shut behind them.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use firstknock_rehearsal::street::Wall;
use firstknock_schedule::RowState;

use crate::play::{BROKEN, Play};

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_remembered_when_whoever_asked_is_gone() {
    let play = Play::begin(61).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().wall(Some(Wall::RateLimited { retry_after: Some("600".into()) }));
    play.site().forget_requests();

    let url = play.site().search_url("elsewhere");
    {
        let mut preview = pin!(play.engine().preview(&url, None));
        while play.site().requests().is_empty() {
            let asked = preview.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(asked.is_pending(), "it is looked at before its answer comes");
            play.clock.advance(Duration::from_millis(250));
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        // The tab is closed here.
    }
    let blocked = || matches!(play.rows()[0].state, RowState::Blocked { .. });
    for _ in 0..500 {
        if blocked() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(blocked(), "{:?}", play.rows()[0].state);
    assert_eq!(play.site().requests().len(), 1);
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_that_breaks_leaves_its_host_free() {
    let play = Play::begin(62).await;
    let url = format!("https://{BROKEN}/rent");
    for _ in 0..2 {
        let (engine, url) = (play.engine().clone(), url.clone());
        let preview = tokio::spawn(async move { engine.preview(&url, None).await });
        let advance = async {
            loop {
                play.clock.advance(Duration::from_millis(250));
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        let preview = tokio::select! { preview = preview => preview, () = advance => return };
        // Not "before this time we do not ask", which the second would be told if the first stayed.
        assert!(preview.as_ref().is_err_and(|broke| broke.is_panic()), "{preview:?}");
    }
    play.end().await;
}
