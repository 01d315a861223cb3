//! Photos: read when wanted, kept, and never in anybody's way.

use std::time::Duration;

use firstknock_listing::ListingId;
use firstknock_monitor::store::{ListingFilter, ListingSort};
use firstknock_monitor::{Photo, PhotoKey, Preview};
use firstknock_rehearsal::street::{Photos, Wall};
use firstknock_schedule::RowState;

use crate::play::{Play, decoded};

const MINUTE: Duration = Duration::from_secs(60);

/// A search that saw its first page, and the keys of what is on it.
async fn settled(seed: u64) -> (Play, Vec<PhotoKey>) {
    let play = Play::begin(seed).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let keys = keys(&play).await;
    assert_eq!(keys.len(), 12);
    (play, keys)
}

/// Of all listings, newest first.
async fn keys(play: &Play) -> Vec<PhotoKey> {
    let filter = ListingFilter::default();
    let read = move |store: &mut firstknock_monitor::store::Store| {
        store.list_listings(&filter, ListingSort::Newest, None, 50)
    };
    let page = play.engine().store().run(read).await.expect("listings");
    let key = |id: ListingId, image: &str| PhotoKey::of(Some(id), image);
    page.rows
        .iter()
        .map(|row| key(row.id, row.listing.image.as_deref().expect("a photo's address")))
        .collect()
}

async fn set(play: &Play, photos: bool, mail_photo: bool) {
    let now = play.now();
    let settings = serde_json::json!({ "photos": photos, "mail_photo": mail_photo });
    let kept = play.engine().store().run(move |store| store.set_setting("app", &settings, now));
    kept.await.expect("kept");
}

async fn photo(play: &Play, key: &PhotoKey) -> Photo {
    play.engine().photo(key.clone()).await.expect("a store")
}

fn asked(play: &Play) -> usize {
    play.site().requests().iter().filter(|r| r.path.starts_with("/foto/")).count()
}

