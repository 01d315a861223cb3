//! Mail through the user's own account.
//!
//! **Promises**: encrypted or not at all; one connection per batch; every failure told by where
//! it happened, so that "not sent" and "unknown" are never confused; a dropped future leaves no
//! half-used connection behind. **Leaves out**: lettre's pool (it returns half-used connections)
//! and its log (target `lettre` prints AUTH at debug level, and is not compiled in).

mod oauth;
mod reply;
mod session;
mod stream;
mod tls;

use std::sync::Arc;
use std::time::Duration;

use firstknock_policy::delivery::{Attempt, Hold, NotSent, Pace, Repeat};
use rustls::pki_types::CertificateDer;
use tokio::sync::Mutex;

use self::oauth::Tokens;
use self::session::{Envelope, Proof, Session, not_sent};
use self::tls::Trust;
use super::{ChannelError, Kind, Tools};
use crate::render::{self, Context};
use crate::{
    Alert, BoxFuture, Deliver, Hint, Login, Outgoing, Secret, SecretName, Secrets, SmtpConfig, hint,
};

/// How long each phase may take (RFC 5321, section 4.5.3.2, where it says something).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Name, TCP.
    pub connect: Duration,
    /// From the greeting to encryption, and again for AUTH.
    pub login: Duration,
    /// MAIL and RCPT, each.
    pub envelope: Duration,
    /// The reply to DATA.
    pub data: Duration,
    /// Writing the message.
    pub body: Duration,
    /// The reply after the final dot: servers scan the message here.
    pub dot: Duration,
    /// QUIT, which nobody waits for.
    pub quit: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        const MINUTE: Duration = Duration::from_secs(60);
        Self {
            connect: Duration::from_secs(30),
            login: MINUTE,
            envelope: 5 * MINUTE,
            data: 2 * MINUTE,
            body: 5 * MINUTE,
            dot: 10 * MINUTE,
            quit: Duration::from_secs(5),
        }
    }
}

/// A sender for one mail account.
pub struct SmtpSender {
    config: SmtpConfig,
    envelope: Envelope,
    secrets: Arc<dyn Secrets>,
    trust: Trust,
    deadlines: Deadlines,
    tokens: Tokens,
    /// Open between the messages of a batch; taken out while one is under way.
    open: Mutex<Option<Session>>,
}

impl SmtpSender {
    /// A sender with the usual deadlines and the platform's roots.
    ///
    /// # Errors
    /// If an address is none (tokens go out encrypted only), or this computer has no trust store.
    pub fn new(config: &SmtpConfig, secrets: Arc<dyn Secrets>) -> Result<Self, ChannelError> {
        Self::with(config, secrets, Deadlines::default(), None)
    }

    /// A sender with other deadlines and one more trusted root, for tests and private servers.
    ///
    /// # Errors
    /// As [`SmtpSender::new`].
    pub fn with(
        config: &SmtpConfig,
        secrets: Arc<dyn Secrets>,
        deadlines: Deadlines,
        extra_root: Option<CertificateDer<'static>>,
    ) -> Result<Self, ChannelError> {
        if let Login::OAuth2 { token_url, .. } = &config.login {
            oauth::check_address(token_url)?;
        }
        let envelope = Envelope { from: address(&config.from)?, to: address(&config.to)? };
        let trust = Trust::new(extra_root).map_err(|error| ChannelError::Tls(Box::new(error)))?;
        Ok(Self {
            config: config.clone(),
            envelope,
            secrets,
            trust,
            deadlines,
            tokens: Tokens::default(),
            open: Mutex::new(None),
        })
    }

    async fn send(&self, message: &Outgoing) -> Attempt {
        let reused = self.open.lock().await.take();
        if let Some(mut session) = reused {
            let attempt = session.send(&self.envelope, &message.body).await;
            // A connection that the server closed in between says nothing about the message.
            let stale = matches!(
                attempt,
                Attempt::NotSent { reason: NotSent::Dropped, .. } | Attempt::Busy { .. }
            );
            if !stale {
                return self.keep(session, attempt).await;
            }
        }
        match self.log_in().await {
            Ok(mut session) => {
                let attempt = session.send(&self.envelope, &message.body).await;
                self.keep(session, attempt).await
            }
            Err(attempt) => attempt,
        }
    }

    /// Keeps the connection after a success; after anything else its state is not worth guessing.
    async fn keep(&self, session: Session, attempt: Attempt) -> Attempt {
        match &attempt {
            Attempt::Sent { .. } => *self.open.lock().await = Some(session),
            Attempt::NotSent { .. } | Attempt::Unknown { .. } => drop(session),
            _ => session.quit().await,
        }
        attempt
    }

