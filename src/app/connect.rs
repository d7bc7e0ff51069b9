//! The application itself: its configuration, its runtime, and its connections to the service.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::runtime::Runtime;

use crate::api::service::NamedWarehouse;
use crate::api::{Caller, Client, Endpoint, Token, TokenKeeper, TokenSource};
use crate::config::{Booking, Config, NewCommand, Service};
use crate::event::{Listener, Stream};
use crate::ledger::{Ledger, Watch};
use crate::log::Log;
use crate::sandbox::{self, Sandbox};
use crate::words::Vocabulary;

use super::error::{Error, Mismatch, NewHost, Result};
use super::room::{make_room, runtime};
use super::who::{host, user};

/// Everything that a person can do, with one configuration.
#[derive(Debug)]
pub struct App {
    pub(super) config: Config,
    lasting: Arc<Lasting>,
    log: Option<Log>,
}

/// What outlasts a change of the configuration.
#[derive(Debug, Default)]
struct Lasting {
    /// Behind it is the runtime that it lives on, which goes last.
    sandbox: Mutex<Option<Arc<Sandbox>>>,
    runtime: OnceLock<Runtime>,
    /// Hosts and commands that somebody has said yes to.
    accepted: Mutex<Vec<String>>,
    /// The warehouses of an account, once it was asked, with what tells it from others.
    warehouses: Mutex<Option<(String, Vec<NamedWarehouse>)>>,
}

/// The service, ready to be called.
#[derive(Debug)]
pub struct Connection {
    /// The key of the service that it leads to, as the ledger has it.
    service: String,
    pub(super) client: Client,
    pub(super) tokens: TokenKeeper,
    /// The built-in stand-in service, which lives as long as the application does.
    _sandbox: Option<Arc<Sandbox>>,
}

impl App {
    /// An application with this configuration. Nothing is opened yet.
    #[must_use]
    pub fn open(config: Config) -> Self {
        let log = config.log().map(Log::new);
        Self { config, lasting: Arc::default(), log }
    }

    /// The same application with another configuration.
    #[must_use]
    pub fn with(&self, config: Config) -> Self {
        let log = config.log().map(Log::new);
        Self { config, lasting: Arc::clone(&self.lasting), log }
    }

    /// The log, where one is configured.
    #[must_use]
    pub const fn log(&self) -> Option<&Log> {
        self.log.as_ref()
    }

    /// A stream of events that the log hears as well, where one is configured.
    #[must_use]
    pub fn events<L: Listener>(&self, listener: L) -> Stream<L> {
        let stream = Stream::new(listener);
        match &self.log {
            Some(log) => stream.heard_by(log.clone()),
            None => stream,
        }
    }

    /// The configuration.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The host that the next connection would send a token to, where this user never sent one before: a face asks, and
    /// [accepts](Self::accept_host) it.
    #[must_use]
    pub fn new_host(&self) -> Option<NewHost> {
        let Service::At(Some(endpoint)) = self.config.service() else { return None };
        let accepted = self.lasting.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        let origin = endpoint.origin().to_owned();
        let is_new = !accepted.contains(&origin) && !self.config.is_known_host(endpoint);
        is_new.then(|| NewHost { origin, named_by: self.config.service_named_by() })
    }

    /// Lets tokens go to a host, now and from now on.
    ///
    /// # Errors
    /// It could not be noted, so that it is asked about again next time; tokens may go there all the same.
    pub fn accept_host(&self, host: &NewHost) -> std::io::Result<()> {
        self.lasting.accepted.lock().unwrap_or_else(PoisonError::into_inner).push(host.origin.clone());
        self.config.remember_host(&host.origin)
    }

    /// Those of these commands of the configuration that run only once somebody has [allowed](Self::allow_command) them: a face
    /// asks. None where the configuration is the user's own.
    #[must_use]
    pub fn new_commands(&self, commands: &[&str]) -> Vec<NewCommand> {
        let accepted = self.lasting.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        let mut new = self.config.new_commands(commands);
        new.retain(|own| !accepted.contains(&own.mark));
        new
    }

    /// Lets a command run, now and from now on.
    ///
    /// # Errors
    /// It could not be noted, so that it is asked about again next time; it runs all the same.
    pub fn allow_command(&self, command: &NewCommand) -> std::io::Result<()> {
        self.lasting.accepted.lock().unwrap_or_else(PoisonError::into_inner).push(command.mark.clone());
        self.config.remember_command(command)
    }

    /// The warehouses that were found for an account before, or are now.
    pub(super) fn listed_once(&self, account: &str, ask: impl FnOnce() -> Vec<NamedWarehouse>) -> Vec<NamedWarehouse> {
        let mut kept = self.lasting.warehouses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((own, found)) = &*kept
            && own == account
        {
            return found.clone();
        }
        kept.insert((account.to_owned(), ask())).1.clone()
    }

