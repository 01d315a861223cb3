//! An HTTP server on loopback that answers as scripted and keeps what it was sent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What one request gets.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// Status line, headers and body.
    Say(&'static str, &'static str, &'static str),
    /// The request is read, then the connection is dropped.
    Drop,
}

/// One request as it came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: String,
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// The answers go to one request each, in order; the last one repeats.
    pub(crate) async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        let task = tokio::spawn(async move {
            for at in 0.. {
                let Ok((tcp, _)) = listener.accept().await else { return };
                let answer = answers.get(at).or(answers.last()).cloned().expect("an answer");
                serve(tcp, answer, &kept).await;
            }
        });
        Self { address, requests, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("requests").clone()
    }
}

async fn serve(mut tcp: TcpStream, answer: Answer, kept: &Mutex<Vec<Request>>) {
    let Some(request) = read(&mut tcp).await else { return };
    kept.lock().expect("requests").push(request);
    if let Answer::Say(status, headers, body) = answer {
        let length = body.len();
        let text = format!(
            "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
        );
        tcp.write_all(text.as_bytes()).await.expect("the answer is written");
        tcp.shutdown().await.ok();
    }
}

async fn read(tcp: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let head = loop {
        let mut chunk = [0; 4096];
        let read = tcp.read(&mut chunk).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&chunk[..read]);
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let length = text
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.trim().parse::<usize>().ok())
        .unwrap_or(0);
    while bytes.len() < head + 4 + length {
        let mut chunk = [0; 4096];
        let read = tcp.read(&mut chunk).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&chunk[..read]);
    }
    let (line, rest) = text.split_once("\r\n").unwrap_or((&text, ""));
    Some(Request {
        line: line.to_owned(),
        head: rest.to_ascii_lowercase(),
        body: String::from_utf8_lossy(&bytes[head + 4..]).into_owned(),
    })
}
