//! A mail server on loopback that behaves as scripted: every fault at every step.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::CertificateDer;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::certificate::Certificate;

/// Where the conversation stands when the script is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum At {
    Greeting,
    Ehlo,
    StartTls,
    Auth,
    /// The client's answer to a 334.
    AuthAnswer,
    Mail,
    Rcpt,
    Data,
    /// The first line of the message has arrived.
    Body,
    Dot,
    Quit,
}

/// What the server does there instead of the usual.
#[derive(Debug, Clone)]
pub(crate) enum Do {
    Say(&'static str),
    Close,
    SayAndClose(&'static str),
    /// The connection stays open, nothing is said.
    Silence,
    /// The usual answer, later.
    Late(Duration),
    /// The reply to STARTTLS, and plaintext right behind it.
    Smuggle(&'static str),
}

/// One connection's behaviour.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    pub(crate) at: HashMap<At, Do>,
    /// What EHLO offers; the usual lines if empty.
    pub(crate) offers: Vec<&'static str>,
}

impl Script {
    pub(crate) fn with(mut self, at: At, what: Do) -> Self {
        self.at.insert(at, what);
        self
    }

    pub(crate) fn at(at: At, what: Do) -> Self {
        Self::default().with(at, what)
    }

    pub(crate) fn offering(lines: &[&'static str]) -> Self {
        Self { offers: lines.to_vec(), ..Self::default() }
    }
}

/// What the server saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) connections: usize,
    pub(crate) commands: Vec<String>,
    pub(crate) messages: Vec<String>,
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) root: CertificateDer<'static>,
    pub(crate) seen: Arc<Mutex<Seen>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// The scripts go to one connection each, in order; the last one repeats.
    pub(crate) async fn start(implicit_tls: bool, scripts: Vec<Script>) -> Self {
        Self::named("localhost", implicit_tls, scripts).await
    }

    /// With a certificate for another name.
    pub(crate) async fn named(name: &str, implicit_tls: bool, scripts: Vec<Script>) -> Self {
        let certificate = Certificate::new(name);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let seen = Arc::new(Mutex::new(Seen::default()));
        let task = {
            let (seen, tls) = (Arc::clone(&seen), certificate.server());
            tokio::spawn(async move {
                for at in 0.. {
                    let Ok((tcp, _)) = listener.accept().await else { return };
                    tcp.set_nodelay(true).expect("a socket option");
                    seen.lock().expect("seen").connections += 1;
                    let script = scripts.get(at).or(scripts.last()).cloned().unwrap_or_default();
                    let talk = Talk { script, seen: Arc::clone(&seen), tls: Arc::clone(&tls) };
                    tokio::spawn(async move { talk.all(tcp, implicit_tls).await });
                }
            })
        };
        Self { address, root: certificate.root, seen, task }
    }

    pub(crate) fn messages(&self) -> Vec<String> {
        self.seen.lock().expect("seen").messages.clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.seen.lock().expect("seen").connections
    }

    pub(crate) fn commands(&self) -> Vec<String> {
        self.seen.lock().expect("seen").commands.clone()
    }
}

struct Talk {
    script: Script,
    seen: Arc<Mutex<Seen>>,
    tls: Arc<ServerConfig>,
}

/// Why a connection ends; `Upgrade` begins TLS.
enum End {
    Closed,
    Upgrade,
}

impl Talk {
    async fn all(self, tcp: TcpStream, implicit_tls: bool) -> io::Result<()> {
        let acceptor = TlsAcceptor::from(Arc::clone(&self.tls));
        if implicit_tls {
            let stream = acceptor.accept(tcp).await?;
            self.run(BufReader::new(stream), true, true).await?;
            return Ok(());
        }
        let mut plain = BufReader::new(tcp);
        if let End::Upgrade = self.talk(&mut plain, true, false).await? {
            let stream = acceptor.accept(plain.into_inner()).await?;
            self.run(BufReader::new(stream), false, true).await?;
        }
        Ok(())
    }

    async fn run<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        mut stream: BufReader<S>,
        greet: bool,
        encrypted: bool,
    ) -> io::Result<()> {
        self.talk(&mut stream, greet, encrypted).await?;
        // A clean end, as real servers do it: otherwise TLS sees a truncation.
        stream.shutdown().await
    }

