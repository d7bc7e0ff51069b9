//! The use cases: one function for each thing that a person does with shipsheet, for any face to call.
//!
//! Typed in, typed out, events between. Nothing here prints, asks, or knows a flag or a terminal; what it cannot decide
//! comes back as a typed question or caution. Calls block: a face that has a runtime of its own calls from a thread.
//!
//! ```text
//! App::open(config)
//!  ├─ read(sheets) ─▶ Reading                    columns decided, questions about layouts; nothing recorded
//!  │    └─ preview(reading)                      what would be sent beside what the ledger knows; nothing written
//!  ├─ import(reading) ─▶ Imported                a run that nobody watches
//!  ├─ session(what) ─▶ Session                   the ledger, for this process alone
//!  │    ├─ drive(orders, face)                   every run, from couriers and plan to its end; it calls the next three
//!  │    ├─ plan(reading) ─▶ Plan ─▶ stage() ─▶ Staged ─▶ session.book(…) ─▶ Ended
//!  │    ├─ take_up(resume or retry) ─▶ Plan      the same, from the ledger alone
//!  │    └─ settle_booked, settle_not_booked, abandon, …
//!  └─ standing, runs, order, doubts, shipments, labels, tracking, …
//! ```

mod accept;
mod addresses;
mod amounts;
mod aside;
mod back;
mod backups;
mod book;
mod bulk;
mod cancel;
mod caution;
mod clues;
mod change;
mod connect;
mod couriers;
mod dismiss;
mod doubts;
pub mod draft;
mod drive;
pub mod english;
mod error;
mod exit;
mod explain;
mod export;
mod field_names;
mod first;
mod import;
mod kept;
mod labels;
mod last_sheet;
mod layout;
mod ledgers;
mod orders;
mod own;
mod packing;
mod plan;
mod preview;
mod probe;
mod profiles;
mod purge;
mod reading;
mod reconciled;
mod rejects;
mod report;
mod rerun;
mod room;
mod rules;
mod runs_meant;
mod sent;
mod service;
mod session;
mod shipments;
mod standing;
mod stations;
mod status;
mod taken;
mod values;
mod waiting;
mod warehouses;
mod webhooks;
mod who;
mod written;

pub use crate::column::decide::{ValueKind, ValueQuestion};
pub use crate::profile::{AmountUse, Feeding, Meaning};
pub use accept::{AcceptedOrders, HeldByRule, UnusedAcceptance};
pub use addresses::{Addresses, ServiceWord};
pub use aside::create_private;
pub use back::ToldShop;
pub use backups::{Backup, BackupEnd};
pub use book::{Ended, Trouble, Unwritten, Written};
pub use bulk::{NoSteps, RoutesFound, Steps};
pub use cancel::{Cancellation, ToCancel};
pub use caution::Caution;
pub use clues::{Clue, clues, known_awb, odd_awb, why_in_doubt, wrong_awb};
pub use connect::{App, Connection};
pub use couriers::{
    Asked, CourierAnswers, CourierOptions, CourierQuestion, Demand, Pickups, RouteEnd, RoutesAsked, SheetRoutes, pin,
};
pub use doubts::{CompareOptions, Listed, Reconciled};
pub use drive::{Answer, Drive, Face, Left, OrdersFrom, SheetOrders, Why};
pub use error::{Error, Mismatch, Misuse, NewHost, Result};
pub use exit::Exit;
pub use explain::{
    ColumnReason, ColumnRole, Explained, ExplainedColumn, ExplainedFinding, ExplainedRemark, Outcome, RemarkMeaning,
};
pub use export::{Export, ExportOptions};
pub use field_names::FieldNames;
pub use first::{FirstLogin, FirstSaid, FirstStep, TRY_ONE_ORDER};
pub use import::{ImportEnd, ImportOptions, Imported};
pub use kept::{KeptBack, LedgerMark};
pub use labels::{LabelOptions, LabelOrder, Labels};
pub use last_sheet::LastSheet;
pub use layout::{
    AmountQuestion, LayoutAnswer, LayoutChange, LayoutQuestion, MeasureAsks, MeasureQuestion, UnknownAmounts,
    UnknownLayout, UnknownLines, UnknownMeasure, UnknownValues,
};
pub use orders::{OrderEntry, OrderQuery, OrdersFound, REQUESTS_SEARCHED, Receiver};
pub use own::{OwnFiles, Rejects};
pub use packing::{PickLine, pick_list};
pub use plan::{Plan, PlanCounts, PlanOptions, Staged};
pub use preview::Preview;
pub use probe::{Probe, ProbeEnd, ProbeOptions};
pub use profiles::{Fit, Kept, Proposal, SheetFit, name_refusal, profile_name};
pub use purge::Removal;
pub use reading::Reading;
pub use rejects::RejectsOptions;
pub use report::{
    Amounts, Balance, Balanced, Before, Breakdown, By, Day, EvidenceEnd, FailedOrders, Latency, Line, Money, OpenLine,
    PlaceSeen, Report, ReportOf, ReportOptions, RunLine, Speed, Status, UnsentLine, WholeLedger,
};
pub use rerun::{LeftAlone, NotFailed, TakeUp};
pub use room::{FILES_PER_REQUEST, RoomError, let_large_writes_fail, make_room, runtime};
pub use rules::{RUNS_COUNTED, RuleEntry, RuleOptions};
pub use runs_meant::{Covered, RunsMeant};
pub use sent::{Sent, SentProduct, SentValue};
pub use service::{LoggedIn, PlainAnswer, PreparedCall, TokenFrom};
pub use session::{Opening, Session};
pub use shipments::{Chosen, Ends, Fault, Which};
pub use standing::{FUNDS, FailedCause, Open, Standing, ToFixIn, failed_because};
pub use stations::{StationLine, stations};
pub use status::{RunEntry, RunStatus, STATES};
pub use taken::{OwnResumed, Resumed, TakenBook};
pub use waiting::WaitingSheets;
pub use warehouses::{Warehouse, WarehouseCall, WarehouseColumns, WarehouseOutcome, WarehousePlan};
pub use webhooks::{Received, Registered};
#[cfg(unix)]
pub use who::home_of;
pub use who::{host, user};
