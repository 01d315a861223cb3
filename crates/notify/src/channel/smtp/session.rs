//! One conversation with a mail server, phase by phase over lettre's connection, each phase with
//! a deadline of our own (lettre's covers connecting only).

use std::fmt::Display;
use std::future::Future;
use std::sync::OnceLock;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use firstknock_policy::delivery::{Attempt, Hold, NotSent, Repeat};
use lettre::transport::smtp::authentication::Mechanism;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lettre::transport::smtp::{Error, response::Response};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout};

use super::Deadlines;
use super::reply::{Phase, Reply, refused};
use super::stream::{Encrypted, LineByLine};
use super::tls::{Trust, is_tls};
use crate::{Secret, Security};

/// An open, encrypted and logged-in connection.
pub(super) struct Session {
    connection: AsyncSmtpConnection,
    deadlines: Deadlines,
}

/// How the account proves itself.
pub(super) enum Proof {
    /// None wanted.
    None,
    /// A password.
    Password(Secret),
    /// An access token.
    Token(Secret),
}

/// Why a log-in or a hand-over did not work. Boxed by callers where it matters.
pub(super) type Failed = Attempt;

/// Who the mail is from and for, as the envelope says it.
pub(super) struct Envelope {
    pub(super) from: lettre::Address,
    pub(super) to: lettre::Address,
}

/// What we call ourselves: an address literal, since the machine's name is nobody's business.
fn hello() -> ClientId {
    ClientId::Ipv4(std::net::Ipv4Addr::LOCALHOST)
}

impl Session {
    /// Connects and encrypts.
    pub(super) async fn open(
        server: &str,
        port: u16,
        security: Security,
        trust: &Trust,
        deadlines: Deadlines,
    ) -> Result<Self, Failed> {
        let tcp = connect(server, port, deadlines.connect).await?;
        let greet = async {
            match security {
                Security::ImplicitTls => {
                    let tls = trust.handshake(server, tcp).await.map_err(|error| tls(&error))?;
                    let stream = Box::new(Encrypted(tls));
                    AsyncSmtpConnection::connect_with_transport(stream, &hello())
                        .await
                        .map_err(|error| failed(Phase::Greeting, &error))
                }
                Security::StartTls => {
                    let stream = Box::new(LineByLine::new(tcp));
                    let mut plain = AsyncSmtpConnection::connect_with_transport(stream, &hello())
                        .await
                        .map_err(|error| failed(Phase::Greeting, &error))?;
                    if !plain.can_starttls() {
                        plain.abort().await;
                        let reply = String::new();
                        return Err(Attempt::AccountHeld { hold: Hold::StartTlsMissing, reply });
                    }
                    let parameters = trust.parameters(server).map_err(|error| tls(&error))?;
                    plain
                        .starttls(parameters, &hello())
                        .await
                        .map_err(|error| failed(Phase::StartTls, &error))?;
                    Ok(plain)
                }
            }
        };
        let connection = within(deadlines.login, greet).await?;
        Ok(Self { connection, deadlines })
    }

    /// Logs in. AUTH is spoken here and not by lettre, to hear a 334 that carries an error.
    pub(super) async fn login(&mut self, user: &str, proof: &Proof) -> Result<(), Failed> {
        let deadline = self.deadlines.login;
        within(deadline, self.authenticate(user, proof)).await
    }

