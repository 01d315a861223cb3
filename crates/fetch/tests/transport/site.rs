//! Real servers on loopback that misbehave on demand. Nothing but sockets.
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use firstknock_fetch::{
    Config, Failure, Fetch, Fetched, HttpFetch, ProxyChoice, Request, Response,
};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;

/// What the server does with one request.
pub(crate) struct Reply {
    pub(crate) bytes: Vec<u8>,
    pub(crate) then: Then,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// Waits for the next request on this connection.
    KeepOpen,
    /// Closes the connection.
    Close,
    /// Says nothing more and keeps the connection.
    Hang,
    /// Repeats the bytes from here on for ever.
    RepeatFrom(usize),
}

/// A server and what it saw.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
}

type Answer = dyn Fn(usize, &str) -> Reply + Send + Sync;

impl Site {
    /// Answers requests by their number (from 0) and head.
    pub(crate) async fn new(answer: impl Fn(usize, &str) -> Reply + Send + Sync + 'static) -> Self {
        Self::on("127.0.0.1:0", answer).await
    }

    pub(crate) async fn on(
        address: &str,
        answer: impl Fn(usize, &str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let site = Self::empty(listener.local_addr().unwrap());
        let (seen, connections) = (Arc::clone(&site.seen), Arc::clone(&site.connections));
        let answer: Arc<Answer> = Arc::new(answer);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, Arc::clone(&answer), Arc::clone(&seen)));
            }
        });
        site
    }

    /// The same behind TLS with a self-made certificate for `name`.
    pub(crate) async fn tls(
        name: &str,
        answer: impl Fn(usize, &str) -> Reply + Send + Sync + 'static,
    ) -> (Self, Vec<u8>) {
        let (acceptor, der) = acceptor(name, &[b"http/1.1"]);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let site = Self::empty(listener.local_addr().unwrap());
        let (seen, connections) = (Arc::clone(&site.seen), Arc::clone(&site.connections));
        let answer: Arc<Answer> = Arc::new(answer);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                let (acceptor, answer, seen) =
                    (acceptor.clone(), Arc::clone(&answer), Arc::clone(&seen));
                tokio::spawn(async move {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        serve(stream, answer, seen).await;
                    }
                });
            }
        });
        (site, der)
    }

    fn empty(address: SocketAddr) -> Self {
        Self { address, seen: Arc::default(), connections: Arc::default() }
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        format!("http://{}{path}", self.address).parse().unwrap()
    }

    /// The heads of all requests so far.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    answer: Arc<Answer>,
    seen: Arc<Mutex<Vec<String>>>,
) {
    while let Some(head) = read_head(&mut stream).await {
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push(head.clone());
            seen.len() - 1
        };
        let reply = answer(number, &head);
        if stream.write_all(&reply.bytes).await.is_err() {
            return;
        }
        match reply.then {
            Then::KeepOpen => {}
            Then::Close => {
                let _closed = stream.shutdown().await;
                return;
            }
            Then::Hang => tokio::time::sleep(Duration::from_secs(3600)).await,
            Then::RepeatFrom(from) => {
                while stream.write_all(&reply.bytes[from..]).await.is_ok() {}
                return;
            }
        }
    }
}

pub(crate) async fn read_head<S: AsyncRead + Unpin>(stream: &mut S) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).await.ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    Some(String::from_utf8_lossy(&head).into_owned())
}

/// A TLS acceptor with a fresh certificate, and that certificate.
pub(crate) fn acceptor(name: &str, protocols: &[&[u8]]) -> (tokio_rustls::TlsAcceptor, Vec<u8>) {
    firstknock_fetch::install_crypto();
    let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    let der = made.cert.der().to_vec();
    let key = made.signing_key.serialize_der().try_into().unwrap();
    let mut config = rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    (tokio_rustls::TlsAcceptor::from(Arc::new(config)), der)
}

/// A whole answer with a length.
pub(crate) fn reply(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    let mut bytes = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n", body.len());
    for header in headers {
        bytes.push_str(header);
        bytes.push_str("\r\n");
    }
    bytes.push_str("\r\n");
    let mut bytes = bytes.into_bytes();
    bytes.extend_from_slice(body);
    Reply { bytes, then: Then::KeepOpen }
}

pub(crate) fn html(body: impl AsRef<[u8]>) -> Reply {
    reply("200 OK", &["content-type: text/html"], body)
}

pub(crate) fn raw(bytes: impl AsRef<[u8]>, then: Then) -> Reply {
    Reply { bytes: bytes.as_ref().to_vec(), then }
}

pub(crate) fn config() -> Config {
    Config {
        proxy: ProxyChoice::Direct,
        connect_deadline: Duration::from_millis(700),
        longest_pause: Duration::from_millis(20),
        ..Config::default()
    }
}

pub(crate) fn client() -> HttpFetch {
    HttpFetch::new(config()).unwrap()
}

pub(crate) fn asking(url: Url) -> Request {
    Request { deadline: Duration::from_secs(5), ..Request::new(url) }
}

pub(crate) async fn page(client: &HttpFetch, url: Url) -> Response {
    match client.fetch(&asking(url)).await {
        Fetched::Page(page) => page,
        other => panic!("no page: {other:?}"),
    }
}

pub(crate) async fn failure(client: &HttpFetch, request: &Request) -> Failure {
    match client.fetch(request).await {
        Fetched::Failed(failure) => failure,
        other => panic!("no failure: {other:?}"),
    }
}
