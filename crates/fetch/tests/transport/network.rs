//! Names, addresses, certificates, proxies and HTTP/2, against real sockets on loopback.
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::site::{Site, acceptor, asking, client, config, failure, html, page, reply};
use firstknock_fetch::{Config, HttpFetch, ProxyChoice};
use firstknock_policy::Reason;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

fn named(name: &str, addresses: &[SocketAddr], roots: &[Vec<u8>]) -> HttpFetch {
    let config = Config {
        fixed_names: vec![(name.to_owned(), addresses.to_vec())],
        extra_roots: roots.to_vec(),
        ..config()
    };
    HttpFetch::new(config).unwrap()
}

fn at(scheme: &str, name: &str, port: u16) -> Url {
    format!("{scheme}://{name}:{port}/").parse().unwrap()
}

/// A port that nobody listens on.
async fn closed_port() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap()
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_dns_trouble() {
    let url = "http://no-such-name.invalid/".parse().unwrap();
    let failure = failure(&client(), &asking(url)).await;
    assert_eq!(failure.reason, Reason::Dns);
}

#[tokio::test]
async fn a_closed_port_is_no_connection() {
    let address = closed_port().await;
    let url = format!("http://{address}/rooms?token=secret").parse().unwrap();
    let failure = failure(&client(), &asking(url)).await;
    assert_eq!((failure.reason, failure.retried), (Reason::Connect, true));
    assert!(!failure.detail.contains("secret"), "a query in a log: {}", failure.detail);
}

/// Accepts connections and never says a word, as a broken IPv6 path does (hyper#1316).
async fn silent(address: &str) -> Option<SocketAddr> {
    let listener = TcpListener::bind(address).await.ok()?;
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    Some(address)
}

#[tokio::test]
async fn an_ipv6_address_that_hangs_after_it_accepts_is_left_for_ipv4() {
    let (site, root) = Site::tls("rooms.example", |_, _| html("by IPv4")).await;
    // Happy eyeballs can't help: TCP connects, and only TLS gets no answer.
    let Some(hole) = silent(&format!("[::1]:{}", site.address.port())).await else {
        eprintln!("no IPv6 here");
        return;
    };
    let client = named("rooms.example", &[hole, site.address], &[root]);
    let page = page(&client, at("https", "rooms.example", site.address.port())).await;
    assert_eq!((page.body.as_str(), page.retried), ("by IPv4", true));
}

#[tokio::test]
async fn an_ipv6_address_that_leads_nowhere_is_left_for_ipv4() {
    let site = Site::new(|_, _| html("by IPv4")).await;
    let port = site.address.port();
    // The documentation prefix: no route, or packets that vanish.
    let nowhere = SocketAddr::new(IpAddr::V6("2001:db8::1".parse::<Ipv6Addr>().unwrap()), port);
    let client = named("rooms.example", &[nowhere, site.address], &[]);
    assert_eq!(page(&client, at("http", "rooms.example", port)).await.body, "by IPv4");
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_is_refused_and_not_tried_again() {
    let (site, _) = Site::tls("rooms.example", |_, _| html("never read")).await;
    let client = named("rooms.example", &[site.address], &[]);
    let request = asking(at("https", "rooms.example", site.address.port()));
    let failure = failure(&client, &request).await;
    assert_eq!((failure.reason, failure.retried), (Reason::Certificate, false), "{failure:?}");
    assert!(failure.detail.contains("unknown issuer"), "{}", failure.detail);
    assert!(site.seen().is_empty(), "nothing is sent before the certificate is good");
}

#[tokio::test]
async fn a_certificate_of_another_name_is_refused() {
    let (site, root) = Site::tls("portal.example", |_, _| html("never read")).await;
    let client = named("rooms.example", &[site.address], &[root]);
    let request = asking(at("https", "rooms.example", site.address.port()));
    let failure = failure(&client, &request).await;
    assert_eq!(failure.reason, Reason::Certificate);
    assert!(failure.detail.contains("another name"), "{}", failure.detail);
}

#[tokio::test]
async fn a_proxy_that_wants_a_login_is_the_proxys_trouble_and_not_the_sites() {
    let proxy = Site::new(|_, _| {
        reply("407 Proxy Authentication Required", &["proxy-authenticate: Basic"], "who are you?")
    })
    .await;
    let config = Config { proxy: ProxyChoice::At(proxy.url("/")), ..config() };
    let client = HttpFetch::new(config).unwrap();
    let tunnel = failure(&client, &asking("https://rooms.example/".parse().unwrap())).await;
    assert_eq!(tunnel.reason, Reason::Proxy, "{tunnel:?}");
    let plain = page(&client, "http://rooms.example/".parse().unwrap()).await;
    assert_eq!(plain.status, Some(407));
    assert!(proxy.seen()[0].starts_with("CONNECT rooms.example:443"));
    assert!(proxy.seen()[1].starts_with("GET http://rooms.example/"));
}

/// Run by the next test in a process of its own: this one's environment is everybody's.
#[tokio::test]
#[ignore = "needs an environment with a proxy"]
async fn ask_through_the_proxy_of_the_environment() {
    let client = HttpFetch::new(Config { proxy: ProxyChoice::System, ..config() }).unwrap();
    let page = page(&client, "http://rooms.example/".parse().unwrap()).await;
    assert_eq!(page.body, "by proxy");
}

#[tokio::test]
async fn the_proxy_of_the_environment_is_honoured() {
    let proxy = Site::new(|_, _| html("by proxy")).await;
    let child = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "network::ask_through_the_proxy_of_the_environment"])
        .env("http_proxy", proxy.url("/").as_str())
        .env_remove("no_proxy")
        .env_remove("NO_PROXY")
        .output()
        .await
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    assert!(proxy.seen()[0].starts_with("GET http://rooms.example/ "), "{:?}", proxy.seen());
}