    async fn authenticate(&mut self, user: &str, proof: &Proof) -> Result<(), Failed> {
        let info = self.connection.server_info();
        let offers = |mechanism| info.supports_auth_mechanism(mechanism);
        let reply = match proof {
            Proof::None => return Ok(()),
            Proof::Password(password) if offers(Mechanism::Plain) => {
                let line = BASE64.encode(format!("\0{user}\0{}", password.reveal()));
                self.ask(Phase::Auth, &format!("AUTH PLAIN {line}\r\n")).await?
            }
            Proof::Password(password) if offers(Mechanism::Login) => {
                let mut reply = self.ask(Phase::Auth, "AUTH LOGIN\r\n").await?;
                for answer in [user, password.reveal()] {
                    if reply.code != 334 {
                        break;
                    }
                    let line = format!("{}\r\n", BASE64.encode(answer));
                    reply = self.ask(Phase::Auth, &line).await?;
                }
                reply
            }
            Proof::Token(token) if offers(Mechanism::Xoauth2) => {
                let line = format!("user={user}\x01auth=Bearer {}\x01\x01", token.reveal());
                let line = format!("AUTH XOAUTH2 {}\r\n", BASE64.encode(line));
                let reply = self.ask(Phase::Auth, &line).await?;
                if reply.code == 334 {
                    // The error came as a challenge (JSON in base64); an empty answer gets the code.
                    self.ask(Phase::Auth, "\r\n").await?
                } else {
                    reply
                }
            }
            Proof::Password(_) | Proof::Token(_) => {
                let reply = "the server does not offer this kind of login".to_owned();
                return Err(Attempt::AccountHeld { hold: Hold::Auth, reply });
            }
        };
        match reply.code {
            235 => Ok(()),
            334 => Err(Attempt::AccountHeld { hold: Hold::Auth, reply: reply.words() }),
            _ => Err(not_sent(NotSent::Protocol, &reply.words())),
        }
    }

    /// Hands one message over.
    pub(super) async fn send(&mut self, envelope: &Envelope, message: &[u8]) -> Attempt {
        match self.envelope(envelope).await {
            Ok(()) => self.body(message).await,
            Err(attempt) => attempt,
        }
    }

    async fn envelope(&mut self, envelope: &Envelope) -> Result<(), Failed> {
        let foreign = [&envelope.from, &envelope.to]
            .into_iter()
            .any(|address| !AsRef::<str>::as_ref(address).is_ascii());
        let mut options = Vec::new();
        if foreign {
            if !self.connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                let reply = "the server takes no addresses with such letters".to_owned();
                return Err(Attempt::RecipientRefused { reply });
            }
            options.push(MailParameter::SmtpUtfEight);
        }
        let deadlines = self.deadlines;
        let mail = Mail::new(Some(envelope.from.clone()), options);
        self.expect(Phase::Mail, mail, 250, deadlines.envelope).await?;
        let rcpt = Rcpt::new(envelope.to.clone(), Vec::new());
        self.expect(Phase::Rcpt, rcpt, 250, deadlines.envelope).await?;
        self.expect(Phase::Data, Data, 354, deadlines.data).await
    }

    /// The content, the final dot, and the reply that decides. Before the dot is written nothing
    /// was sent; from then on, silence means "unknown".
    async fn body(&mut self, message: &[u8]) -> Attempt {
        let dotted: OnceLock<Instant> = OnceLock::new();
        // lettre asks for the next part when the one before is written and flushed: being asked
        // for more than the message is the moment before the final dot.
        let at_the_dot = Notify::new();
        let parts = std::iter::once(message).chain(std::iter::from_fn(|| {
            dotted.get_or_init(Instant::now);
            at_the_dot.notify_one();
            None
        }));
        let Deadlines { body, dot, .. } = self.deadlines;
        let started = Instant::now();
        let handing_over = self.connection.message_iter(parts);
        tokio::pin!(handing_over);
        loop {
            let deadline = dotted.get().map_or(started + body, |at| *at + dot);
            tokio::select! {
                reply = &mut handing_over => return done(reply, dotted.get().is_some()),
                // From here on the other deadline counts.
                () = at_the_dot.notified() => {}
                () = sleep_until(deadline) => match dotted.get() {
                    None => return not_sent(NotSent::Timeout, "while the message was written"),
                    Some(at) if Instant::now() >= *at + dot => {
                        return unknown("no reply after the final dot");
                    }
                    Some(_) => {}
                },
            }
        }
    }

    /// Says goodbye; whatever the answer, it does not matter.
    pub(super) async fn quit(mut self) {
        let goodbye = timeout(self.deadlines.quit, self.connection.quit()).await;
        tracing::debug!(answered = matches!(goodbye, Ok(Ok(_))), "left the mail server");
    }

    async fn expect(
        &mut self,
        phase: Phase,
        command: impl Display,
        code: u16,
        deadline: Duration,
    ) -> Result<(), Failed> {
        let reply = within(deadline, self.ask(phase, command)).await?;
        // Any other "yes" means that replies and commands are out of step.
        let in_step = reply.code == code || (code == 250 && reply.code == 251);
        if in_step { Ok(()) } else { Err(not_sent(NotSent::Protocol, &reply.words())) }
    }

    async fn ask(&mut self, phase: Phase, command: impl Display) -> Result<Reply, Failed> {
        match self.connection.command(command).await {
            Ok(response) => Ok(read(&response)),
            Err(error) => Err(failed(phase, &error)),
        }
    }
}