    /// Has the account asked again for its warehouses.
    pub fn forget_warehouses(&self) {
        *self.lasting.warehouses.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Gets everything ready that bookings need, so that nothing fails after the yes that could fail before.
    ///
    /// # Errors
    /// No service, no token, a new host, or too few files or threads.
    pub fn connect(&self, booking: &Booking) -> Result<Connection> {
        self.connection(booking.width())
    }

    /// The same before a plan that holds the ledger until it is recorded, because nobody is asked about it: no answer at the desk waits
    /// for a token. A failure counts only once there is something to send. None where the token is at hand, or somebody has to be asked
    /// first.
    #[must_use]
    pub fn connect_ahead(&self, booking: &Booking) -> Option<Result<Connection>> {
        if !self.config.waits_for_token() {
            return None;
        }
        match self.connect(booking) {
            Err(Error::NewHost(_) | Error::NewCommand) => None,
            connected => Some(connected),
        }
    }

    /// The same for so many calls at a time that book nothing.
    pub(super) fn connection(&self, calls: usize) -> Result<Connection> {
        let service = self.config.service_key()?;
        make_room(calls)?;
        // The vocabulary for answers is made before the first request: memory refused later would end the program in between.
        let _ = Vocabulary::of_services();
        let (endpoint, sandbox) = match self.config.service() {
            Service::Sandbox => {
                let sandbox = self.sandbox()?;
                (Endpoint::parse(&format!("http://{}", sandbox.address()))?, Some(sandbox))
            }
            Service::At(_) => (self.config.endpoint()?.clone(), None),
        };
        let client = self.client(endpoint, calls)?;
        let source = match sandbox {
            Some(_) => TokenSource::Fixed(Token::new(sandbox::DEFAULT_TOKEN).map_err(Error::Token)?),
            None => self.token_source(&client)?,
        };
        let tokens = TokenKeeper::new(source);
        self.runtime()?.block_on(tokens.current()).map_err(Error::Token)?;
        Ok(Connection { service, client, tokens, _sandbox: sandbox })
    }

    /// The built-in stand-in service: what was booked there can be asked for as long as the application lives.
    fn sandbox(&self) -> Result<Arc<Sandbox>> {
        let mut running = self.lasting.sandbox.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sandbox) = &*running {
            return Ok(Arc::clone(sandbox));
        }
        let started = self.runtime()?.block_on(Sandbox::start(sandbox::Options::default())).map_err(Error::Sandbox)?;
        Ok(Arc::clone(running.insert(Arc::new(started))))
    }

    /// Where tokens come from, once it is sure that a command which gives them may run.
    pub(super) fn token_source(&self, client: &Client) -> Result<TokenSource> {
        self.refuse_new(&self.config.token_commands())?;
        Ok(self.config.token_source(client)?)
    }

    /// Refuses commands of which somebody has to allow one first.
    ///
    /// # Errors
    /// There is such a command among them.
    pub fn refuse_new(&self, commands: &[&str]) -> Result<()> {
        if self.new_commands(commands).is_empty() { Ok(()) } else { Err(Error::NewCommand) }
    }

    /// A client, once it is sure that the token may go there.
    pub(super) fn client(&self, endpoint: Endpoint, calls: usize) -> Result<Client> {
        if let Some(host) = self.new_host() {
            return Err(Error::NewHost(host));
        }
        Ok(Client::new(self.config.client_options(endpoint, calls)?)?)
    }

    /// What requests run on; made at the first call.
    pub(super) fn runtime(&self) -> Result<&Runtime> {
        if let Some(runtime) = self.lasting.runtime.get() {
            return Ok(runtime);
        }
        let made = runtime()?;
        Ok(self.lasting.runtime.get_or_init(|| made))
    }

    /// The ledger, to be read.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn read_ledger(&self) -> Result<Ledger> {
        Ok(Ledger::read_at(self.config.site())?)
    }

    /// Whether something could be booked with the ledger, which is open to be read. Gives the word by which what it lacks was
    /// accepted at another station.
    ///
    /// # Errors
    /// It would be refused.
    pub fn refuse_to_book(&self, ledger: &Ledger) -> Result<Option<String>> {
        if *self.config.service() == Service::Sandbox {
            return Ok(None);
        }
        Ok(ledger.refuse_to_book(self.config.site(), &self.watch())?)
    }

    pub(super) fn watch(&self) -> Watch {
        self.config.watch(user(), host())
    }
}

impl Connection {
    /// Refuses to be used for the orders of another service: a practice order would be booked for real.
    pub(super) fn leads_to(&self, own: &str) -> Result<()> {
        if self.service == own {
            return Ok(());
        }
        Err(Mismatch::OtherConnection { connected: self.service.clone(), own: own.to_owned() }.into())
    }

    /// For every operation but the bookings of a run.
    #[must_use]
    pub fn caller(&self) -> Caller {
        Caller::new(self.client.clone(), self.tokens.clone())
    }
}
