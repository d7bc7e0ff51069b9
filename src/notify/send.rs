//! Telling somebody: by a command, a webhook or a mail, a few times at most and within a time that is known before.

use std::process::Stdio;
use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, Message, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::api::{SecretSource, SecretString, Web, without_secrets};
use crate::config::{Channel, Config, MailServer, MailTls, Target, WebhookForm};
use crate::log::impersonal;
use crate::text::duration;

use super::notice::Notice;
use super::words::{data, lines, posted, title};

/// How long somebody is tried to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patience {
    /// How long one try may take.
    pub attempt: Duration,
    /// How long to wait before each further try.
    pub waits: Vec<Duration>,
}

impl Default for Patience {
    /// Three tries within a minute.
    fn default() -> Self {
        Self { attempt: Duration::from_secs(15), waits: vec![Duration::from_secs(2), Duration::from_secs(8)] }
    }
}

/// Why somebody could not be told.
#[derive(Debug)]
pub(super) struct Failed {
    why: String,
    /// Whether it may go well a little later.
    is_passing: bool,
}

impl Failed {
    fn now(why: &impl ToString) -> Self {
        Self { why: why.to_string(), is_passing: true }
    }

    fn for_good(why: &impl ToString) -> Self {
        Self { why: why.to_string(), is_passing: false }
    }
}

/// What alerts are sent with.
pub(super) struct Sender<'s> {
    pub(super) config: &'s Config,
    pub(super) patience: &'s Patience,
    /// The report in which nobody is named, as a page.
    pub(super) page: Option<&'s str>,
}

impl Sender<'_> {
    /// Tells one target. Ends in time, whatever the other side does.
    pub(super) async fn tell(&self, target: &Target, notice: &Notice) -> Result<(), String> {
        let mut waits = self.patience.waits.iter();
        loop {
            let attempt = self.attempt(&target.channel, notice);
            let tried = tokio::time::timeout(self.patience.attempt, attempt).await;
            let time = duration(self.patience.attempt);
            let failed = match tried.unwrap_or_else(|_| Err(Failed::now(&format!("it took longer than {time}")))) {
                Ok(()) => return Ok(()),
                Err(failed) => failed,
            };
            match waits.next().filter(|_| failed.is_passing) {
                Some(wait) => tokio::time::sleep(*wait).await,
                None => return Err(failed.why),
            }
        }
    }

    async fn attempt(&self, channel: &Channel, notice: &Notice) -> Result<(), Failed> {
        match channel {
            Channel::Command(command) => self.command(command, notice).await,
            Channel::Webhook { address, form } => self.post(address, *form, notice).await,
            Channel::Mail { server, to, attach } => {
                let page = self.page.filter(|_| *attach);
                mail(
                    server,
                    self.config.ca_file(),
                    &message(server, to, notice, page).map_err(|error| Failed::for_good(&error))?,
                )
                .await
            }
        }
    }

    async fn command(&self, command: &str, notice: &Notice) -> Result<(), Failed> {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        // The report is there for as long as the command runs.
        let file = self.page.map(|page| {
            let mut file = tempfile::Builder::new().prefix("shipsheet-").suffix(".html").tempfile()?;
            std::io::Write::write_all(&mut file, page.as_bytes()).map(|()| file)
        });
        let file = file.transpose().map_err(|error| Failed::for_good(&error))?;
        let path = file.as_ref().map(|file| file.path().display().to_string());
        let mut started = Command::new(shell);
        started.args([flag, command]).stdin(Stdio::piped()).stdout(Stdio::null()).kill_on_drop(true);
        without_secrets(started.as_std_mut());
        let mut child =
            started.spawn().map_err(|error| Failed::for_good(&format!("it could not be started: {error}")))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command that does not read has its reasons; how it ends is what counts.
            let _ = stdin.write_all(data(notice, path.as_deref()).to_string().as_bytes()).await;
        }
        match child.wait().await {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failed::now(&format!("the command failed ({status})"))),
            Err(error) => Err(Failed::now(&error)),
        }
    }

    async fn post(&self, address: &SecretSource, form: WebhookForm, notice: &Notice) -> Result<(), Failed> {
        let web: Web = self.config.web(self.patience.attempt).map_err(|error| Failed::for_good(&error))?;
        let address = address.get().await.map_err(|error| Failed::now(&error))?;
        let json = posted(notice, form).to_string().into_bytes();
        let posted = web.post(shown(&address).trim(), json).await;
        posted.map_err(|error| Failed { is_passing: error.is_passing(), why: error.to_string() })
    }
}

fn shown(secret: &SecretString) -> &str {
    secrecy::ExposeSecret::expose_secret(secret)
}

fn message(server: &MailServer, to: &[String], notice: &Notice, page: Option<&str>) -> Result<Message, String> {
    let mailbox = |address: &String| address.parse::<Mailbox>().map_err(|_| format!("{address} is no e-mail address"));
    let from = mailbox(&server.from)?;
    let host = from.email.domain().to_owned();
    // RFC 3834: nobody's automatic answer comes back.
    let automatic = HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned());
    let builder = Message::builder().from(from).subject(title(notice)).date_now().raw_header(automatic);
    let mut builder =
        builder.message_id(Some(format!("<{}.{}.{}@{host}>", notice.at_ms, std::process::id(), fastrand::u64(..))));
    for address in to {
        builder = builder.to(mailbox(address)?);
    }
    let text = lines(notice).join("\r\n");
    let text = SinglePart::plain(format!("{text}\r\n"));
    let parts = match page {
        Some(page) => {
            let report = Attachment::new("report.html".to_owned()).body(page.to_owned(), ContentType::TEXT_HTML);
            MultiPart::mixed().singlepart(text).singlepart(report)
        }
        None => MultiPart::mixed().singlepart(text),
    };
    builder.multipart(parts).map_err(|error| error.to_string())
}

async fn mail(server: &MailServer, ca_file: Option<&std::path::Path>, message: &Message) -> Result<(), Failed> {
    let tls = match server.tls {
        MailTls::None => Tls::None,
        MailTls::Starttls => Tls::Required(tls(&server.server, ca_file)?),
        MailTls::Implicit => Tls::Wrapper(tls(&server.server, ca_file)?),
    };
    let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(server.server.as_str())
        .port(server.port)
        .tls(tls)
        .hello_name(ClientId::Domain("localhost".to_owned()));
    if let Some((user, password)) = &server.account {
        let password = password.get().await.map_err(|error| Failed::now(&error))?;
        transport = transport.credentials(Credentials::new(user.clone(), shown(&password).to_owned()));
    }
    // What a server says may quote addresses.
    let failed = |error: lettre::transport::smtp::Error| Failed {
        is_passing: !error.is_permanent(),
        why: match error.status() {
            Some(code) => format!("the mail server said {code}: {}", impersonal(&root(&error))),
            None => root(&error),
        },
    };
    transport.build().send(message.clone()).await.map(drop).map_err(failed)
}

fn tls(server: &str, ca_file: Option<&std::path::Path>) -> Result<TlsParameters, Failed> {
    let mut builder = TlsParameters::builder(server.to_owned());
    if let Some(path) = ca_file {
        let pem = std::fs::read(path).map_err(|error| Failed::for_good(&format!("{}: {error}", path.display())))?;
        builder = builder.add_root_certificate(Certificate::from_pem(&pem).map_err(|error| Failed::for_good(&error))?);
    }
    builder.build().map_err(|error| Failed::for_good(&error))
}

/// The innermost cause, which says most.
fn root(error: &dyn std::error::Error) -> String {
    let (mut said, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        (said, cause) = (error.to_string(), error.source());
    }
    said
}
