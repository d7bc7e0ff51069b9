//! What is said between the plan and its run holds: nothing that it keeps back is sent.

use shipsheet::app::draft::DraftAnswer;
use shipsheet::app::{Error, PlanOptions, TakeUp};
use shipsheet::book::StopSignal;
use shipsheet::config::{BookingOptions, Sheets};
use shipsheet::event::Stream;
use shipsheet::sandbox::{Options, Sandbox};

use crate::drafts::{ADDRESS, Desk, answer, dropped, edit, sheet};

#[test]
fn what_is_said_between_the_plan_and_its_run_is_heeded() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let service = runtime.block_on(Sandbox::start(Options::default())).unwrap();
    let desk = Desk::new();
    let app = desk.app_of(&service, "");
    let id = dropped(&app, "orders.csv", sheet(2, |_, _| {}).as_bytes()).id().to_owned();
    let leave_out = |number: &str| {
        answer(&app, &mut app.draft(&id).unwrap(), DraftAnswer::LeaveOut { orders: vec![number.into()] });
    };
    let checked = |id: &str| {
        let mut draft = app.draft(id).unwrap();
        draft.check(&app, &mut Stream::silent()).unwrap();
        draft
    };
    let mut session = app.session("desk").unwrap();
    let silent = &mut Stream::silent();
    let mut staged_after = |id: &str, meanwhile: &dyn Fn()| {
        let draft = checked(id);
        let plan = draft.plan(&mut session, PlanOptions::default(), &mut |_| {}, &mut Stream::silent()).unwrap();
        meanwhile();
        plan.stage(&[], &mut Stream::silent()).err()
    };
    assert!(matches!(staged_after(&id, &|| leave_out("SB-0")), Some(Error::DraftChanged)));
    // The sheet is discarded.
    let gone = dropped(&app, "gone.csv", sheet(3, |_, cells| cells[0] += "G").as_bytes()).id().to_owned();
    assert!(matches!(staged_after(&gone, &|| app.clear_draft(&gone).unwrap()), Some(Error::NoDraft)));
    assert!(app.read_ledger().unwrap().runs(1).unwrap().is_empty(), "nothing is recorded");

    let draft = checked(&id);
    let plan = draft.plan(&mut session, PlanOptions::default(), &mut |_| {}, silent).unwrap();
    let staged = plan.stage(&[], silent).unwrap();
    assert_eq!(app.draft_of_run(1).as_ref(), Some(&id), "noted with the run itself");
    let (booking, stop) = (app.config().booking(&BookingOptions::default()), StopSignal::default());
    stop.drain();
    drop(session.book(staged, &booking, Some(app.connect(&booking).unwrap()), stop, Stream::silent()).unwrap());
    let mut session = app.session("desk").unwrap();
    let (plan, left) = session.take_up(&TakeUp::Outstanding { run: None }, silent).unwrap();
    assert_eq!(left.kept_back, []);
    leave_out("SB-1");
    let refused = plan.unwrap().stage(&[], silent);
    assert!(matches!(refused, Err(Error::KeptSince { ref order, .. }) if order == "SB-1"));
    drop(refused);
    assert!(session.take_up(&TakeUp::Outstanding { run: None }, silent).unwrap().0.is_none());
    drop(session);
    runtime.block_on(service.shutdown());
}

#[test]
fn whoever_keeps_an_order_by_now_is_asked_though_another_one_kept_it_before() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let service = runtime.block_on(Sandbox::start(Options::default())).unwrap();
    let desk = Desk::new();
    let app = desk.app_of(&service, "");
    let id = dropped(&app, "orders.csv", sheet(2, |_, _| {}).as_bytes()).id().to_owned();
    let says = |said: DraftAnswer| drop(answer(&app, &mut app.draft(&id).unwrap(), said));
    says(edit(2, ADDRESS, "15 New Road"));
    // A copy with that very correction: that sheet would send it just so.
    let path = desk.folder.path().join("fixed.csv");
    let correct = |number, cells: &mut Vec<String>| {
        if number == 0 {
            cells[ADDRESS as usize] = "15 New Road".to_owned();
        }
    };
    std::fs::write(&path, sheet(2, correct)).unwrap();
    let reading = app.read(&Sheets::of([path]), &mut Stream::silent()).unwrap();
    let mut session = app.session("desk").unwrap();
    let mut kept_after = |meanwhile: &dyn Fn()| {
        let plan = session.plan(&reading, PlanOptions::default(), &mut |_| {}, &mut Stream::silent()).unwrap();
        assert_eq!(plan.counts().ledger.to_send.orders, 2);
        meanwhile();
        match plan.stage(&[], &mut Stream::silent()).err() {
            Some(Error::KeptSince { order, .. }) => order,
            other => panic!("{other:?}"),
        }
    };
    let orders = || vec!["SB-0".to_owned()];
    assert_eq!(kept_after(&|| says(DraftAnswer::Hold { orders: orders() })), "SB-0");
    says(DraftAnswer::Release { orders: orders() });
    drop(session);
    runtime.block_on(service.shutdown());
}
