//! What an import or a check of a sheet came to: its exit code, its document, its problems and the requests that were booked.

use std::fmt;

use serde_json::Value;

/// What an import or a check came to.
///
/// Problems are recognised by their code, place, order and what was found; `says` and `advises` are for tests whose subject is
/// the wording.
pub(crate) struct Came {
    pub(crate) exit: i32,
    pub(crate) document: Value,
    pub(crate) problems: Vec<Problem>,
    /// What the service has booked so far, by order number.
    pub(crate) requests: Vec<(String, Value)>,
    /// The command and the sheet, for whoever reads that a test failed.
    pub(crate) of: String,
}

/// A problem of the document; what it has nothing of is blank.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Problem {
    pub(crate) code: String,
    /// Which case of the code it is.
    pub(crate) case: String,
    pub(crate) severity: String,
    /// `orders.csv:4 "Phone"` or `Orders!F27`.
    pub(crate) place: String,
    pub(crate) order: String,
    pub(crate) field: String,
    pub(crate) found: String,
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl Came {
    pub(crate) fn new(exit: i32, document: Value, requests: Vec<(String, Value)>, of: String) -> Self {
        let problems = document["problems"].as_array().unwrap_or_else(|| panic!("no problems in {document:#}"));
        let problems = problems.iter().map(Problem::new).collect();
        Self { exit, document, problems, requests, of }
    }

    pub(crate) fn codes(&self) -> Vec<&str> {
        self.problems.iter().map(|problem| problem.code.as_str()).collect()
    }

    /// All problems of a code.
    pub(crate) fn all(&self, code: &str) -> Vec<&Problem> {
        self.problems.iter().filter(|problem| problem.code == code).collect()
    }

    pub(crate) fn has(&self, code: &str) -> bool {
        self.problems.iter().any(|problem| problem.code == code)
    }

    /// The only problem of a code.
    #[track_caller]
    pub(crate) fn only(&self, code: &str) -> Problem {
        let [problem] = self.all(code)[..] else { panic!("not one {code}: {self:?}") };
        problem.clone()
    }

    /// The first problem of a code.
    #[track_caller]
    pub(crate) fn first(&self, code: &str) -> Problem {
        let first = self.problems.iter().find(|problem| problem.code == code);
        first.unwrap_or_else(|| panic!("no {code}: {self:?}")).clone()
    }

    pub(crate) fn errors(&self) -> Vec<&Problem> {
        self.problems.iter().filter(|problem| problem.is_error()).collect()
    }

    /// Place and code of each problem of this severity.
    pub(crate) fn places(&self, severity: &str) -> Vec<String> {
        let of = self.problems.iter().filter(|problem| problem.severity == severity);
        of.map(|problem| format!("{} {}", problem.place, problem.code)).collect()
    }

    /// What holds orders back: the order, the code and the place of each error.
    pub(crate) fn held_back(&self) -> Vec<(&str, &str, &str)> {
        let held = self.problems.iter().filter(|own| own.is_error());
        held.map(|own| (own.order.as_str(), own.code.as_str(), own.place.as_str())).collect()
    }

    /// What was found where a problem of this code is.
    pub(crate) fn found(&self, code: &str) -> Vec<&str> {
        self.all(code).into_iter().map(|problem| problem.found.as_str()).collect()
    }

    /// How many of the rows that were read are so: `skipped`, `invalid` …
    pub(crate) fn rows(&self, so: &str) -> u64 {
        self.document["rows"][so].as_u64().unwrap()
    }

    /// How many of the orders are so: `total`, `booked`, `invalid` …
    pub(crate) fn orders(&self, so: &str) -> u64 {
        self.document["orders"][so].as_u64().unwrap()
    }

    /// The numbers of the orders that are booked.
    pub(crate) fn booked(&self) -> Vec<&str> {
        self.requests.iter().map(|(number, _)| number.as_str()).collect()
    }

    /// The request of a booked order.
    #[track_caller]
    pub(crate) fn request_of(&self, number: &str) -> &Value {
        let found = self.requests.iter().find(|(of, _)| of == number);
        &found.unwrap_or_else(|| panic!("{number} is not booked: {self:?}")).1
    }

    /// The only request.
    #[track_caller]
    pub(crate) fn request(&self) -> &Value {
        let [(_, request)] = &self.requests[..] else { panic!("not one request: {self:?}") };
        request
    }

    /// Something of each request, in the sequence of the order numbers.
    pub(crate) fn sent<'c, T>(&'c self, of: impl Fn(&'c Value) -> T) -> Vec<T> {
        self.requests.iter().map(|(_, request)| of(request)).collect()
    }

    /// How each order is paid.
    pub(crate) fn payments(&self) -> Vec<&str> {
        self.sent(|request| request["shippingProperties"]["orderType"].as_str().unwrap_or_default())
    }
}

