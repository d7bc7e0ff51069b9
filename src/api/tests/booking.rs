//! Booking through a caller: how many POSTs leave, and what is said of them.

use crate::api::outcome::{Outcome, Signal};
use crate::api::wire::{Address, Common, ForwardShipment, ForwardShipmentV1, ProductLine};
use crate::api::{
    Attempt, BookingRequest, CallError, Caller, Client, ClientOptions, Endpoint, Login, Pace, SecretSource, Token,
    TokenError, TokenKeeper, TokenSource,
};
use crate::sandbox::{Answer, DEFAULT_EMAIL, DEFAULT_PASSWORD, DEFAULT_TOKEN, Options, Sandbox};

const ORDER: &str = "A-1";

/// A sandbox and a caller whose tokens come from a login there.
struct Bench {
    sandbox: Sandbox,
    client: Client,
    caller: Caller,
}

impl Bench {
    async fn new() -> Self {
        let sandbox = Sandbox::start(Options::default()).await.unwrap();
        let client = Client::new(ClientOptions::new(Endpoint::parse(&sandbox.base_url()).unwrap())).unwrap();
        let login = Login {
            client: client.clone(),
            email: DEFAULT_EMAIL.to_owned(),
            password: SecretSource::Given(DEFAULT_PASSWORD.to_owned().into()),
            renew_after: Login::RENEW_AFTER,
        };
        let caller = Caller::new(client.clone(), TokenKeeper::new(TokenSource::Login(Box::new(login))));
        Self { sandbox, client, caller }
    }

    /// Books the order after these answers: what came of it, and POSTs, bookings and logins.
    async fn book(&self, answers: impl IntoIterator<Item = Answer>) -> (Result<Attempt, CallError>, [u64; 3]) {
        self.sandbox.script_order(ORDER, answers);
        let attempt = self.caller.book(&shipment()).await;
        (attempt, self.counts())
    }

    fn counts(&self) -> [u64; 3] {
        let book = self.sandbox.book();
        [book.requests() - book.logins(), book.bookings().len() as u64, book.logins()]
    }
}

fn shipment() -> ForwardShipment<'static> {
    let common = Common {
        order_number: ORDER.into(),
        order_created_at: "1700000000000".into(),
        product_requests_list: vec![ProductLine::default()],
        ..Common::default()
    };
    ForwardShipment { common, warehouse_id: "WH-1".into(), return_address_id: None }
}

