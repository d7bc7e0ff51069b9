//! Which rows are refused, and what a refusal says.

/// The change that a guard looks at.
#[derive(Clone, Copy)]
pub(super) enum On {
    Insert,
    Update,
}

pub(super) struct Guard {
    pub(super) name: &'static str,
    pub(super) table: &'static str,
    pub(super) on: On,
    pub(super) cases: &'static [Case],
}

/// Where a row is refused: where all of these hold. They stand in the order in which they are asked, so that what costs a look-up is
/// asked only where it can matter: a server begins every query of one condition, also of one whose first part does not hold.
pub(super) struct Case {
    pub(super) all: &'static [&'static str],
    pub(super) refusal: &'static str,
}

impl On {
    pub(super) const fn event(self) -> &'static str {
        match self {
            Self::Insert => "INSERT",
            Self::Update => "UPDATE",
        }
    }
}

/// Tables whose rows never change and never go, with what a refusal calls the rows.
pub(in crate::ledger) const FINAL: &[(&str, &str)] = &[
    ("identity", "identities"),
    ("services", "services"),
    ("run_sheets", "the places of sheets"),
    ("decisions", "decisions"),
    ("sources", "sources"),
    ("revisions", "revisions"),
    ("statements", "statements"),
    ("evidence", "links of evidence"),
    ("row_sheets", "sheets of rows"),
    ("sheet_rows", "rows of orders"),
    ("former_numbers", "former numbers"),
    ("aliases", "aliases of orders"),
    ("taken_sheets", "taken sheets"),
    ("taken_runs", "runs of taken sheets"),
    ("filed_sheets", "places of taken sheets"),
    ("label_prints", "prints of labels"),
    ("freights", "freights"),
    ("statement_carriers", "carriers of statements"),
    ("moves", "moves"),
    ("homes", "homes"),
];

/// Tables whose rows never go; a guard of their own says what of them may change.
pub(super) const KEPT: &[(&str, &str)] = &[
    ("runs", "runs"),
    ("orders", "orders"),
    ("requests", "requests"),
    ("attempts", "attempts"),
    ("late_answers", "late answers"),
    ("problems", "problems"),
    ("run_orders", "the orders of a run"),
    ("cancel_requests", "requests for a cancellation"),
    ("cancellations", "cancellations"),
    ("warehouses", "warehouses"),
    ("run_ends", "ends of runs"),
];

/// The same of tables that only a server has.
#[cfg(feature = "postgres")]
pub(super) const FINAL_ON_SERVER: &[(&str, &str)] = &[("stations_off", "words on stations"), ("brakes", "brakes")];
#[cfg(feature = "postgres")]
pub(super) const KEPT_ON_SERVER: &[(&str, &str)] = &[("stations", "sessions"), ("shares", "shares")];

/// Tables of rows with an `id` that SQLite would let somebody put another row in the place of (`INSERT OR REPLACE`).
pub(super) const ONCE: &[(&str, &str)] = &[
    ("requests", "requests"),
    ("sources", "sources"),
    ("revisions", "revisions"),
    ("decisions", "decisions"),
    ("moves", "moves"),
    ("homes", "homes"),
];