fn read(response: &Response) -> Reply {
    let text = response.message().collect::<Vec<_>>().join(" ");
    Reply::new(response.code().into(), &text)
}

/// What the reply after the final dot, or its absence, means.
fn done(reply: Result<Response, Error>, dotted: bool) -> Attempt {
    match reply {
        Ok(response) => {
            let reply = read(&response);
            match reply.code {
                200..=299 => Attempt::Sent { reply: reply.words() },
                _ => unknown(&reply.words()),
            }
        }
        Err(error) => match failed(Phase::Dot, &error) {
            Attempt::NotSent { words, .. } if dotted => unknown(&words),
            attempt => attempt,
        },
    }
}

async fn connect(server: &str, port: u16, deadline: Duration) -> Result<TcpStream, Failed> {
    let connecting = async {
        let bare = server.trim_start_matches('[').trim_end_matches(']');
        let addresses: Vec<_> = tokio::net::lookup_host((bare, port))
            .await
            .map_err(|error| not_sent(NotSent::Dns, &error.to_string()))?
            .collect();
        let mut last = not_sent(NotSent::Dns, "the name has no address");
        // One address that does not answer must not use up the whole deadline.
        let share = deadline / u32::try_from(addresses.len().max(1)).unwrap_or(1);
        for address in addresses {
            match timeout(share, TcpStream::connect(address)).await {
                Ok(Ok(tcp)) => {
                    // Small lines, each answered: waiting to fill a packet costs 40 ms a message.
                    if let Err(error) = tcp.set_nodelay(true) {
                        tracing::debug!(%error, "lines are sent as the system likes");
                    }
                    return Ok(tcp);
                }
                Ok(Err(error)) => last = not_sent(NotSent::Connect, &error.to_string()),
                Err(_) => last = not_sent(NotSent::Timeout, "no connection in time"),
            }
        }
        Err(last)
    };
    within(deadline, connecting).await
}

async fn within<T>(
    deadline: Duration,
    work: impl Future<Output = Result<T, Failed>>,
) -> Result<T, Failed> {
    match timeout(deadline, work).await {
        Ok(done) => done,
        Err(_) => Err(not_sent(NotSent::Timeout, "no answer in time")),
    }
}

/// What an error of lettre's means before the final dot.
fn failed(phase: Phase, error: &Error) -> Attempt {
    use std::error::Error as _;
    let source = error.source().map(ToString::to_string).unwrap_or_default();
    if let Some(code) = error.status() {
        return refused(phase, &Reply::new(code.into(), &source));
    }
    if is_tls(error) {
        return not_sent(NotSent::Tls, &source);
    }
    // lettre calls an end of file in place of a reply a bad reply.
    let reason = if error.is_response() && !source.contains("incomplete") {
        NotSent::Protocol
    } else {
        NotSent::Dropped
    };
    not_sent(reason, &source)
}

fn tls(error: &(dyn std::error::Error + 'static)) -> Attempt {
    let reason = if is_tls(error) { NotSent::Tls } else { NotSent::Dropped };
    not_sent(reason, &error.to_string())
}

pub(super) fn not_sent(reason: NotSent, words: &str) -> Attempt {
    Attempt::NotSent { reason, retry_after: None, words: Reply::new(0, words).text }
}

fn unknown(words: &str) -> Attempt {
    Attempt::Unknown { repeat: Repeat::OnceOrTwice, words: Reply::new(0, words).text }
}