    async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: &mut BufReader<S>,
        greet: bool,
        encrypted: bool,
    ) -> io::Result<End> {
        if greet && !self.answer(stream, At::Greeting, "220 street.example ESMTP").await? {
            return Ok(End::Closed);
        }
        loop {
            let Some(line) = read_line(stream).await? else { return Ok(End::Closed) };
            self.seen.lock().expect("seen").commands.push(line.clone());
            let word = line.split(' ').next().unwrap_or_default().to_ascii_uppercase();
            let (at, usual) = match word.as_str() {
                "EHLO" => (At::Ehlo, self.offers(encrypted)),
                "STARTTLS" => (At::StartTls, "220 go ahead".to_owned()),
                "AUTH" => (At::Auth, "235 2.7.0 welcome".to_owned()),
                "MAIL" => (At::Mail, "250 2.1.0 ok".to_owned()),
                "RCPT" => (At::Rcpt, "250 2.1.5 ok".to_owned()),
                "DATA" => (At::Data, "354 go ahead".to_owned()),
                "QUIT" => (At::Quit, "221 bye".to_owned()),
                _ => (At::AuthAnswer, "235 2.7.0 welcome".to_owned()),
            };
            if !self.answer(stream, at, &usual).await? || at == At::Quit {
                return Ok(End::Closed);
            }
            let refused = matches!(self.script.at.get(&at), Some(Do::Say(_)));
            match at {
                At::StartTls if !refused => return Ok(End::Upgrade),
                At::Data if !refused && !self.message(stream).await? => return Ok(End::Closed),
                _ => {}
            }
        }
    }

    /// The message up to the final dot, and the reply to it. `false` ends the connection.
    async fn message<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: &mut BufReader<S>,
    ) -> io::Result<bool> {
        let mut message = String::new();
        loop {
            let Some(line) = read_line(stream).await? else { return Ok(false) };
            if message.is_empty() && !self.answer(stream, At::Body, "").await? {
                return Ok(false);
            }
            if line == "." {
                break;
            }
            message.push_str(line.strip_prefix('.').unwrap_or(&line));
            message.push_str("\r\n");
        }
        // A refusal is no acceptance; a lost reply may well be one, so the message counts.
        let refused = matches!(self.script.at.get(&At::Dot), Some(Do::Say(_)));
        let mut queued = 0;
        if !refused {
            let mut seen = self.seen.lock().expect("seen");
            seen.messages.push(message);
            queued = seen.messages.len();
        }
        self.answer(stream, At::Dot, &format!("250 2.0.0 queued as {queued}")).await
    }

    async fn answer<S: AsyncWrite + Unpin>(
        &self,
        stream: &mut S,
        at: At,
        usual: &str,
    ) -> io::Result<bool> {
        let line = match self.script.at.get(&at) {
            None if usual.is_empty() => return Ok(true),
            None => usual.to_owned(),
            Some(Do::Say(line)) => (*line).to_owned(),
            Some(Do::Close) => return Ok(false),
            Some(Do::SayAndClose(line)) => {
                stream.write_all(format!("{line}\r\n").as_bytes()).await?;
                stream.flush().await?;
                return Ok(false);
            }
            Some(Do::Silence) => {
                std::future::pending::<()>().await;
                return Ok(false);
            }
            Some(Do::Late(wait)) => {
                tokio::time::sleep(*wait).await;
                usual.to_owned()
            }
            Some(Do::Smuggle(line)) => format!("{usual}\r\n{line}"),
        };
        stream.write_all(format!("{line}\r\n").as_bytes()).await?;
        stream.flush().await?;
        Ok(true)
    }

    fn offers(&self, encrypted: bool) -> String {
        let usual: &[&str] = match encrypted {
            true => &["AUTH PLAIN LOGIN XOAUTH2", "SIZE 1000000", "SMTPUTF8"],
            false => &["STARTTLS"],
        };
        let offers = if self.script.offers.is_empty() { usual } else { &self.script.offers };
        let mut lines = String::from("250-street.example\r\n");
        for (at, offer) in offers.iter().enumerate() {
            let sign = if at + 1 == offers.len() { ' ' } else { '-' };
            lines.push_str(&format!("250{sign}{offer}\r\n"));
        }
        lines.trim_end().to_owned()
    }
}

async fn read_line<S: AsyncRead + Unpin>(stream: &mut BufReader<S>) -> io::Result<Option<String>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}