/// The guards that look at single rows.
pub(super) const GUARDS: &[Guard] = &[
    Guard {
        name: "orders_begin",
        table: "orders",
        on: On::Insert,
        cases: &[Case {
            all: &["NEW.state <> 'staged' OR NEW.attempts <> 0 OR (NEW.verdict = 'go') <> (NEW.request_id IS NOT NULL)
                OR NEW.hold IS NOT NULL OR NEW.draft_hold = 1
                OR EXISTS (SELECT 1 FROM orders WHERE service_id = NEW.service_id AND number = NEW.number)
                OR EXISTS (SELECT 1 FROM orders WHERE id = NEW.id)"],
            refusal: "an order begins once, as staged",
        }],
    },
    Guard { name: "orders_step", table: "orders", on: On::Update, cases: STEPS },
    Guard {
        name: "requests_frozen",
        table: "requests",
        on: On::Update,
        // Only the body of what is over goes, once.
        cases: &[Case {
            all: &["length(NEW.body) > 0 OR length(OLD.body) = 0 OR NEW.id <> OLD.id OR NEW.order_id <> OLD.order_id
                OR NEW.sha256 <> OLD.sha256 OR NEW.staged_ms <> OLD.staged_ms OR NEW.created_ms <> OLD.created_ms
                OR NEW.lines <> OLD.lines OR NEW.value <> OLD.value OR NEW.cod <> OLD.cod OR NEW.rows <> OLD.rows
                OR NOT EXISTS (SELECT 1 FROM orders_over WHERE id = OLD.order_id)"],
            refusal: "requests are frozen",
        }],
    },
    Guard {
        name: "attempts_begin",
        table: "attempts",
        on: On::Insert,
        cases: &[
            Case {
                all: &["NEW.answered_ms IS NOT NULL
                    OR NOT EXISTS (
                        SELECT 1 FROM orders
                        WHERE id = NEW.order_id AND state = 'sending' AND attempts = NEW.n AND request_id = NEW.request_id)
                    OR EXISTS (SELECT 1 FROM attempts WHERE order_id = NEW.order_id AND n = NEW.n)
                    OR EXISTS (SELECT 1 FROM attempts WHERE id = NEW.id)"],
                refusal: "an attempt begins once, open, with its order sending",
            },
            Case {
                all: &[
                    "EXISTS (SELECT 1 FROM moves)",
                    "EXISTS (SELECT 1 FROM moves m WHERE NOT EXISTS (SELECT 1 FROM homes h WHERE h.move_id = m.id))",
                ],
                refusal: "nothing is sent by a ledger that is not at home",
            },
        ],
    },
    Guard {
        name: "attempts_answered_once",
        table: "attempts",
        on: On::Update,
        cases: &[
            Case {
                all: &["OLD.id <> NEW.id OR OLD.order_id <> NEW.order_id OR OLD.n <> NEW.n OR OLD.request_id <> NEW.request_id
                    OR OLD.run_id <> NEW.run_id OR OLD.intent_ms <> NEW.intent_ms OR NEW.answered_ms IS NULL"],
                refusal: "an attempt is answered once and keeps what it was",
            },
            Case {
                all: &["OLD.answered_ms IS NULL", "NEW.purge_id IS NOT NULL OR NEW.answer_sha256 IS NOT NULL"],
                refusal: "an attempt is answered once and keeps what it was",
            },
            // Only the words of an answer go, once, where the order is over.
            Case {
                all: &[
                    "OLD.answered_ms IS NOT NULL",
                    "OLD.purge_id IS NOT NULL OR NEW.purge_id IS NULL OR NEW.reason IS NOT NULL OR NEW.answer IS NOT NULL
                    OR (NEW.answer_sha256 IS NULL) <> (OLD.answer IS NULL)
                    OR NEW.answered_ms <> OLD.answered_ms OR NEW.outcome IS DISTINCT FROM OLD.outcome
                    OR NEW.status IS DISTINCT FROM OLD.status OR NEW.awb IS DISTINCT FROM OLD.awb
                    OR NEW.service_order_id IS DISTINCT FROM OLD.service_order_id
                    OR NEW.answer_bytes IS DISTINCT FROM OLD.answer_bytes OR NEW.evidence_n IS DISTINCT FROM OLD.evidence_n
                    OR NOT EXISTS (SELECT 1 FROM orders_over WHERE id = OLD.order_id)",
                ],
                refusal: "an attempt is answered once and keeps what it was",
            },
        ],
    },
    Guard {
        name: "late_answers_begin",
        table: "late_answers",
        on: On::Insert,
        cases: &[Case {
            all: &["NOT EXISTS (SELECT 1 FROM attempts WHERE id = NEW.attempt_id AND outcome = 'in_doubt')
                OR EXISTS (SELECT 1 FROM late_answers WHERE id = NEW.id)"],
            refusal: "a late answer belongs to an attempt that is in doubt",
        }],
    },
    Guard {
        name: "late_answers_frozen",
        table: "late_answers",
        on: On::Update,
        cases: &[Case {
            all: &["OLD.purge_id IS NOT NULL OR NEW.purge_id IS NULL OR NEW.reason IS NOT NULL OR NEW.answer IS NOT NULL
                OR (NEW.answer_sha256 IS NULL) <> (OLD.answer IS NULL)
                OR NEW.id <> OLD.id OR NEW.attempt_id <> OLD.attempt_id OR NEW.answered_ms <> OLD.answered_ms
                OR NEW.at_ms <> OLD.at_ms OR NEW.outcome <> OLD.outcome OR NEW.status IS DISTINCT FROM OLD.status
                OR NEW.awb IS DISTINCT FROM OLD.awb OR NEW.service_order_id IS DISTINCT FROM OLD.service_order_id
                OR NEW.carrier IS DISTINCT FROM OLD.carrier OR NEW.service_level IS DISTINCT FROM OLD.service_level
                OR NEW.old_answer <> OLD.old_answer OR NEW.answer_bytes IS DISTINCT FROM OLD.answer_bytes
                OR NEW.evidence_n <> OLD.evidence_n
                OR NOT EXISTS (SELECT 1 FROM attempts a JOIN orders_over o ON o.id = a.order_id WHERE a.id = OLD.attempt_id)"],
            refusal: "late answers are final",
        }],
    },
    Guard {
        name: "run_ends_frozen",
        table: "run_ends",
        on: On::Update,
        cases: &[Case { all: &["1 = 1"], refusal: "what a run came to is final" }],
    },
    Guard {
        name: "decisions_begin",
        table: "decisions",
        on: On::Insert,
        cases: &[
            Case {
                all: &[
                    "NEW.attempt_id IS NOT NULL",
                    "NOT EXISTS (SELECT 1 FROM attempts WHERE id = NEW.attempt_id AND order_id = NEW.order_id)",
                ],
                refusal: "a decision is upon an attempt of its order",
            },
            Case {
                all: &[
                    "NEW.verb = 'dismiss'",
                    "NOT EXISTS (SELECT 1 FROM run_orders r JOIN orders o ON o.id = r.order_id
                        WHERE r.run_id = NEW.run_id AND r.behind = 1 AND o.number = NEW.number
                            AND r.cells IS NOT DISTINCT FROM NEW.cells)",
                ],
                refusal: "only an order that was kept back is dismissed",
            },
        ],
    },
    Guard {
        name: "evidence_grows",
        table: "evidence",
        on: On::Insert,
        cases: &[
            Case {
                all: &["NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM evidence)"],
                refusal: "evidence only grows, one by one",
            },
            // Nearly all of it is of attempts.
            Case {
                all: &[
                    "NEW.kind = 'attempt'",
                    "NEW.n IS DISTINCT FROM (SELECT evidence_n FROM attempts WHERE id = NEW.subject)",
                ],
                refusal: "evidence only grows, one by one",
            },
            Case {
                all: &[
                    "NEW.kind <> 'attempt'",
                    "NEW.n IS DISTINCT FROM CASE NEW.kind
                    WHEN 'decision' THEN (SELECT evidence_n FROM decisions WHERE id = NEW.subject)
                    WHEN 'source' THEN (SELECT evidence_n FROM sources WHERE id = NEW.subject)
                    WHEN 'late answer' THEN (SELECT evidence_n FROM late_answers WHERE id = NEW.subject) END",
                ],
                refusal: "evidence only grows, one by one",
            },
        ],
    },
    Guard {
        name: "run_orders_frozen",
        table: "run_orders",
        on: On::Update,
        // Only an order that a person lets go is kept back no more.
        cases: &[Case {
            all: &["OLD.behind <> 1 OR NEW.behind <> 0 OR NEW.run_id <> OLD.run_id OR NEW.seq <> OLD.seq
                OR NEW.order_id IS DISTINCT FROM OLD.order_id OR NEW.already <> OLD.already
                OR NEW.rows IS DISTINCT FROM OLD.rows OR NEW.cells IS DISTINCT FROM OLD.cells
                OR NOT EXISTS (SELECT 1 FROM revisions v JOIN orders o ON o.id = v.order_id
                    WHERE v.order_id = OLD.order_id AND v.verdict = 'go' AND v.hold IS NULL AND v.id > o.revision_id)"],
            refusal: "the orders of a run are final",
        }],
    },
    Guard {
        name: "problems_frozen",
        table: "problems",
        on: On::Update,
        // Only what quotes a cell goes.
        cases: &[Case {
            all: &["NEW.found IS NOT NULL OR NEW.detail IS NOT NULL OR NEW.message <> 'removed' OR NEW.hint <> ''
                OR NEW.run_id <> OLD.run_id OR NEW.n <> OLD.n OR NEW.seq IS DISTINCT FROM OLD.seq
                OR NEW.code <> OLD.code OR NEW.severity <> OLD.severity OR NEW.place IS DISTINCT FROM OLD.place
                OR NEW.order_number IS DISTINCT FROM OLD.order_number OR NEW.field IS DISTINCT FROM OLD.field"],
            refusal: "problems are final",
        }],
    },
    Guard {
        name: "cancel_requests_end_once",
        table: "cancel_requests",
        on: On::Update,
        cases: &[Case {
            all: &[
                "OLD.outcome IS NOT NULL",
                "NEW.said IS NOT NULL OR NEW.id <> OLD.id OR NEW.order_id <> OLD.order_id OR NEW.asked_ms <> OLD.asked_ms
                OR NEW.user <> OLD.user OR NEW.host <> OLD.host OR NEW.ended_ms IS DISTINCT FROM OLD.ended_ms
                OR NEW.outcome IS DISTINCT FROM OLD.outcome",
            ],
            refusal: "a request for a cancellation ends once",
        }],
    },
    Guard {
        name: "cancellations_frozen",
        table: "cancellations",
        on: On::Update,
        cases: &[Case {
            all: &["NEW.answer <> '' OR NEW.id <> OLD.id OR NEW.order_id <> OLD.order_id OR NEW.at_ms <> OLD.at_ms
                OR NEW.user <> OLD.user OR NEW.host <> OLD.host OR NEW.refund_status IS DISTINCT FROM OLD.refund_status"],
            refusal: "cancellations are final",
        }],
    },
    Guard {
        name: "filed_sheets_done",
        table: "filed_sheets",
        on: On::Insert,
        cases: &[Case {
            all: &["NEW.tray = 'done'", "NOT EXISTS (SELECT 1 FROM taken_and_booked WHERE sheet_id = NEW.sheet_id)"],
            refusal: "a sheet is done once every order of it is booked",
        }],
    },
    Guard {
        name: "freights_of_shipments",
        table: "freights",
        on: On::Insert,
        cases: &[Case {
            all: &["NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND state = 'booked')
                OR EXISTS (SELECT 1 FROM freights WHERE id = NEW.id)"],
            refusal: "only a booked order has a freight, and a freight is final",
        }],
    },
    Guard {
        name: "warehouses_created",
        table: "warehouses",
        on: On::Update,
        cases: &[Case { all: &["OLD.state = 'created'"], refusal: "a created warehouse never changes" }],
    },
];

/// The only ways of an order.
const STEPS: &[Case] = &[
    // The last resort of what was last said: whatever sends looks at it before.
    Case {
        all: &["NEW.state = 'sending' AND OLD.state <> 'sending' AND (NEW.verdict <> 'go' OR NEW.hold IS NOT NULL OR NEW.draft_hold = 1)"],
        refusal: "an order that is held or left out is not sent",
    },
    Case {
        all: &[
            "NEW.revision_id <> OLD.revision_id OR NEW.verdict <> OLD.verdict OR NEW.hold IS DISTINCT FROM OLD.hold",
            "NEW.revision_id <= OLD.revision_id OR NOT EXISTS (
                SELECT 1 FROM revisions WHERE id = NEW.revision_id AND order_id = NEW.id AND verdict = NEW.verdict
                    AND hold IS NOT DISTINCT FROM NEW.hold)",
        ],
        refusal: "an order is what its newest revision says",
    },
    Case {
        all: &["NEW.id <> OLD.id OR NEW.service_id <> OLD.service_id OR NEW.number <> OLD.number
            OR (OLD.created_ms IS NOT NULL AND NEW.created_ms IS DISTINCT FROM OLD.created_ms)"],
        refusal: "the identity of an order never changes",
    },
    Case {
        all: &[
            "OLD.state = 'sending' AND NEW.state <> OLD.state",
            "NOT EXISTS (
                SELECT 1 FROM attempts
                WHERE order_id = OLD.id AND n = OLD.attempts AND outcome = NEW.state
                    AND (NEW.state <> 'booked' OR awb = NEW.awb))",
        ],
        refusal: "the attempt has no such answer",
    },
    // By a person's decision on this very attempt, or by its answer, however late.
    Case {
        all: &[
            "OLD.state = 'in_doubt' AND NEW.state <> OLD.state",
            "NOT EXISTS (
                SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
                WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts
                    AND d.verb = CASE NEW.state WHEN 'staged' THEN 'not-booked' ELSE NEW.state END
                    AND (NEW.state <> 'booked' OR d.awb = NEW.awb))
            AND NOT EXISTS (
                SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
                WHERE a.order_id = OLD.id AND l.outcome = NEW.state
                    AND ((NEW.state = 'booked' AND l.awb = NEW.awb) OR (NEW.state <> 'booked' AND a.n = OLD.attempts)))",
        ],
        refusal: "an order in doubt needs a decision",
    },
    Case {
        all: &[
            "NEW.state <> OLD.state",
            "NOT CASE OLD.state
                WHEN 'staged'    THEN NEW.state = 'sending' OR NEW.state = 'abandoned' OR NEW.state = 'booked'
                    OR NEW.state = 'in_doubt'
                WHEN 'waiting'   THEN NEW.state = 'sending' OR NEW.state = 'staged' OR NEW.state = 'abandoned'
                    OR NEW.state = 'booked' OR NEW.state = 'in_doubt'
                WHEN 'sending'   THEN NEW.state = 'booked' OR NEW.state = 'rejected' OR NEW.state = 'refused'
                    OR NEW.state = 'waiting' OR NEW.state = 'in_doubt'
                WHEN 'in_doubt'  THEN NEW.state = 'booked' OR NEW.state = 'staged' OR NEW.state = 'abandoned'
                    OR NEW.state = 'rejected' OR NEW.state = 'refused' OR NEW.state = 'waiting'
                WHEN 'rejected'  THEN NEW.state = 'staged' OR NEW.state = 'abandoned' OR NEW.state = 'booked'
                    OR NEW.state = 'in_doubt'
                WHEN 'refused'   THEN NEW.state = 'staged' OR NEW.state = 'abandoned' OR NEW.state = 'booked'
                    OR NEW.state = 'in_doubt'
                WHEN 'abandoned' THEN NEW.state = 'staged' OR NEW.state = 'booked'
                ELSE 1 = 0 END",
        ],
        refusal: "no way leads from this state to that one",
    },
    // Only an AWB that a person gave is corrected, and only before anything was done with it.
    Case {
        all: &[
            "OLD.state = 'booked'",
            "NEW.state <> 'booked' OR NEW.awb IS NOT DISTINCT FROM OLD.awb OR NEW.request_id <> OLD.request_id
            OR NEW.revision_id <> OLD.revision_id OR NEW.verdict <> OLD.verdict OR NEW.hold IS DISTINCT FROM OLD.hold
            OR NEW.attempts <> OLD.attempts OR NEW.order_id IS DISTINCT FROM OLD.order_id
            OR NEW.carrier IS DISTINCT FROM OLD.carrier OR NEW.service_level IS DISTINCT FROM OLD.service_level
            OR NEW.old_answer <> OLD.old_answer OR NEW.error IS DISTINCT FROM OLD.error
            OR NOT EXISTS (
                SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'booked' AND d.awb = NEW.awb
                    AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id))
            OR EXISTS (SELECT 1 FROM attempts WHERE order_id = OLD.id AND outcome = 'booked')
            OR EXISTS (
                SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
                WHERE a.order_id = OLD.id AND l.outcome = 'booked')
            OR EXISTS (SELECT 1 FROM cancel_requests WHERE order_id = OLD.id)
            OR EXISTS (SELECT 1 FROM deliveries WHERE order_id = OLD.id)",
        ],
        refusal: "a booked order never changes",
    },
    // Beside its own answer, only an answer that came late books an order, or a person's decision on its latest attempt.
    Case {
        all: &[
            "NEW.state = 'booked' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt'",
            "NOT EXISTS (
                SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
                WHERE a.order_id = OLD.id AND l.outcome = 'booked' AND l.awb = NEW.awb)
            AND NOT EXISTS (
                SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
                WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'booked'
                    AND d.awb = NEW.awb AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id))",
        ],
        refusal: "neither a late answer nor a decision books this order",
    },
    // The same answer with a shipment that another order has: what could be sent is in doubt.
    Case {
        all: &[
            "NEW.state = 'in_doubt' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt'",
            "NOT EXISTS (
                SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
                WHERE a.order_id = OLD.id AND (l.outcome = 'booked' OR l.outcome = 'in_doubt'))",
        ],
        refusal: "no late answer puts this order in doubt",
    },
    Case {
        all: &["NEW.attempts IS DISTINCT FROM OLD.attempts + CASE WHEN NEW.state = 'sending' AND OLD.state <> 'sending' THEN 1 ELSE 0 END"],
        refusal: "each sending is one attempt more",
    },
    // What failed is sent again because a person asked, or with a corrected request.
    Case {
        all: &[
            "(OLD.state = 'rejected' OR OLD.state = 'refused') AND NEW.state = 'staged' AND NEW.request_id = OLD.request_id",
            "NOT EXISTS (
                SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
                WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'retry')",
        ],
        refusal: "a retry needs a decision or a corrected request",
    },
    // What was given up may have been booked: only a later decision brings it back, never a corrected row.
    Case {
        all: &[
            "OLD.state = 'abandoned' AND NEW.state = 'staged'",
            "NOT EXISTS (
                SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'not-booked' AND d.id > (
                    SELECT max(id) FROM decisions WHERE order_id = OLD.id AND verb = 'abandoned'))",
        ],
        refusal: "only a decision brings an abandoned order back",
    },
    Case {
        all: &[
            "NEW.state = 'abandoned'
            AND (OLD.state = 'staged' OR OLD.state = 'waiting' OR OLD.state = 'rejected' OR OLD.state = 'refused')",
            "NOT EXISTS (
                SELECT 1 FROM decisions d LEFT JOIN attempts a ON a.id = d.attempt_id
                WHERE d.order_id = OLD.id AND d.verb = 'abandoned' AND coalesce(a.n, 0) = OLD.attempts)",
        ],
        refusal: "only a decision gives an order up",
    },
    Case {
        all: &[
            "NEW.request_id IS DISTINCT FROM OLD.request_id",
            "NOT (NEW.state = 'staged' OR NEW.state = 'waiting') OR OLD.state = 'sending'
                OR (OLD.state = 'in_doubt' AND NEW.state <> 'staged')
            OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request_id AND order_id = OLD.id)",
        ],
        refusal: "only an order that may be sent takes another request of its own",
    },
    // What must never be sent under one address is not sent under another either. Hardly ever is there more than one.
    Case {
        all: &[
            "NEW.state = 'sending' AND OLD.state <> 'sending'",
            "EXISTS (SELECT 1 FROM decisions WHERE other_id IS NOT NULL)",
            "EXISTS (
                SELECT 1 FROM same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.number = NEW.number
                WHERE s.asked = NEW.service_id AND o.id <> NEW.id
                    AND (o.state = 'booked' OR o.state = 'sending' OR o.state = 'in_doubt' OR o.state = 'abandoned'))",
        ],
        refusal: "the same service has this order at another address",
    },
];
