//! The first steps: what a shop says once, before its first order, whichever face asks for it.

use std::time::Duration;

use jiff::Timestamp;

use crate::api::operation::{LIST_WAREHOUSES, Method};
use crate::api::service::NamedWarehouse;
use crate::api::{CallError, Caller, Client, Endpoint, Login, SecretSource, Token, TokenKeeper, TokenSource};
use crate::config::{Edit, Secret, Service};
use crate::field::{Field, Id};

use super::connect::App;
use super::draft::fits;
use super::error::{Error, Misuse, Result};
use super::service::{LoggedIn, TokenFrom};

/// Said beside a warehouse id that could not be looked up.
pub const TRY_ONE_ORDER: &str = "This service does not list its warehouses here, so nobody can tell whether it knows the id: book one order alone first.";

/// A page of the desk waits no longer than this for the account's warehouses.
const LISTED_WITHIN: Duration = Duration::from_secs(3);
/// The name of the setting of the service's address.
const ADDRESS: &str = "base_url";
/// The name of the setting of where parcels are picked up.
const PICKUP_PIN: &str = "serviceability.pickup_pin";

/// A step, in the order in which they are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstStep {
    /// Where the service is.
    Address,
    /// An account or a token.
    Login,
    /// Where parcels are picked up.
    Warehouse,
    /// The usual parcel: length, width, height and weight.
    Parcel,
    /// The country that parcels go to.
    Country,
    /// The currency of prices.
    Currency,
}

impl FirstStep {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Address, Self::Login, Self::Warehouse, Self::Parcel, Self::Country, Self::Currency];

    /// The fields for which a value is said that every order gets.
    #[must_use]
    pub fn fields(self) -> Vec<&'static Field> {
        let ids: &[Id] = match self {
            Self::Address | Self::Login => &[],
            Self::Warehouse => &[Id::WarehouseId],
            Self::Parcel => &[Id::Length, Id::Width, Id::Height, Id::Weight],
            Self::Country => &[Id::DestinationCountryCode],
            Self::Currency => &[Id::CurrencyCode],
        };
        ids.iter().map(|id| id.field()).collect()
    }
}

/// The answers to the first steps.
#[derive(Clone)]
pub struct FirstSaid<'s> {
    /// Where the service is.
    pub address: &'s str,
    /// The account or token; `None` keeps the configured one.
    pub secret: Option<Secret<'s>>,
    /// Defaults of orders, by field.
    pub values: Vec<(&'static Field, String)>,
}

/// What came of trying an account or a token.
#[derive(Debug)]
pub struct FirstLogin {
    /// What the service said.
    pub logged_in: LoggedIn,
    /// The account's warehouses; none where the service does not list them.
    pub warehouses: Vec<NamedWarehouse>,
}

impl App {
    /// The steps, each with whether it is taken already.
    #[must_use]
    pub fn first_steps(&self) -> Vec<(FirstStep, bool)> {
        let is_taken = |step: FirstStep| match step {
            FirstStep::Address => self.config.service_key().is_ok(),
            FirstStep::Login => self.config.login_named().is_some(),
            // Sheets that name warehouses say it themselves.
            FirstStep::Warehouse if !self.config.warehouses().is_empty() => true,
            step => step.fields().iter().all(|field| self.first_value(field).is_some()),
        };
        FirstStep::ALL.into_iter().map(|step| (step, is_taken(step))).collect()
    }

    /// What every order gets under a field that says nothing else, as it is configured, or else usual.
    #[must_use]
    pub fn first_value(&self, field: &Field) -> Option<String> {
        let rules = self.config.rules(Timestamp::now(), None).ok()?;
        rules.default(field.id).map(str::to_owned)
    }

