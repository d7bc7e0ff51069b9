//! Guards in the database: they refuse illegal changes, whatever bug in the program asks for one. Written once for both engines: a file
//! gets a trigger for each guard, a server a function and its trigger.

mod table;

use std::fmt::Write as _;

#[cfg(feature = "postgres")]
use super::db::server_dialect;

#[cfg(test)]
pub(super) use table::FINAL as FINAL_TABLES;
use table::{Case, FINAL, GUARDS, Guard, KEPT, ONCE};
#[cfg(feature = "postgres")]
use table::{FINAL_ON_SERVER, KEPT_ON_SERVER};

/// Tables whose rows never change, and go only when a person clears what they are of.
const CLEARED: &[(&str, &str)] =
    &[("drafts", "open sheets"), ("draft_pieces", "pieces of open sheets"), ("draft_notes", "notes of open sheets")];

/// The guards of a ledger in a file.
pub(super) fn of_file() -> String {
    let mut sql = String::new();
    let mut refuse = |name: &str, event: &str, table: &str, when: &str, refusal: &str| {
        // Writing into text cannot fail.
        let _ = writeln!(
            sql,
            "CREATE TRIGGER {table}_{name} BEFORE {event} ON {table}{when} BEGIN SELECT RAISE(ABORT, '{refusal}'); END;"
        );
    };
    for (table, rows) in FINAL.iter().chain(CLEARED) {
        refuse("frozen", "UPDATE", table, "", &format!("{rows} are final"));
    }
    for (table, rows) in FINAL.iter().chain(KEPT) {
        refuse("stay", "DELETE", table, "", &format!("{rows} are never deleted"));
    }
    for (table, rows) in ONCE {
        let when = format!(" WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)");
        refuse("once", "INSERT", table, &when, &format!("{rows} are final"));
    }
    for Guard { name, table, on, cases } in GUARDS {
        // In one trigger: each costs its own at every row, whether it has anything to say or not.
        let cases = cases.iter().map(|Case { all, refusal }| {
            let all = all.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(" AND ");
            format!("WHEN {all} THEN RAISE(ABORT, '{refusal}')")
        });
        let cases = cases.collect::<Vec<_>>().join("\n");
        let _ = writeln!(
            sql,
            "CREATE TRIGGER {name} BEFORE {} ON {table} BEGIN SELECT CASE\n{cases} END; END;",
            on.event()
        );
    }
    sql
}

/// The guards of a ledger on a server.
#[cfg(feature = "postgres")]
pub(super) fn of_server() -> String {
    let mut sql = String::new();
    let mut refuse = |name: &str, event: &str, table: &str, refusal: &str| {
        let _ = writeln!(
            sql,
            "CREATE TRIGGER {table}_{name} BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION refuse('{refusal}');"
        );
    };
    for (table, rows) in FINAL.iter().chain(CLEARED).chain(FINAL_ON_SERVER) {
        refuse("frozen", "UPDATE", table, &format!("{rows} are final"));
    }
    for (table, rows) in FINAL.iter().chain(KEPT).chain(FINAL_ON_SERVER).chain(KEPT_ON_SERVER) {
        refuse("stay", "DELETE", table, &format!("{rows} are never deleted"));
    }
    for Guard { name, table, on, cases } in GUARDS {
        let mut body = String::new();
        for Case { all, refusal } in *cases {
            for one in *all {
                // In brackets: the first `THEN` outside them ends a condition, also one of a `CASE`.
                let _ = writeln!(body, "IF ({}) THEN", server_dialect(one));
            }
            let _ = writeln!(body, "PERFORM refuse_now('{refusal}');{}", " END IF;".repeat(all.len()));
        }
        let _ = writeln!(
            sql,
            "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN\n{body}RETURN NEW;\nEND $$;
            CREATE TRIGGER {name} BEFORE {} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}();",
            on.event()
        );
    }
    sql
}