/// Assertions.
impl Came {
    #[track_caller]
    pub(crate) fn exits(&self, exit: i32) -> &Self {
        assert_eq!(self.exit, exit, "{self:?}");
        self
    }

    /// It exits so, and so many orders are booked by now.
    #[track_caller]
    pub(crate) fn books(&self, exit: i32, orders: usize) -> &Self {
        assert_eq!((self.exit, self.requests.len()), (exit, orders), "exit code and orders: {self:?}");
        self
    }

    /// The one order goes, whatever is pointed out; gives its request.
    #[track_caller]
    pub(crate) fn goes(&self) -> Value {
        self.books(0, 1).request().clone()
    }

    /// The one order goes, and nothing is pointed out.
    #[track_caller]
    pub(crate) fn goes_silently(&self) -> Value {
        assert!(self.problems.is_empty(), "{self:?}");
        self.goes()
    }

    /// The one order goes, and so much is collected at the door.
    #[track_caller]
    pub(crate) fn collects(&self, amount: &str) -> &Self {
        assert_eq!(collected(&self.goes()), amount, "{self:?}");
        self
    }

    /// The one order goes, with a warning of this code before all others; gives that.
    #[track_caller]
    pub(crate) fn warned(&self, code: &str) -> Problem {
        let first = self.books(0, 1).tells_first(code);
        first.is_warning();
        first
    }

    /// So much is pointed out, or holds something.
    #[track_caller]
    pub(crate) fn tells(&self, problems: usize) -> &Self {
        assert_eq!(self.problems.len(), problems, "{self:?}");
        self
    }

    /// The first problem, which is of this code.
    #[track_caller]
    pub(crate) fn tells_first(&self, code: &str) -> Problem {
        let Some(first) = self.problems.first() else { panic!("tells nothing: {self:?}") };
        assert_eq!(first.code, code, "{self:?}");
        first.clone()
    }

    /// Nothing goes.
    #[track_caller]
    pub(crate) fn stays(&self) -> &Self {
        self.books(3, 0)
    }

    /// Nothing goes, and every error is of this code; gives the first.
    #[track_caller]
    pub(crate) fn held(&self, code: &str) -> Problem {
        let errors = self.stays().errors();
        assert!(!errors.is_empty() && errors.iter().all(|error| error.code == code), "{code}: {self:?}");
        errors[0].clone()
    }

    /// Nothing goes, and the first of its errors is of this code; gives that.
    #[track_caller]
    pub(crate) fn held_first(&self, code: &str) -> Problem {
        let errors = self.stays().errors();
        assert_eq!(errors.first().map(|error| error.code.as_str()), Some(code), "{self:?}");
        errors[0].clone()
    }

    /// Nothing goes, because of one error: of this code, in a cell of this column.
    #[track_caller]
    pub(crate) fn held_at(&self, code: &str, column: &str) -> Problem {
        let held = self.held(code);
        assert!(self.errors().len() == 1 && held.place.ends_with(&format!("\"{column}\"")), "{column}: {self:?}");
        held
    }
}

impl fmt::Debug for Came {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "exit code {}, booked {:?}, of {}", self.exit, self.booked(), self.of)?;
        self.problems.iter().try_for_each(|problem| writeln!(formatter, "{problem:#?}"))
    }
}

