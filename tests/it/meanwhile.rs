//! Nothing is said of a sheet between the moment in which a plan is made and the one in which its run is recorded: what was said
//! before is heeded, and what comes meanwhile waits.

use std::sync::mpsc::channel;

use shipsheet::app::draft::DraftAnswer;
use shipsheet::app::{Error, PlanOptions, TakeUp};
use shipsheet::book::StopSignal;
use shipsheet::config::BookingOptions;
use shipsheet::event::Stream;
use shipsheet::sandbox::{Options, Sandbox};

use crate::drafts::{Desk, answer, dropped, sheet};

#[test]
fn what_is_said_before_a_run_is_recorded_is_heeded() {
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
        meanwhile();
        draft.plan(&mut session, PlanOptions::default(), &mut |_| {}, &mut Stream::silent()).err()
    };
    assert!(matches!(staged_after(&id, &|| leave_out("SB-0")), Some(Error::DraftChanged)));
    // The sheet is discarded.
    let gone = dropped(&app, "gone.csv", sheet(3, |_, cells| cells[0] += "G").as_bytes()).id().to_owned();
    assert!(matches!(staged_after(&gone, &|| app.clear_draft(&gone, None).unwrap()), Some(Error::NoDraft)));
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
    // An answer that comes while the plan may still be recorded waits for that, or for its end.
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        scope.spawn(move || {
            leave_out("SB-1");
            sender.send(()).unwrap();
        });
        assert_eq!(plan.as_ref().unwrap().counts().ledger.to_send.orders, 1);
        drop(plan);
        receiver.recv().unwrap();
    });
    let (plan, left) = session.take_up(&TakeUp::Outstanding { run: None }, silent).unwrap();
    assert!(plan.is_none() && left.kept_back.len() == 1);
    drop(plan);
    drop(session);
    runtime.block_on(service.shutdown());
}
