//! The service itself: logging in, and calling any of its operations.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::value::RawValue;

use crate::api::answer::error_in;
use crate::api::operation::{
    CANCEL_SHIPMENT, Entry, FORWARD_SHIPMENT, FORWARD_SHIPMENT_V1, LIST_COURIERS, LIST_WAREHOUSES, LOGIN, Method,
    OperationError, REGISTER_WEBHOOK, SHIPMENT_DETAILS,
};
use crate::api::service::NamedCourier;
use crate::api::{CallError, Caller, Client, Json, Token, TokenKeeper, TokenSource};
use crate::config::Service;

use super::connect::App;
use super::error::{Error, Misuse, Result};

/// What came of trying the configured account or token.
#[derive(Debug)]
pub struct LoggedIn {
    /// The service's origin.
    pub service: String,
    /// What gave the token.
    pub from: TokenFrom,
    /// How long it lives, where it says so.
    pub life: Option<Duration>,
    /// How often it is renewed, where an account gives it.
    pub renewed_every: Option<Duration>,
    /// The operation that a given token was tried with, and what the service said beside taking it.
    pub tried: Option<(&'static str, Option<CallError>)>,
    /// The name of a setting that takes precedence over the account that was tried.
    pub used_instead: Option<&'static str>,
}

/// What gave a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenFrom {
    /// An account, by its e-mail address.
    Account(String),
    /// The environment.
    Environment,
    /// The configured file or command.
    Configured,
    /// A person, who typed it.
    Typed,
}

/// A call of an operation that may be made, once it was agreed to where it changes something.
#[derive(Debug, Clone)]
pub struct PreparedCall {
    entry: Entry,
    parameters: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

/// An answer as it came.
#[derive(Debug)]
pub struct PlainAnswer {
    /// All of it.
    pub answer: Box<RawValue>,
    /// The no that it says all the same, where it says one.
    pub says_no: Option<String>,
}

impl PreparedCall {
    /// The operation's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.entry.operation.name
    }

    /// Whether it changes nothing at the service.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        self.entry.only_reads()
    }
}

impl App {
    /// Tries the configured account or token, and never shows one. Nothing for the sandbox, which takes its own.
    ///
    /// # Errors
    /// No service or token is configured; the service does not take it, or could not be asked.
    pub fn log_in(&self) -> Result<Option<LoggedIn>> {
        self.config.service_key()?;
        if *self.config.service() == Service::Sandbox {
            return Ok(None);
        }
        let endpoint = self.config.endpoint()?;
        let client = self.client(endpoint.clone(), 1)?;
        self.refuse_new(&self.config.login_commands())?;
        // Where an account is configured it is tried, also where a token takes precedence over it.
        let source = match self.config.login(&client)? {
            Some(login) => TokenSource::Login(Box::new(login)),
            None => self.token_source(&client)?,
        };
        let (from, renewed_every) = match &source {
            TokenSource::Login(login) => (TokenFrom::Account(login.email.clone()), Some(login.renew_after)),
            TokenSource::Fixed(_) => (TokenFrom::Environment, None),
            TokenSource::Secret(_) => (TokenFrom::Configured, None),
        };
        let token = self.runtime()?.block_on(source.get()).map_err(Error::NoTokenGot)?;
        let is_account = matches!(source, TokenSource::Login(_));
        // What a login gives is the service's own; what was given to us may be anything.
        let tried = if is_account { None } else { Some(self.try_token(&client, &token)?) };
        let used_instead = if is_account { self.config.token_before_login() } else { None };
        let (service, life) = (endpoint.origin().to_owned(), token.life(Timestamp::now()));
        Ok(Some(LoggedIn { service, from, life, renewed_every, tried, used_instead }))
    }