#[tokio::test]
async fn http2_is_spoken_where_the_site_offers_it_and_one_connection_serves_all() {
    let (acceptor, root) = acceptor("rooms.example", &[b"h2", b"http/1.1"]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            let acceptor = acceptor.clone();
            tokio::spawn(async move { serve_http2(acceptor.accept(stream).await.unwrap()).await });
        }
    });
    let client = named("rooms.example", &[address], &[root]);
    for _ in 0..3 {
        let page = page(&client, at("https", "rooms.example", address.port())).await;
        assert_eq!(page.body, "over h2");
    }
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

async fn serve_http2(stream: tokio_rustls::server::TlsStream<TcpStream>) {
    let mut connection = h2::server::handshake(stream).await.unwrap();
    while let Some(Ok((_, mut respond))) = connection.accept().await {
        let head = http::Response::builder().header("content-type", "text/html").body(()).unwrap();
        let mut body = respond.send_response(head, false).unwrap();
        body.send_data(bytes::Bytes::from_static(b"over h2"), true).unwrap();
    }
}

/// SETTINGS, its acknowledgement, and GOAWAY with NO_ERROR and last stream 0: "ask again".
const GOAWAY: &[u8] = &[
    0, 0, 0, 4, 0, 0, 0, 0, 0, // SETTINGS
    0, 0, 0, 4, 1, 0, 0, 0, 0, // SETTINGS, acknowledged
    0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // GOAWAY
];

#[tokio::test]
async fn goaway_is_answered_by_one_silent_retry_and_only_one() {
    for (goaways, works) in [(1, true), (9, false)] {
        let (acceptor, root) = acceptor("rooms.example", &[b"h2"]);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let number = counted.fetch_add(1, Ordering::SeqCst);
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let mut stream = acceptor.accept(stream).await.unwrap();
                    if number >= goaways {
                        return serve_http2(stream).await;
                    }
                    let mut asked = [0; 1024];
                    let read = stream.read(&mut asked).await.unwrap();
                    assert!(read > 0);
                    stream.write_all(GOAWAY).await.unwrap();
                    let _closed = stream.shutdown().await;
                });
            }
        });
        let client = named("rooms.example", &[address], &[root]);
        let url = at("https", "rooms.example", address.port());
        if works {
            let page = page(&client, url).await;
            assert_eq!((page.body.as_str(), page.retried), ("over h2", true));
        } else {
            let failure = failure(&client, &asking(url)).await;
            assert_eq!((failure.reason, failure.retried), (Reason::Network, true), "{failure:?}");
        }
        assert_eq!(connections.load(Ordering::SeqCst), 2);
    }
}

/// A proxy of our own that delays every byte, or drops the connection after some.
async fn bad_line(to: SocketAddr, delay: Duration, drop_after: Option<u64>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            tokio::spawn(async move {
                tokio::time::sleep(delay).await;
                let mut far = TcpStream::connect(to).await.unwrap();
                let Some(limit) = drop_after else {
                    let _copied = copy_bidirectional(&mut near, &mut far).await;
                    return;
                };
                let (mut near_in, mut near_out) = near.split();
                let (far_in, mut far_out) = far.split();
                let mut limited = far_in.take(limit);
                tokio::select! {
                    _ = tokio::io::copy(&mut near_in, &mut far_out) => {}
                    _ = tokio::io::copy(&mut limited, &mut near_out) => {}
                }
            });
        }
    });
    address
}

#[tokio::test]
async fn a_slow_line_is_waited_for_and_a_slower_one_ends_at_the_deadline() {
    let site = Site::new(|_, _| html("slow but whole")).await;
    let line = bad_line(site.address, Duration::from_millis(150), None).await;
    let url: Url = format!("http://{line}/").parse().unwrap();
    assert_eq!(page(&client(), url.clone()).await.body, "slow but whole");
    let mut hasty = asking(url);
    hasty.deadline = Duration::from_millis(100);
    assert_eq!(failure(&client(), &hasty).await.reason, Reason::Timeout);
}

#[tokio::test]
async fn a_line_that_drops_halfway_is_truncated() {
    let site = Site::new(|_, _| html("x".repeat(100_000))).await;
    let line = bad_line(site.address, Duration::ZERO, Some(5_000)).await;
    let url: Url = format!("http://{line}/").parse().unwrap();
    let failure = failure(&client(), &asking(url)).await;
    assert_eq!((failure.reason, failure.retried), (Reason::Truncated, true));
    assert_eq!(site.seen().len(), 2);
}

#[tokio::test]
async fn a_request_that_is_given_up_is_cancelled() {
    let site = Site::new(|_, _| crate::site::raw("", crate::site::Then::Hang)).await;
    let client = client();
    let request = asking(site.url("/"));
    let fetch = firstknock_fetch::Fetch::fetch(&client, &request);
    assert!(tokio::time::timeout(Duration::from_millis(100), fetch).await.is_err());
}