    async fn log_in(&self) -> Result<Session, Attempt> {
        let proof = self.proof(false).await?;
        let mut session = self.connect().await?;
        match session.login(&self.config.user, &proof).await {
            Ok(()) => Ok(session),
            // An access token may have been revoked early: get a new one, once.
            Err(Attempt::AccountHeld { hold: Hold::Auth, .. })
                if matches!(proof, Proof::Token(_)) =>
            {
                session.quit().await;
                let proof = self.proof(true).await?;
                let mut session = self.connect().await?;
                session.login(&self.config.user, &proof).await.map(|()| session)
            }
            Err(attempt) => {
                if matches!(attempt, Attempt::AccountHeld { .. } | Attempt::Busy { .. }) {
                    session.quit().await;
                }
                Err(attempt)
            }
        }
    }

    async fn connect(&self) -> Result<Session, Attempt> {
        let SmtpConfig { server, port, security, .. } = &self.config;
        Session::open(server, *port, *security, &self.trust, self.deadlines).await
    }

    async fn proof(&self, fresh: bool) -> Result<Proof, Attempt> {
        match &self.config.login {
            Login::None => Ok(Proof::None),
            Login::Password => Ok(Proof::Password(self.secret(&self.config.password()).await?)),
            Login::OAuth2 { token_url, client_id, has_client_secret } => {
                let refresh = self.secret(&self.config.refresh_token()).await?;
                let secret = match has_client_secret {
                    true => Some(self.secret(&self.config.client_secret()).await?),
                    false => None,
                };
                let request = oauth::Request { token_url, client_id, secret, refresh };
                let access = self.tokens.get(&request, fresh).await?;
                if let Some(renewed) = access.renewed {
                    self.keep_renewed(renewed).await;
                }
                Ok(Proof::Token(access.token))
            }
        }
    }

    /// The old refresh token may be good no longer (RFC 6749, section 6).
    async fn keep_renewed(&self, renewed: Secret) {
        if let Err(error) = self.secrets.set(&self.config.refresh_token(), renewed).await {
            tracing::warn!(%error, "a renewed refresh token could not be kept");
        }
    }

    async fn secret(&self, name: &SecretName) -> Result<Secret, Attempt> {
        super::secret(&*self.secrets, name).await
    }
}

impl Kind for SmtpConfig {
    fn code(&self) -> &'static str {
        "smtp"
    }

    fn far_end(&self) -> &str {
        &self.server
    }

    fn secrets(&self) -> Vec<SecretName> {
        match &self.login {
            Login::None => Vec::new(),
            Login::Password => vec![self.password()],
            Login::OAuth2 { has_client_secret: false, .. } => vec![self.refresh_token()],
            Login::OAuth2 { has_client_secret: true, .. } => {
                vec![self.refresh_token(), self.client_secret()]
            }
        }
    }

    fn repeat(&self) -> Repeat {
        Repeat::OnceOrTwice
    }

    fn message(&self, alert: &Alert, context: &Context) -> Outgoing {
        render::mail(alert, context).into()
    }

    fn sender(&self, tools: Tools<'_>) -> Result<Box<dyn Deliver>, ChannelError> {
        Ok(Box::new(SmtpSender::new(self, tools.secrets)?))
    }

    fn hint(&self, attempt: &Attempt) -> Option<Hint> {
        hint::mail(self, attempt)
    }
}

impl Deliver for SmtpSender {
    fn deliver<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Attempt> {
        Box::pin(async move {
            if !message.body.is_ascii() {
                return not_sent(NotSent::Local, "the message is not ASCII");
            }
            self.send(message).await
        })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let open = self.open.lock().await.take();
            if let Some(session) = open {
                session.quit().await;
            }
        })
    }

    fn pace(&self) -> Pace {
        Pace::MAIL
    }
}

/// A mail address, its domain in ASCII.
///
/// # Errors
/// If it is none: no @, blanks, control characters.
pub fn address(text: &str) -> Result<lettre::Address, ChannelError> {
    let wrong = || ChannelError::Address(firstknock_listing::truncate_chars(text, 100));
    let (user, domain) = text.trim().rsplit_once('@').ok_or_else(wrong)?;
    let domain = match url::Host::parse(domain).map_err(|_| wrong())? {
        url::Host::Domain(domain) => domain,
        url::Host::Ipv4(_) | url::Host::Ipv6(_) => return Err(wrong()),
    };
    let printable = user.chars().all(|c| !c.is_control() && !c.is_whitespace() && c != '@');
    if !printable {
        return Err(wrong());
    }
    lettre::Address::new(user, domain).map_err(|_| wrong())
}