    /// Whether the service takes the token, by a call that changes nothing. A word other than a no to the token is given
    /// as it is: nobody knows whether the service looks at the token first.
    pub(super) fn try_token(&self, client: &Client, token: &Token) -> Result<(&'static str, Option<CallError>)> {
        let operations = client.operations();
        let known = [&LIST_WAREHOUSES, &LIST_COURIERS].map(|operation| operations.of(operation));
        let entry = known.into_iter().find(|entry| entry.address(&[]).is_ok() && entry.method == Method::Get);
        let (entry, parameters) = match entry {
            Some(entry) => (entry, Vec::new()),
            None => (operations.of(&SHIPMENT_DETAILS), vec![("orderIds".to_owned(), "0".to_owned())]),
        };
        let operation = entry.operation.name;
        let tokens = TokenKeeper::new(TokenSource::Fixed(token.clone()));
        let caller = Caller::new(client.clone(), tokens);
        match self.runtime()?.block_on(caller.plain(&entry, &parameters, None)) {
            Ok(_) => Ok((operation, None)),
            Err(CallError::Unauthorized | CallError::Token(_) | CallError::Refused { status: 403, .. }) => {
                Err(Error::TokenRefused { operation })
            }
            Err(error @ CallError::Refused { .. }) => Ok((operation, Some(error))),
            Err(error) => Err(Error::TokenUntried(error)),
        }
    }

    /// Prepares a call of any operation. What the ledger has to keep has a use case of its own.
    ///
    /// # Errors
    /// No such operation, a path or parameter that is missing, or one that is kept in the ledger.
    pub fn prepare_call(
        &self,
        name: &str,
        mut parameters: Vec<(String, String)>,
        query: Vec<(String, String)>,
        body: Option<Vec<u8>>,
    ) -> Result<PreparedCall> {
        let entry = self.config.operations()?.find(name)?.clone();
        let name = entry.operation.name;
        if name == LOGIN.name {
            return Err(Misuse::LoginIsSecret.into());
        }
        // Fails before anything else where the path or a parameter is missing.
        entry.address(&parameters).map_err(|error| match error {
            OperationError::Parameter { .. } => Error::CallParameter(error),
            error => error.into(),
        })?;
        if let Some((own, _)) = entry.placed(&query).into_iter().next() {
            return Err(Misuse::QueryIsParameter { operation: name, name: own }.into());
        }
        // Whatever the path has no place for goes into the query.
        parameters.extend(query);
        if [FORWARD_SHIPMENT.name, FORWARD_SHIPMENT_V1.name].contains(&name) {
            return Err(Misuse::BookingIsKept.into());
        }
        if name == REGISTER_WEBHOOK.name {
            return Err(Misuse::WebhookIsKept.into());
        }
        let order_id = parameters.iter().find(|(parameter, _)| parameter == "orderId").map(|(_, value)| value);
        if let (true, Some(order_id), Ok(ledger)) = (name == CANCEL_SHIPMENT.name, order_id, self.read_ledger())
            && let Some(number) = ledger.number_of_shipment(&self.config.service_key()?, order_id)?
        {
            return Err(Misuse::CancellationIsKept { number }.into());
        }
        Ok(PreparedCall { entry, parameters, body })
    }

    /// Makes a call and gives the answer as it came.
    ///
    /// # Errors
    /// The service said no, or could not be asked.
    pub fn call(&self, call: &PreparedCall) -> Result<PlainAnswer> {
        let PreparedCall { entry, parameters, body } = call;
        self.plain_answer(entry, parameters, body.clone())
    }

    pub(super) fn plain_answer(
        &self,
        entry: &Entry,
        parameters: &[(String, String)],
        body: Option<Vec<u8>>,
    ) -> Result<PlainAnswer> {
        let connection = self.connection(1)?;
        let answer = self.runtime()?.block_on(connection.caller().plain(entry, parameters, body))?;
        let says_no = Json::parse(answer.get().as_bytes()).and_then(|json| error_in(entry, &json));
        Ok(PlainAnswer { answer, says_no })
    }

    /// The couriers of the account.
    ///
    /// # Errors
    /// Nobody has said where they are listed; the service said no, or could not be asked.
    pub fn couriers(&self) -> Result<Vec<NamedCourier>> {
        self.config.operations()?.of(&LIST_COURIERS).address(&[])?;
        let connection = self.connection(1)?;
        Ok(self.runtime()?.block_on(connection.caller().couriers())?)
    }
}
