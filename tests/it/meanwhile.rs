//! Sheets between their plan and their run, and after it: things said meanwhile are heeded or wait, and a finished sheet goes with time.

use std::sync::mpsc::channel;

use shipsheet::app::draft::{self, DraftAnswer};
use shipsheet::app::{Error, PlanOptions, TakeUp};
use shipsheet::book::StopSignal;
use shipsheet::config::BookingOptions;
use shipsheet::event::Stream;
use shipsheet::finding::english::plain_words;
use shipsheet::sandbox::{self, Options, Sandbox};

use crate::drafts::{Desk, answer, booked, dropped, sheet};
#[cfg(unix)]
use crate::rig::{Rig, sheet_of, wait_until};

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
    assert_eq!(
        draft::of_run(&app.read_ledger().unwrap(), 1).unwrap().map(|own| own.id).as_ref(),
        Some(&id),
        "noted with the run itself"
    );
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

#[test]
fn a_finished_sheet_goes_with_time_once_it_keeps_nothing_back() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let service = runtime.block_on(Sandbox::start(Options::default())).unwrap();
    service.script_order("SB-1", [sandbox::Answer::Status(422, r#"{"message":["try again"]}"#.to_owned())]);
    let desk = Desk::new();
    let app = desk.app_of(&service, "");
    let mut draft = dropped(&app, "orders.csv", sheet(2, |_, _| {}).as_bytes());
    booked(&app, &mut draft);
    answer(&app, &mut draft, DraftAnswer::LeaveOut { orders: vec!["SB-1".into()] });
    let entry = || draft::all(&app.read_ledger().unwrap()).unwrap().entries.remove(0);
    assert!(entry().is_over && entry().rest.keeps_back, "{:?}", entry());
    assert_eq!(app.clear_drafts(i64::MAX).unwrap(), 0, "a retry would send it");
    app.give_up(&["SB-1".to_owned()], "no longer wanted").unwrap();
    draft.recheck(&app, &mut Stream::silent()).unwrap();
    draft.close(&app, &mut Stream::silent()).unwrap();
    assert!(entry().is_over && !entry().rest.keeps_back, "{:?}", entry());
    assert!(app.read_ledger().unwrap().draft_holds(None).unwrap().is_empty());
    assert_eq!(app.clear_drafts(i64::MAX).unwrap(), 1);
    runtime.block_on(service.shutdown());
}

#[test]
fn rows_to_fix_have_the_reasons_of_their_run_though_nothing_would_hold_them_now() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let service = runtime.block_on(Sandbox::start(Options::default())).unwrap();
    let desk = Desk::new();
    let app = desk.app_of(&service, "");
    let without_length = sheet(3, |order, cells| {
        if order == 1 {
            cells[10].clear();
        }
    });
    let mut draft = dropped(&app, "orders.csv", without_length.as_bytes());
    booked(&app, &mut draft);
    for setting in ["", "[defaults]\n\"parcelAttributes.dimension.length\" = \"30\"\n"] {
        let app = desk.app_of(&service, setting);
        let ledger = app.read_ledger().unwrap();
        let mut as_booked = app.draft_as_booked(&ledger, draft.id(), 1).unwrap();
        let to = desk.folder.path().join("fix.csv");
        assert_eq!(
            as_booked.save_to_fix(&app, 1, &to, &plain_words()).unwrap().map(|made| made.rows),
            Some(1),
            "{setting}"
        );
        let text = std::fs::read_to_string(&to).unwrap();
        let row = text.lines().find(|line| line.contains("SB-1")).unwrap_or_else(|| panic!("{text}"));
        assert!(
            text.trim_start_matches('\u{feff}').starts_with("Order Number,") && row.contains("Length"),
            "{setting} {text}"
        );
        std::fs::remove_file(to).unwrap();
    }
    runtime.block_on(service.shutdown());
}

#[cfg(unix)]
#[test]
fn an_unattended_import_holds_nobody_up_while_it_asks_for_a_token() {
    let rig = Rig::booked("", 1);
    let waits = "touch asked; n=0; while [ ! -e go ] && [ $n -lt 6000 ]; do sleep 0.02; n=$((n+1)); done; rm -f go";
    rig.file("shipsheet.toml", &format!("token_command = \"{waits}; echo {}\"\n", sandbox::DEFAULT_TOKEN));
    std::fs::create_dir_all(rig.path("in")).unwrap();
    // A night asks once for all its sheets as well.
    for (orders, name, command, asks) in [
        (3, "orders.csv", &["import", "orders.csv", "--yes"][..], 1),
        (5, "in/night.csv", &["watch", "in", "--once", "--rest", "0"][..], 2),
    ] {
        rig.file(name, &sheet_of(orders));
        let arguments = [command, &["--config", "shipsheet.toml"]].concat();
        let mut import = rig.live_by(&["env", "-u", "SHIPSHEET_TOKEN"], "import", &arguments);
        let mut asked = 0;
        loop {
            wait_until("a token is asked for", || rig.path("asked").exists() || !import.runs());
            if !import.runs() {
                break;
            }
            rig.database().execute_batch("BEGIN IMMEDIATE; ROLLBACK").unwrap();
            asked += 1;
            std::fs::remove_file(rig.path("asked")).unwrap();
            rig.file("go", "");
        }
        import.end().exits(0);
        assert_eq!((rig.bookings().len(), asked), (orders, asks), "{name}");
    }
}