impl Problem {
    pub(crate) fn new(problem: &Value) -> Self {
        let of = |key: &str| problem[key].as_str().unwrap_or_default().to_owned();
        Self {
            code: of("code"),
            case: of("case"),
            severity: of("severity"),
            place: of("place"),
            order: of("order"),
            field: of("field"),
            found: of("found"),
            message: of("message"),
            hint: of("hint"),
        }
    }

    pub(crate) fn is_error(&self) -> bool {
        self.severity == "error"
    }
}

/// Assertions; each gives the problem back, so that one may follow another.
impl Problem {
    /// It is at the cell of this column, in this row of `orders.csv`.
    #[track_caller]
    pub(crate) fn is_at(&self, row: usize, column: &str) -> &Self {
        assert_eq!(self.place, format!("orders.csv:{row} \"{column}\""), "{self:#?}");
        self
    }

    /// The same in any file.
    #[track_caller]
    pub(crate) fn is_in(&self, place: &str) -> &Self {
        assert_eq!(self.place, place, "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn is_warning(&self) -> &Self {
        assert_eq!(self.severity, "warning", "{self:#?}");
        self
    }

    /// It holds its order.
    #[track_caller]
    pub(crate) fn holds(&self) -> &Self {
        assert!(self.is_error(), "{self:#?}");
        self
    }

    /// The message has these words in it.
    #[track_caller]
    pub(crate) fn says(&self, words: impl AsRef<str>) -> &Self {
        assert!(self.message.contains(words.as_ref()), "says nothing of {:?}: {self:#?}", words.as_ref());
        self
    }

    /// The message ends with these words.
    #[track_caller]
    pub(crate) fn says_last(&self, words: &str) -> &Self {
        assert!(self.message.ends_with(words), "does not end with {words:?}: {self:#?}");
        self
    }

    /// The message has none of these words in it.
    #[track_caller]
    pub(crate) fn says_nothing_of(&self, words: impl AsRef<str>) -> &Self {
        assert!(!self.message.contains(words.as_ref()), "says {:?}: {self:#?}", words.as_ref());
        self
    }

    /// The hint has these words in it.
    #[track_caller]
    pub(crate) fn advises(&self, words: impl AsRef<str>) -> &Self {
        assert!(self.hint.contains(words.as_ref()), "advises nothing of {:?}: {self:#?}", words.as_ref());
        self
    }

    /// The hint begins with these words.
    #[track_caller]
    pub(crate) fn advises_first(&self, words: &str) -> &Self {
        assert!(self.hint.starts_with(words), "does not begin with {words:?}: {self:#?}");
        self
    }

    /// The hint has none of these words in it.
    #[track_caller]
    pub(crate) fn advises_nothing_of(&self, words: impl AsRef<str>) -> &Self {
        assert!(!self.hint.contains(words.as_ref()), "advises {:?}: {self:#?}", words.as_ref());
        self
    }
}

/// What a request has collected at the door, to the cent.
pub(crate) fn collected(request: &Value) -> String {
    let amounts = &request["shippingProperties"];
    let of = |name: &str| amounts[name].as_f64().unwrap();
    format!("{:.2}", of("subTotal") + of("shippingCharges") + of("otherCharges") - of("discount"))
}

/// What a request says of its parcel: `30x20x5 cm 0.5 kg`.
pub(crate) fn parcel(request: &Value) -> String {
    let (sides, weight) = (&request["parcelAttributes"]["dimension"], &request["parcelAttributes"]["weight"]);
    let text = |value: &Value| value.to_string().trim_matches('"').trim_end_matches(".0").to_owned();
    let dimension = ["length", "width", "height"].map(|side| text(&sides[side])).join("x");
    format!("{dimension} {} {} {}", text(&sides["unit"]), text(&weight["weight"]), text(&weight["unit"]))
}

/// Asserts the values of a request at paths such as `/receiver/firstName`.
#[track_caller]
pub(crate) fn has(request: &Value, values: &[(&str, Value)]) {
    for (path, value) in values {
        assert_eq!(request.pointer(path), Some(value), "{path} in {request:#}");
    }
}