    /// Refuses a value that a setting cannot have, by its name in the file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn fits_setting(&self, name: &str, text: &str) -> Result<()> {
        match (name, name.strip_prefix("defaults.").and_then(Field::by_path)) {
            (ADDRESS, _) => {
                Endpoint::parse(text).map_err(|error| Misuse::Format(error.to_string()))?;
            }
            (PICKUP_PIN, _) if !text.is_empty() && !is_pin(text) => {
                return Err(Misuse::Format("a PIN code has six digits".to_owned()).into());
            }
            (_, Some(field)) => fits(field, text, &self.config.rules(Timestamp::now(), None)?)?,
            _ => {}
        }
        Ok(())
    }

    /// Tries what a person entered, which is kept nowhere yet: the login, and a call that changes nothing.
    ///
    /// # Errors
    /// The service does not take it, or could not be asked.
    pub fn first_login(&self, address: &Endpoint, secret: Secret<'_>) -> Result<FirstLogin> {
        let client = Client::new(self.config.client_options(address.clone(), 1)?)?;
        let source = match secret {
            Secret::Token(token) => TokenSource::Fixed(Token::new(token).map_err(Error::Token)?),
            Secret::Account { email, password } => TokenSource::Login(Box::new(Login {
                client: client.clone(),
                email: email.to_owned(),
                password: SecretSource::Given(password.to_owned().into()),
                renew_after: Login::RENEW_AFTER,
            })),
        };
        let (from, renewed_every) = match secret {
            Secret::Account { email, .. } => (TokenFrom::Account(email.to_owned()), Some(Login::RENEW_AFTER)),
            Secret::Token(_) => (TokenFrom::Typed, None),
        };
        let token = self.runtime()?.block_on(source.get()).map_err(Error::NoTokenGot)?;
        let tried = Some(self.try_token(&client, &token)?);
        let (service, life) = (address.origin().to_owned(), token.life(Timestamp::now()));
        let logged_in = LoggedIn { service, from, life, renewed_every, tried, used_instead: None };
        let caller = Caller::new(client, TokenKeeper::new(TokenSource::Fixed(token)));
        let warehouses = self.runtime()?.block_on(listed(&caller)).unwrap_or_default();
        Ok(FirstLogin { logged_in, warehouses })
    }

    /// The account's warehouses; none where the service does not list them, or nobody may ask it yet. It is asked once, and
    /// again after [`forget_warehouses`](Self::forget_warehouses) or with another account.
    #[must_use]
    pub fn account_warehouses(&self) -> Vec<NamedWarehouse> {
        let Service::At(Some(endpoint)) = self.config.service() else { return Vec::new() };
        let key = format!("{} {}", endpoint.origin(), self.config.login_mark("warehouses"));
        self.listed_once(&key, || self.ask_for_warehouses(endpoint).unwrap_or_default())
    }

    fn ask_for_warehouses(&self, endpoint: &Endpoint) -> Result<Vec<NamedWarehouse>> {
        // Where nobody has said where they are listed, no command needs to run for a token.
        self.config.operations()?.of(&LIST_WAREHOUSES).address(&[])?;
        let client = self.client(endpoint.clone(), 1)?;
        let caller = Caller::new(client.clone(), TokenKeeper::new(self.token_source(&client)?));
        let asked = async { tokio::time::timeout(LISTED_WITHIN, listed(&caller)).await };
        Ok(self.runtime()?.block_on(asked).ok().and_then(std::result::Result::ok).unwrap_or_default())
    }

    /// What the configuration becomes by what was said. Nothing is written.
    ///
    /// # Errors
    /// A configuration that cannot be changed.
    pub fn first_edit(&self, said: &FirstSaid<'_>) -> Result<Edit> {
        Ok(self.config.begin(&settings(said), said.secret)?)
    }

    /// The lines of a configuration that say it, each with what it is for.
    ///
    /// # Errors
    /// This machine tells no home folder.
    pub fn first_lines(&self, said: &FirstSaid<'_>) -> Result<String> {
        Ok(self.config.beginning(&settings(said), said.secret)?)
    }

    /// Keeps the secret in a file for its owner alone, writes the change, and notes that tokens may go to the service.
    ///
    /// # Errors
    /// A file cannot be written, or has changed meanwhile.
    pub fn keep_first(&self, said: &FirstSaid<'_>, edit: &Edit) -> Result<()> {
        self.config.write_with(edit, said.secret)?;
        // Whoever typed the address has said yes to it. If that cannot be noted, it is asked about again.
        let _ = self.config.remember_host(Endpoint::parse(said.address)?.origin());
        Ok(())
    }
}

async fn listed(caller: &Caller) -> Result<Vec<NamedWarehouse>, CallError> {
    if caller.entry(&LIST_WAREHOUSES).method == Method::Get { caller.warehouses().await } else { Ok(Vec::new()) }
}

/// What was said, by the names of settings.
fn settings(said: &FirstSaid<'_>) -> Vec<(String, String)> {
    let address = (ADDRESS.to_owned(), said.address.to_owned());
    let values = said.values.iter().map(|(field, text)| (format!("defaults.{}", field.path), text.clone()));
    std::iter::once(address).chain(values).collect()
}

fn is_pin(text: &str) -> bool {
    text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Overrides};

    fn app(folder: &std::path::Path, text: &str) -> App {
        if !text.is_empty() {
            std::fs::write(folder.join("shipsheet.toml"), text).unwrap();
        }
        App::open(Config::open(Overrides { folder: Some(folder.to_owned()), ..Overrides::default() }).unwrap())
    }

    #[test]
    fn a_step_is_taken_once_the_configuration_says_it() {
        let folder = tempfile::tempdir().unwrap();
        let taken = |text: &str| -> Vec<FirstStep> {
            let steps = app(folder.path(), text).first_steps();
            steps.into_iter().filter(|(_, taken)| *taken).map(|(step, _)| step).collect()
        };
        assert_eq!(taken(""), [FirstStep::Currency], "rupees are usual");
        let text = "base_url = \"https://a.example\"\ntoken_file = \"t\"\n[defaults]\nwarehouseId = \"WH-1\"\n";
        assert_eq!(taken(text), [FirstStep::Address, FirstStep::Login, FirstStep::Warehouse, FirstStep::Currency]);
    }

    #[test]
    fn what_no_setting_can_have_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let app = app(folder.path(), "");
        for (name, good, bad) in [
            (ADDRESS, "https://a.example", "a.example"),
            (PICKUP_PIN, "560001", "5600"),
            ("defaults.parcelAttributes.weight.weight", "0.5", "heavy"),
        ] {
            assert!(app.fits_setting(name, good).is_ok(), "{name}");
            assert!(app.fits_setting(name, bad).is_err(), "{name}");
        }
        assert!(app.fits_setting(PICKUP_PIN, "").is_ok(), "it may be taken out");
    }
}