/// Lets the clock go on until the site was asked for so many photos, then gives them real time to
/// be drawn. Gives what became of the one.
async fn arrived(play: &Play, key: &PhotoKey, photos: usize) -> Photo {
    for _ in 0..4000 {
        if asked(play) < photos {
            play.clock.advance(Duration::from_millis(250));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
        let there = photo(play, key).await;
        if there != Photo::Later {
            return there;
        }
    }
    panic!("the photo neither came nor failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_photo_is_read_once_for_all_who_want_it_and_kept_over_a_restart() {
    let (play, keys) = settled(31).await;
    assert_eq!(asked(&play), 0, "nobody wanted to see one");
    for _ in 0..3 {
        assert_eq!(photo(&play, &keys[0]).await, Photo::Later);
    }
    let Photo::Here(jpeg) = arrived(&play, &keys[0], 1).await else { panic!("a photo") };
    assert!(jpeg.starts_with(&[0xff, 0xd8]) && jpeg.len() < 40_000, "{} bytes", jpeg.len());
    let mark = keys[0].to_string();
    let mark = mark.split('-').next_back().expect("a mark").to_owned();
    play.clock
        .until("the board says so", MINUTE, || {
            play.engine().board().borrow().facts.photos.contains(&mark)
        })
        .await;
    let request = play.site().requests().into_iter().find(|r| r.path.starts_with("/foto/"));
    let headers = request.expect("it was asked").headers;
    assert!(
        headers.iter().all(|(name, _)| name != "cookie" && name != "referer"),
        "a photo is asked for like by anybody: {headers:?}"
    );
    let play = play.restart().await;
    assert_eq!(photo(&play, &keys[0]).await, Photo::Here(jpeg));
    play.pass(MINUTE).await;
    assert_eq!(asked(&play), 1, "once");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_looked_at_now_comes_first_from_the_top() {
    let (play, keys) = settled(40).await;
    let want = async |some: &[PhotoKey]| {
        for key in some {
            assert_eq!(photo(&play, key).await, Photo::Later);
        }
    };
    // While nothing may go out, somebody scrolls from the first three on to the next three.
    play.engine().stop().await;
    want(&keys[..3]).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    play.clock.advance(Duration::from_secs(1));
    want(&keys[3..6]).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    play.engine().start().await;
    // The clock stands still while one is drawn.
    let came = || play.engine().board().borrow().facts.photos.len();
    for _ in 0..10_000 {
        if came() == 6 {
            break;
        }
        if came() == asked(&play) {
            play.clock.advance(Duration::from_millis(250));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let requests = play.site().requests();
    let asked: Vec<_> = requests.iter().filter(|r| r.path.starts_with("/foto/")).collect();
    let homes = play.site().homes();
    let at = |path: &str| homes.iter().position(|home| path.contains(&home.id.to_string()));
    let order: Vec<_> = asked.iter().filter_map(|r| at(&r.path)).collect();
    assert_eq!(order, [3, 4, 5, 0, 1, 2]);
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn photos_that_are_off_are_asked_by_nobody() {
    let (play, keys) = settled(32).await;
    set(&play, false, true).await;
    for key in &keys {
        assert_eq!(photo(&play, key).await, Photo::None);
    }
    play.site().add_home();
    play.clock.until("the mail", 5 * MINUTE, || !play.mails().is_empty()).await;
    play.pass(MINUTE).await;
    assert_eq!(asked(&play), 0);
    assert!(!play.mails()[0].contains("image/jpeg"), "nor does a mail");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_photos_that_stood_in_a_listing_are_asked_for() {
    let (play, keys) = settled(33).await;
    let foreign = PhotoKey::of(Some(ListingId(1)), "http://grachtenhuur.localhost/elsewhere.jpg");
    let of_a_preview = PhotoKey::of(None, "http://grachtenhuur.localhost/elsewhere.jpg");
    let of_nobody = PhotoKey::of(Some(ListingId(4711)), "http://grachtenhuur.localhost/1.jpg");
    for key in [foreign, of_a_preview, of_nobody] {
        assert_eq!(photo(&play, &key).await, Photo::None, "{key}");
    }
    play.pass(MINUTE).await;
    assert_eq!(asked(&play), 0);
    assert_eq!(photo(&play, &keys[3]).await, Photo::Later, "a listing's own is");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_shows_photos_before_anything_is_stored() {
    let play = Play::begin(41).await;
    let url = play.site().search_url("waterveen");
    let Preview::Found(read) = play.engine().preview(&url, None).await else { panic!("a list") };
    let image = read.extraction.listings[0].image.as_deref().expect("a photo's address");
    let key = PhotoKey::of(None, image);
    assert_eq!(photo(&play, &key).await, Photo::Later);
    assert!(matches!(arrived(&play, &key, 1).await, Photo::Here(_)));
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_photo_is_asked_for_once() {
    let (play, keys) = settled(34).await;
    let kind = |kind: &str| vec![("content-type", kind.to_owned())];
    let bomb = {
        let mut png =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x02\0\0\0".to_vec();
        png.extend([0; 64]);
        png
    };
    let mut svg = Vec::from(&b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..]);
    svg.resize(500, b' ');
    let others = [
        ("404", 404, kind("text/html"), b"no".to_vec()),
        ("a page", 200, kind("text/html"), b"<html><body><p>no</p></body></html>".to_vec()),
        ("an SVG", 200, kind("image/svg+xml"), svg.clone()),
        ("an SVG that says JPEG", 200, kind("image/jpeg"), svg),
        ("a bomb", 200, kind("image/png"), bomb),
        ("4 MB", 200, kind("image/jpeg"), vec![0xff; 4 * 1024 * 1024]),
        ("a way out", 302, vec![("location", "file:///etc/hostname".to_owned())], Vec::new()),
    ];
    for (at, (what, status, headers, body)) in others.into_iter().enumerate() {
        play.site().photos(Photos::Other { status, headers, body });
        assert_eq!(photo(&play, &keys[at]).await, Photo::Later, "{what}");
        assert_eq!(arrived(&play, &keys[at], at + 1).await, Photo::None, "{what}");
    }
    play.site().photos(Photos::Drawn);
    let play = play.restart().await;
    play.pass(10 * MINUTE).await;
    for key in &keys[..7] {
        assert_eq!(photo(&play, key).await, Photo::None, "remembered");
    }
    play.pass(MINUTE).await;
    assert_eq!(asked(&play), 7, "each once");
    assert!(matches!(play.rows()[0].state, RowState::Ok { .. }), "{:?}", play.rows()[0].state);
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wall_before_the_photos_ends_them_for_an_hour_and_no_search_notices() {
    let (play, keys) = settled(35).await;
    play.site().photos(Photos::Other { status: 403, headers: Vec::new(), body: Vec::new() });
    assert_eq!(photo(&play, &keys[0]).await, Photo::Later);
    assert_eq!(arrived(&play, &keys[0], 1).await, Photo::None);
    play.site().photos(Photos::Drawn);
    for _ in 0..5 {
        for key in &keys[1..] {
            assert_eq!(photo(&play, key).await, Photo::Later);
        }
        play.pass(10 * MINUTE).await;
    }
    assert_eq!(asked(&play), 1, "none of the others within the hour");
    let row = &play.rows()[0];
    assert!(matches!(row.state, RowState::Ok { .. }), "{:?}", row.state);
    play.pass(15 * MINUTE).await;
    assert_eq!(photo(&play, &keys[1]).await, Photo::Later);
    assert!(matches!(arrived(&play, &keys[1], 2).await, Photo::Here(_)), "and then again");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_refuses_its_pages_is_asked_for_no_photo() {
    let (play, keys) = settled(36).await;
    play.site().wall(Some(Wall::Challenge));
    play.clock
        .until("the wall", 5 * MINUTE, || {
            play.rows().iter().any(|r| matches!(r.state, RowState::Blocked { .. }))
        })
        .await;
    for key in &keys {
        assert_eq!(photo(&play, key).await, Photo::Later);
    }
    play.pass(MINUTE / 2).await;
    assert_eq!(asked(&play), 0);
    play.end().await;
}

/// Adds a home and lets the clock go on in small steps until its photo was asked for (or not
/// within the time), then gives real time until the mail is there.
async fn mail_of_a_new_home(play: &Play, hold_for_photo: bool) -> String {
    play.site().add_home();
    for _ in 0..20_000 {
        if let Some(mail) = play.mails().pop() {
            return mail;
        }
        if asked(play) == 0 || !hold_for_photo {
            play.clock.advance(Duration::from_millis(100));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("no mail");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_takes_one_photo_along_where_that_is_wanted() {
    let (play, _) = settled(37).await;
    set(&play, true, true).await;
    let mail = mail_of_a_new_home(&play, true).await;
    assert!(mail.contains("multipart/related") && mail.contains("Content-ID: <photo>"), "{mail}");
    assert!(decoded(&mail).contains("src=\"cid:photo\""), "it is shown");
    assert!(!decoded(&mail).contains("/foto/"), "nothing is loaded from the site");
    assert!(mail.len() < 200_000, "{} bytes", mail.len());
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_photo_makes_neither_mail_nor_check_late() {
    let (play, _) = settled(38).await;
    set(&play, true, true).await;
    play.site().photos(Photos::Slow { ms: 3_600_000 });
    let mail = mail_of_a_new_home(&play, false).await;
    assert!(!mail.contains("Content-ID: <photo>"), "it went without");
    assert_eq!(asked(&play), 1, "the photo was asked for");
    let found = play.engine().store().run(|store| store.deliveries(1)).await.expect("a store");
    let sent = found[0].done_at.expect("it is sent");
    let late = Duration::try_from(sent.duration_since(found[0].created_at)).expect("after");
    assert!(late < Duration::from_secs(7), "four seconds of waiting, not {late:?}");
    // The page is looked at all the same, as often as ever.
    play.site().forget_requests();
    play.pass(10 * MINUTE).await;
    let checks = play.site().requests().iter().filter(|r| r.path.starts_with("/huren/")).count();
    assert!((5..=8).contains(&checks), "{checks} checks in ten minutes");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_has_no_photo_unless_it_is_wanted() {
    let (play, _) = settled(39).await;
    let mail = mail_of_a_new_home(&play, false).await;
    assert!(!mail.contains("Content-ID: <photo>"));
    play.pass(MINUTE).await;
    assert_eq!(asked(&play), 0, "and nothing is asked");
    play.end().await;
}