fn refused_token() -> Answer {
    Answer::Status(401, r#"{"message": "jwt expired"}"#.to_owned())
}

fn is_booked(attempt: &Result<Attempt, CallError>) -> bool {
    matches!(attempt, Ok(attempt) if matches!(attempt.verdict.outcome, Outcome::Booked(_)))
}

#[tokio::test]
async fn an_order_is_booked_with_one_post() {
    let bench = Bench::new().await;
    let (attempt, counts) = bench.book([]).await;
    assert!(is_booked(&attempt), "{attempt:?}");
    assert_eq!(counts, [1, 1, 1]);
    assert_eq!(bench.sandbox.book().bookings()[0].body, shipment().to_json());
}

/// Promise 1: a request is sent again by itself only if its token was refused and nothing speaks of a booking.
#[tokio::test]
async fn a_refused_token_is_renewed_and_the_same_request_goes_again() {
    let bench = Bench::new().await;
    let (attempt, counts) = bench.book([refused_token()]).await;
    assert!(is_booked(&attempt), "{attempt:?}");
    assert_eq!(counts, [2, 1, 2], "one POST that was turned away, and one with the token of a second login");
}

#[tokio::test]
async fn a_token_that_is_refused_twice_is_not_tried_a_third_time() {
    let bench = Bench::new().await;
    let (attempt, counts) = bench.book([refused_token(), refused_token()]).await;
    assert!(attempt.as_ref().is_ok_and(Attempt::is_turned_away), "{attempt:?}");
    assert_eq!(counts, [2, 0, 2]);
}

/// Promise 1: a request is sent again by itself only if its token was refused and nothing speaks of a booking.
#[tokio::test]
async fn whatever_else_comes_back_nothing_goes_again() {
    let holds_awb = r#"{"message": "jwt expired", "data": {"awb": "SBX1"}}"#;
    let duplicate = r#"{"message": "this order is already booked"}"#;
    let cases = [
        ("a pause", Answer::TooMany(0)),
        ("a refusal", Answer::Status(400, "{}".to_owned())),
        ("no right", Answer::Status(403, "{}".to_owned())),
        ("a failure", Answer::Status(500, "{}".to_owned())),
        ("a redirect", Answer::Full(307, vec![("location".to_owned(), "/again".to_owned())], String::new())),
        ("a cut before the booking", Answer::CutBefore),
        ("a cut after the booking", Answer::CutAfter),
        ("a failure after the booking", Answer::BookedThen(502, "{}".to_owned())),
        ("a 401 that holds an AWB", Answer::BookedThen(401, holds_awb.to_owned())),
        ("a 401 that speaks of a booking", Answer::BookedThen(401, duplicate.to_owned())),
    ];
    for (what, answer) in cases {
        let bench = Bench::new().await;
        let may_be_booked = matches!(answer, Answer::CutAfter | Answer::BookedThen(..));
        let (attempt, [posts, ..]) = bench.book([answer]).await;
        let attempt = attempt.unwrap();
        assert_eq!(posts, 1, "{what}: {attempt:?}");
        assert!(!attempt.is_turned_away(), "{what}: {attempt:?}");
        let in_doubt = matches!(attempt.verdict.outcome, Outcome::InDoubt { .. });
        assert!(in_doubt || !may_be_booked, "{what}: {attempt:?}");
    }
}

#[tokio::test]
async fn an_error_means_that_nothing_was_booked() {
    let bench = Bench::new().await;
    let fixed = |token: &str| TokenKeeper::new(TokenSource::Fixed(Token::new(token).unwrap()));
    let error = Caller::new(bench.client.clone(), fixed("stale")).book(&shipment()).await.unwrap_err();
    assert!(matches!(error, CallError::Token(TokenError::Fixed)), "{error}");
    assert_eq!(bench.counts(), [1, 0, 0], "turned away, and there is no other token");
    let pace = Pace::default();
    pace.stop();
    let called_off = Caller::new(bench.client.clone(), fixed(DEFAULT_TOKEN)).paced(pace);
    assert!(matches!(called_off.book(&shipment()).await, Err(CallError::Stopped)));
    assert_eq!(bench.counts(), [1, 0, 0], "nothing leaves any more");
}

#[tokio::test]
async fn bytes_are_booked_as_they_are() {
    let bench = Bench::new().await;
    let body = String::from_utf8(shipment().to_json()).unwrap().replace(ORDER, "A-2").replace(',', ", ").into_bytes();
    let request = BookingRequest { body: body.clone().into(), order_number: "A-2".into(), order_created_ms: 1 };
    let attempt = bench.caller.book(request).await.unwrap();
    assert_eq!(attempt.verdict.signal, Signal::Clear);
    assert_eq!(bench.sandbox.book().bookings()[0].body, body);
    let (v2, v1) = (shipment(), ForwardShipmentV1 { common: shipment().common, ..ForwardShipmentV1::default() });
    for request in [BookingRequest::from(&v2), BookingRequest::try_from(&v1).unwrap()] {
        assert_eq!((request.order_number.as_ref(), request.order_created_ms), (ORDER, 1_700_000_000_000));
        assert!(!format!("{request:?}").contains("WH-1"));
    }
}

#[tokio::test]
async fn half_a_return_address_is_not_sent_and_none_is_the_origin() {
    let bench = Bench::new().await;
    let place = |city: &'static str| Address {
        address_line1: "7 Mill Road".into(),
        city: city.into(),
        state: "Maharashtra".into(),
        country: "India".into(),
        country_code: "IN".into(),
        pin_code: "411001".into(),
        ..Address::default()
    };
    let half = Address { city: "Goa".into(), ..Address::default() };
    for (number, return_address, sent_to) in
        [("whole", place("Goa"), Some("Goa")), ("half", half, None), ("none", Address::default(), Some("Pune"))]
    {
        let common = Common { order_number: number.into(), ..shipment().common };
        let v1 = ForwardShipmentV1 { common, origin: place("Pune"), return_address, ..ForwardShipmentV1::default() };
        match (bench.caller.book(&v1).await, sent_to) {
            (attempt @ Ok(_), Some(city)) => {
                assert!(is_booked(&attempt), "{attempt:?}");
                let bookings = bench.sandbox.book().bookings();
                let body: serde_json::Value = serde_json::from_slice(&bookings.last().unwrap().body).unwrap();
                assert_eq!(body["returnAddress"]["city"], city);
            }
            (Err(error @ CallError::HalfReturnAddress(_)), None) => {
                assert!(error.to_string().contains("lacks addressLine1, state") && !error.may_be_done(), "{error}");
                assert_eq!(bench.counts()[0], 1, "only the whole one has left");
            }
            (other, _) => panic!("{number}: {other:?}"),
        }
    }
    assert_eq!(bench.counts(), [2, 2, 1]);
}
