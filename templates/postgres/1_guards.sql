-- What guards the tables: what was recorded stays as it was, and orders take no step that is not allowed.

CREATE FUNCTION orders_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.state <> 'staged' OR NEW.attempts <> 0
    OR EXISTS (SELECT 1 FROM orders WHERE service_id = NEW.service_id AND number = NEW.number)
    OR EXISTS (SELECT 1 FROM orders WHERE id = NEW.id)) THEN
        PERFORM refuse_now('an order begins once, as staged');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER orders_begin BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION orders_begin();

CREATE TRIGGER orders_stay BEFORE DELETE ON orders FOR EACH ROW
    EXECUTE FUNCTION refuse('orders are never deleted');

CREATE TRIGGER attempts_stay BEFORE DELETE ON attempts FOR EACH ROW
    EXECUTE FUNCTION refuse('attempts are never deleted');

CREATE TRIGGER requests_stay BEFORE DELETE ON requests FOR EACH ROW
    EXECUTE FUNCTION refuse('requests are never deleted');

CREATE TRIGGER decisions_frozen BEFORE UPDATE ON decisions FOR EACH ROW
    EXECUTE FUNCTION refuse('decisions are final');

CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions FOR EACH ROW
    EXECUTE FUNCTION refuse('decisions are never deleted');

CREATE TRIGGER identity_frozen BEFORE UPDATE ON identity FOR EACH ROW
    EXECUTE FUNCTION refuse('a ledger stays itself');

CREATE TRIGGER identity_stay BEFORE DELETE ON identity FOR EACH ROW
    EXECUTE FUNCTION refuse('a ledger stays itself');

CREATE TRIGGER run_orders_frozen BEFORE UPDATE ON run_orders FOR EACH ROW
    EXECUTE FUNCTION refuse('what a run asked for never changes');

CREATE TRIGGER run_orders_stay BEFORE DELETE ON run_orders FOR EACH ROW
    EXECUTE FUNCTION refuse('what a run asked for never changes');

CREATE TRIGGER runs_stay BEFORE DELETE ON runs FOR EACH ROW
    EXECUTE FUNCTION refuse('runs are never deleted');

CREATE TRIGGER run_invalid_frozen BEFORE UPDATE ON run_invalid FOR EACH ROW
    EXECUTE FUNCTION refuse('what was left behind never changes');

CREATE TRIGGER run_invalid_stay BEFORE DELETE ON run_invalid FOR EACH ROW
    EXECUTE FUNCTION refuse('what was left behind never changes');

CREATE TRIGGER problems_stay BEFORE DELETE ON problems FOR EACH ROW
    EXECUTE FUNCTION refuse('what was found never changes');

CREATE TRIGGER services_frozen BEFORE UPDATE ON services FOR EACH ROW
    EXECUTE FUNCTION refuse('services never change');

CREATE TRIGGER services_stay BEFORE DELETE ON services FOR EACH ROW
    EXECUTE FUNCTION refuse('services never change');

CREATE TRIGGER cancellations_stay BEFORE DELETE ON cancellations FOR EACH ROW
    EXECUTE FUNCTION refuse('cancellations are never deleted');

CREATE TRIGGER created_warehouses_stay BEFORE UPDATE ON warehouses FOR EACH ROW
    WHEN (OLD.state = 'created')
    EXECUTE FUNCTION refuse('a created warehouse never changes');

CREATE TRIGGER warehouses_stay BEFORE DELETE ON warehouses FOR EACH ROW
    EXECUTE FUNCTION refuse('warehouses are never deleted');

CREATE TRIGGER acceptances_frozen BEFORE UPDATE ON acceptances FOR EACH ROW
    EXECUTE FUNCTION refuse('acceptances are final');

CREATE TRIGGER acceptances_stay BEFORE DELETE ON acceptances FOR EACH ROW
    EXECUTE FUNCTION refuse('acceptances are never deleted');

CREATE TRIGGER cancel_requests_stay BEFORE DELETE ON cancel_requests FOR EACH ROW
    EXECUTE FUNCTION refuse('requests for a cancellation are never deleted');

CREATE TRIGGER moves_frozen BEFORE UPDATE ON moves FOR EACH ROW
    EXECUTE FUNCTION refuse('moves are final');

CREATE TRIGGER moves_stay BEFORE DELETE ON moves FOR EACH ROW
    EXECUTE FUNCTION refuse('moves are never deleted');

CREATE TRIGGER homes_frozen BEFORE UPDATE ON homes FOR EACH ROW
    EXECUTE FUNCTION refuse('homes are final');

CREATE TRIGGER homes_stay BEFORE DELETE ON homes FOR EACH ROW
    EXECUTE FUNCTION refuse('homes are never deleted');

CREATE FUNCTION attempts_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.answered_ms IS NOT NULL
    OR NOT EXISTS (
        SELECT 1 FROM orders
        WHERE id = NEW.order_id AND state = 'sending' AND attempts = NEW.n AND request_id = NEW.request_id)
    OR EXISTS (SELECT 1 FROM attempts WHERE order_id = NEW.order_id AND n = NEW.n)
    OR EXISTS (SELECT 1 FROM attempts WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM moves m WHERE NOT EXISTS (SELECT 1 FROM homes h WHERE h.move_id = m.id))) THEN
        PERFORM refuse_now('an attempt begins once, open, with its order sending, in a ledger that is at home');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER attempts_begin BEFORE INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION attempts_begin();

CREATE TRIGGER address_words_frozen BEFORE UPDATE ON address_words FOR EACH ROW
    EXECUTE FUNCTION refuse('words on addresses are final');

CREATE TRIGGER address_words_stay BEFORE DELETE ON address_words FOR EACH ROW
    EXECUTE FUNCTION refuse('words on addresses are never deleted');

CREATE FUNCTION orders_sent_at_one_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.state = 'sending' AND OLD.state <> 'sending' AND EXISTS (SELECT 1 FROM address_words) AND EXISTS (
    SELECT 1 FROM same_service s JOIN orders o ON o.service_id = s.id AND o.number = NEW.number
    WHERE s.asked = NEW.service_id AND o.id <> NEW.id
        AND (o.state = 'booked' OR o.state = 'sending' OR o.state = 'in_doubt' OR o.state = 'abandoned'))) THEN
        PERFORM refuse_now('the same service has this order at another address');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER orders_sent_at_one_address BEFORE UPDATE OF state ON orders FOR EACH ROW EXECUTE FUNCTION orders_sent_at_one_address();

CREATE FUNCTION late_answers_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NOT EXISTS (SELECT 1 FROM attempts WHERE id = NEW.attempt_id AND outcome = 'in_doubt')
    OR EXISTS (SELECT 1 FROM late_answers WHERE id = NEW.id)) THEN
        PERFORM refuse_now('a late answer belongs to an attempt that is in doubt');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER late_answers_begin BEFORE INSERT ON late_answers FOR EACH ROW EXECUTE FUNCTION late_answers_begin();

CREATE TRIGGER late_answers_stay BEFORE DELETE ON late_answers FOR EACH ROW
    EXECUTE FUNCTION refuse('late answers are never deleted');

CREATE TRIGGER run_ends_are_for_good BEFORE UPDATE ON run_ends FOR EACH ROW
    EXECUTE FUNCTION refuse('what a run came to is for good');

CREATE TRIGGER accepted_findings_frozen BEFORE UPDATE ON accepted_findings FOR EACH ROW
    EXECUTE FUNCTION refuse('what was accepted is final');

CREATE TRIGGER accepted_findings_stay BEFORE DELETE ON accepted_findings FOR EACH ROW
    EXECUTE FUNCTION refuse('what was accepted is never deleted');

CREATE FUNCTION filed_sheets_done() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.tray = 'done' AND NOT EXISTS (SELECT 1 FROM taken_and_booked WHERE sheet_id = NEW.sheet_id)) THEN
        PERFORM refuse_now('a sheet is done once every order of it is booked');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER filed_sheets_done BEFORE INSERT ON filed_sheets FOR EACH ROW EXECUTE FUNCTION filed_sheets_done();

CREATE TRIGGER taken_sheets_frozen BEFORE UPDATE ON taken_sheets FOR EACH ROW
    EXECUTE FUNCTION refuse('what was taken is final');

CREATE TRIGGER taken_sheets_stay BEFORE DELETE ON taken_sheets FOR EACH ROW
    EXECUTE FUNCTION refuse('what was taken is never deleted');

CREATE TRIGGER taken_runs_frozen BEFORE UPDATE ON taken_runs FOR EACH ROW
    EXECUTE FUNCTION refuse('what was taken is final');

CREATE TRIGGER taken_runs_stay BEFORE DELETE ON taken_runs FOR EACH ROW
    EXECUTE FUNCTION refuse('what was taken is never deleted');

CREATE TRIGGER filed_sheets_frozen BEFORE UPDATE ON filed_sheets FOR EACH ROW
    EXECUTE FUNCTION refuse('what was filed is final');

CREATE TRIGGER filed_sheets_stay BEFORE DELETE ON filed_sheets FOR EACH ROW
    EXECUTE FUNCTION refuse('what was filed is never deleted');

CREATE TRIGGER dismissals_frozen BEFORE UPDATE ON dismissals FOR EACH ROW
    EXECUTE FUNCTION refuse('dismissals are final');

CREATE TRIGGER dismissals_stay BEFORE DELETE ON dismissals FOR EACH ROW
    EXECUTE FUNCTION refuse('dismissals are never deleted');

CREATE FUNCTION dismissals_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (EXISTS (SELECT 1 FROM dismissals WHERE id = NEW.id)
    OR NOT EXISTS (SELECT 1 FROM run_invalid WHERE run_id = NEW.run_id AND number = NEW.number AND cells IS NOT DISTINCT FROM NEW.cells)) THEN
        PERFORM refuse_now('a dismissal is final, and of an order that stayed behind');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER dismissals_once BEFORE INSERT ON dismissals FOR EACH ROW EXECUTE FUNCTION dismissals_once();

CREATE TRIGGER label_prints_frozen BEFORE UPDATE ON label_prints FOR EACH ROW
    EXECUTE FUNCTION refuse('what was printed is final');

CREATE TRIGGER label_prints_stay BEFORE DELETE ON label_prints FOR EACH ROW
    EXECUTE FUNCTION refuse('what was printed is final');

CREATE FUNCTION freights_of_shipments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND state = 'booked')
    OR EXISTS (SELECT 1 FROM freights WHERE id = NEW.id)) THEN
        PERFORM refuse_now('only a booked order has a freight, and a freight is final');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER freights_of_shipments BEFORE INSERT ON freights FOR EACH ROW EXECUTE FUNCTION freights_of_shipments();

CREATE TRIGGER freights_frozen BEFORE UPDATE ON freights FOR EACH ROW
    EXECUTE FUNCTION refuse('a freight is final');

CREATE TRIGGER freights_stay BEFORE DELETE ON freights FOR EACH ROW
    EXECUTE FUNCTION refuse('a freight is final');

CREATE TRIGGER run_sheets_frozen BEFORE UPDATE ON run_sheets FOR EACH ROW
    EXECUTE FUNCTION refuse('where sheets lay never changes');

CREATE TRIGGER run_sheets_stay BEFORE DELETE ON run_sheets FOR EACH ROW
    EXECUTE FUNCTION refuse('where sheets lay never changes');

CREATE TRIGGER purges_frozen BEFORE UPDATE ON purges FOR EACH ROW
    EXECUTE FUNCTION refuse('removals are final');

CREATE TRIGGER purges_stay BEFORE DELETE ON purges FOR EACH ROW
    EXECUTE FUNCTION refuse('removals are never forgotten');

CREATE FUNCTION attempts_answered_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.id IS DISTINCT FROM NEW.id OR OLD.order_id IS DISTINCT FROM NEW.order_id OR OLD.n IS DISTINCT FROM NEW.n
    OR OLD.request_id IS DISTINCT FROM NEW.request_id OR OLD.run_id IS DISTINCT FROM NEW.run_id OR OLD.intent_ms IS DISTINCT FROM NEW.intent_ms
    OR NEW.answered_ms IS NULL
    OR CASE WHEN OLD.answered_ms IS NULL THEN NEW.purge_id IS NOT NULL OR NEW.answer_sha256 IS NOT NULL
        ELSE OLD.purge_id IS NOT NULL OR NEW.purge_id IS NULL OR NEW.reason IS NOT NULL OR NEW.answer IS NOT NULL
            OR (NEW.answer_sha256 IS NULL) IS DISTINCT FROM (OLD.answer IS NULL)
            OR NEW.answered_ms IS DISTINCT FROM OLD.answered_ms OR NEW.outcome IS DISTINCT FROM OLD.outcome OR NEW.status IS DISTINCT FROM OLD.status
            OR NEW.awb IS DISTINCT FROM OLD.awb OR NEW.service_order_id IS DISTINCT FROM OLD.service_order_id
            OR NEW.answer_bytes IS DISTINCT FROM OLD.answer_bytes OR NEW.evidence_n IS DISTINCT FROM OLD.evidence_n
            OR NOT EXISTS (SELECT 1 FROM orders_over WHERE id = OLD.order_id) END) THEN
        PERFORM refuse_now('an attempt is answered once and keeps what it was');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER attempts_answered_once BEFORE UPDATE ON attempts FOR EACH ROW EXECUTE FUNCTION attempts_answered_once();

CREATE FUNCTION late_answers_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.purge_id IS NOT NULL OR NEW.purge_id IS NULL OR NEW.reason IS NOT NULL OR NEW.answer IS NOT NULL
    OR (NEW.answer_sha256 IS NULL) IS DISTINCT FROM (OLD.answer IS NULL)
    OR NEW.id IS DISTINCT FROM OLD.id OR NEW.attempt_id IS DISTINCT FROM OLD.attempt_id OR NEW.answered_ms IS DISTINCT FROM OLD.answered_ms
    OR NEW.at_ms IS DISTINCT FROM OLD.at_ms OR NEW.outcome IS DISTINCT FROM OLD.outcome OR NEW.status IS DISTINCT FROM OLD.status
    OR NEW.awb IS DISTINCT FROM OLD.awb OR NEW.service_order_id IS DISTINCT FROM OLD.service_order_id OR NEW.carrier IS DISTINCT FROM OLD.carrier
    OR NEW.service_level IS DISTINCT FROM OLD.service_level OR NEW.old_answer IS DISTINCT FROM OLD.old_answer
    OR NEW.answer_bytes IS DISTINCT FROM OLD.answer_bytes OR NEW.evidence_n IS DISTINCT FROM OLD.evidence_n
    OR NOT EXISTS (SELECT 1 FROM attempts a JOIN orders_over o ON o.id = a.order_id WHERE a.id = OLD.attempt_id)) THEN
        PERFORM refuse_now('late answers are final');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER late_answers_frozen BEFORE UPDATE ON late_answers FOR EACH ROW EXECUTE FUNCTION late_answers_frozen();

CREATE FUNCTION requests_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (length(NEW.body) > 0 OR length(OLD.body) = 0 OR NEW.id IS DISTINCT FROM OLD.id OR NEW.order_id IS DISTINCT FROM OLD.order_id
    OR NEW.sha256 IS DISTINCT FROM OLD.sha256 OR NEW.staged_ms IS DISTINCT FROM OLD.staged_ms OR NEW.created_ms IS DISTINCT FROM OLD.created_ms
    OR NEW.lines IS DISTINCT FROM OLD.lines OR NEW.value IS DISTINCT FROM OLD.value OR NEW.cod IS DISTINCT FROM OLD.cod OR NEW.rows IS DISTINCT FROM OLD.rows
    OR NOT EXISTS (SELECT 1 FROM orders_over WHERE id = OLD.order_id)) THEN
        PERFORM refuse_now('requests are frozen');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER requests_frozen BEFORE UPDATE ON requests FOR EACH ROW EXECUTE FUNCTION requests_frozen();

CREATE TRIGGER problems_frozen BEFORE UPDATE ON problems FOR EACH ROW
    WHEN (NEW.found IS NOT NULL OR NEW.detail IS NOT NULL OR NEW.message <> 'removed' OR NEW.hint <> ''
    OR NEW.run_id IS DISTINCT FROM OLD.run_id OR NEW.n IS DISTINCT FROM OLD.n OR NEW.invalid_n IS DISTINCT FROM OLD.invalid_n OR NEW.code IS DISTINCT FROM OLD.code
    OR NEW.severity IS DISTINCT FROM OLD.severity OR NEW.place IS DISTINCT FROM OLD.place OR NEW.order_number IS DISTINCT FROM OLD.order_number
    OR NEW.field IS DISTINCT FROM OLD.field)
    EXECUTE FUNCTION refuse('what was found never changes');

CREATE TRIGGER cancellations_frozen BEFORE UPDATE ON cancellations FOR EACH ROW
    WHEN (NEW.answer <> '' OR NEW.id IS DISTINCT FROM OLD.id OR NEW.order_id IS DISTINCT FROM OLD.order_id OR NEW.at_ms IS DISTINCT FROM OLD.at_ms
    OR NEW."user" IS DISTINCT FROM OLD."user" OR NEW.host IS DISTINCT FROM OLD.host OR NEW.refund_status IS DISTINCT FROM OLD.refund_status)
    EXECUTE FUNCTION refuse('cancellations never change');

CREATE TRIGGER cancel_requests_end_once BEFORE UPDATE ON cancel_requests FOR EACH ROW
    WHEN (OLD.outcome IS NOT NULL AND (NEW.said IS NOT NULL OR NEW.id IS DISTINCT FROM OLD.id OR NEW.order_id IS DISTINCT FROM OLD.order_id
    OR NEW.asked_ms IS DISTINCT FROM OLD.asked_ms OR NEW."user" IS DISTINCT FROM OLD."user" OR NEW.host IS DISTINCT FROM OLD.host
    OR NEW.ended_ms IS DISTINCT FROM OLD.ended_ms OR NEW.outcome IS DISTINCT FROM OLD.outcome))
    EXECUTE FUNCTION refuse('a request for a cancellation ends once');

CREATE FUNCTION evidence_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM evidence)
    OR NEW.n IS DISTINCT FROM CASE
        WHEN NEW.attempt_id IS NOT NULL THEN (SELECT evidence_n FROM attempts WHERE id = NEW.attempt_id)
        WHEN NEW.decision_id IS NOT NULL THEN (SELECT evidence_n FROM decisions WHERE id = NEW.decision_id)
        WHEN NEW.address_word_id IS NOT NULL THEN (SELECT evidence_n FROM address_words WHERE id = NEW.address_word_id)
        WHEN NEW.late_answer_id IS NOT NULL THEN (SELECT evidence_n FROM late_answers WHERE id = NEW.late_answer_id)
        WHEN NEW.accepted_finding_id IS NOT NULL
            THEN (SELECT evidence_n FROM accepted_findings WHERE id = NEW.accepted_finding_id)
        WHEN NEW.dismissal_id IS NOT NULL THEN (SELECT evidence_n FROM dismissals WHERE id = NEW.dismissal_id)
        WHEN NEW.purge_id IS NOT NULL THEN (SELECT evidence_n FROM purges WHERE id = NEW.purge_id)
        ELSE (SELECT evidence_n FROM acceptances WHERE id = NEW.acceptance_id) END) THEN
        PERFORM refuse_now('evidence only grows, one by one');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER evidence_grows BEFORE INSERT ON evidence FOR EACH ROW EXECUTE FUNCTION evidence_grows();

CREATE TRIGGER evidence_frozen BEFORE UPDATE ON evidence FOR EACH ROW
    EXECUTE FUNCTION refuse('evidence never changes');

CREATE TRIGGER evidence_stay BEFORE DELETE ON evidence FOR EACH ROW
    EXECUTE FUNCTION refuse('evidence never changes');

CREATE FUNCTION orders_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id IS DISTINCT FROM OLD.id OR NEW.service_id IS DISTINCT FROM OLD.service_id OR NEW.number IS DISTINCT FROM OLD.number
        OR NEW.created_ms IS DISTINCT FROM OLD.created_ms) THEN
        PERFORM refuse_now('the identity of an order never changes');
    -- What leaves `sending` leaves with an answer that says so.
    ELSIF (OLD.state = 'sending' AND NEW.state <> OLD.state AND NOT EXISTS (
        SELECT 1 FROM attempts
        WHERE order_id = OLD.id AND n = OLD.attempts AND outcome = NEW.state
            AND (NEW.state <> 'booked' OR awb = NEW.awb))) THEN
        PERFORM refuse_now('the attempt has no such answer');
    -- What leaves `in_doubt` leaves by a person's word on this very attempt, or by its answer, however late.
    ELSIF (OLD.state = 'in_doubt' AND NEW.state <> OLD.state AND NOT EXISTS (
        SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
        WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts
            AND d.verb = CASE NEW.state WHEN 'staged' THEN 'not-booked' ELSE NEW.state END
            AND (NEW.state <> 'booked' OR d.awb = NEW.awb))
        AND NOT EXISTS (
        SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
        WHERE a.order_id = OLD.id AND l.outcome = NEW.state
            AND ((NEW.state = 'booked' AND l.awb = NEW.awb) OR (NEW.state <> 'booked' AND a.n = OLD.attempts)))) THEN
        PERFORM refuse_now('an order in doubt needs a decision');
    ELSIF (NEW.state <> OLD.state AND NOT CASE OLD.state
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
        ELSE false END) THEN
        PERFORM refuse_now('no way leads from this state to that one');
    -- What is booked stays so. Only an AWB that a person gave is corrected, and only before anything was done with it.
    ELSIF (OLD.state = 'booked' AND (
        NEW.state <> 'booked' OR NEW.awb IS NOT DISTINCT FROM OLD.awb OR NEW.request_id IS DISTINCT FROM OLD.request_id
        OR NEW.attempts IS DISTINCT FROM OLD.attempts OR NEW.order_id IS DISTINCT FROM OLD.order_id OR NEW.carrier IS DISTINCT FROM OLD.carrier
        OR NEW.service_level IS DISTINCT FROM OLD.service_level OR NEW.old_answer IS DISTINCT FROM OLD.old_answer
        OR NEW.error IS DISTINCT FROM OLD.error
        OR NOT EXISTS (
            SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'booked' AND d.awb = NEW.awb
                AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id))
        OR EXISTS (SELECT 1 FROM attempts WHERE order_id = OLD.id AND outcome = 'booked')
        OR EXISTS (
            SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
            WHERE a.order_id = OLD.id AND l.outcome = 'booked')
        OR EXISTS (SELECT 1 FROM cancel_requests WHERE order_id = OLD.id)
        OR EXISTS (SELECT 1 FROM deliveries WHERE order_id = OLD.id))) THEN
        PERFORM refuse_now('a booked order never changes');
    -- Beside its own answer, only an answer that came late books an order, or a person's word on its latest attempt.
    ELSIF (NEW.state = 'booked' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' AND NOT EXISTS (
        SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
        WHERE a.order_id = OLD.id AND l.outcome = 'booked' AND l.awb = NEW.awb)
        AND NOT EXISTS (
        SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
        WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'booked'
            AND d.awb = NEW.awb AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id))) THEN
        PERFORM refuse_now('neither a late answer nor a decision books this order');
    -- The same answer with a shipment that another order has: what could be sent is in doubt.
    ELSIF (NEW.state = 'in_doubt' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' AND NOT EXISTS (
        SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
        WHERE a.order_id = OLD.id AND (l.outcome = 'booked' OR l.outcome = 'in_doubt'))) THEN
        PERFORM refuse_now('no late answer puts this order in doubt');
    ELSIF (NEW.attempts <> OLD.attempts + (NEW.state = 'sending' AND OLD.state <> 'sending')::int) THEN
        PERFORM refuse_now('each sending is one attempt more');
    -- What failed is sent again because a person asked, or with a corrected request.
    ELSIF ((OLD.state = 'rejected' OR OLD.state = 'refused') AND NEW.state = 'staged'
        AND NEW.request_id = OLD.request_id
        AND NOT EXISTS (
            SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'retry')) THEN
        PERFORM refuse_now('a retry needs a decision or a corrected request');
    -- What was given up may have been booked: only a later word brings it back, never a corrected row.
    ELSIF (OLD.state = 'abandoned' AND NEW.state = 'staged' AND NOT EXISTS (
        SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'not-booked' AND d.id > (
            SELECT max(id) FROM decisions WHERE order_id = OLD.id AND verb = 'abandoned'))) THEN
        PERFORM refuse_now('only a decision brings an abandoned order back');
    ELSIF (NEW.state = 'abandoned'
        AND (OLD.state = 'staged' OR OLD.state = 'waiting' OR OLD.state = 'rejected' OR OLD.state = 'refused')
        AND NOT EXISTS (
            SELECT 1 FROM decisions d LEFT JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND d.verb = 'abandoned' AND coalesce(a.n, 0) = OLD.attempts)) THEN
        PERFORM refuse_now('only a decision gives an order up');
    ELSIF (NEW.request_id <> OLD.request_id AND (
        NOT (NEW.state = 'staged' OR NEW.state = 'waiting') OR OLD.state = 'sending' OR OLD.state = 'in_doubt'
        OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request_id AND order_id = OLD.id))) THEN
        PERFORM refuse_now('only an order that may be sent takes another request of its own');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER orders_step BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION orders_step();

-- Staged, sending and waiting are one class to those who count: only what crosses its border is counted anew.
CREATE FUNCTION is_open(state text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT (state = 'staged' OR state = 'sending' OR state = 'waiting')::int::bigint
$$;
CREATE FUNCTION orders_tally() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE run_tallies SET
        outstanding = outstanding - is_open(OLD.state) + is_open(NEW.state),
        booked    = booked                                     + (NEW.state = 'booked')::int,
        rejected  = rejected  - (OLD.state = 'rejected')::int  + (NEW.state = 'rejected')::int,
        refused   = refused   - (OLD.state = 'refused')::int   + (NEW.state = 'refused')::int,
        in_doubt  = in_doubt  - (OLD.state = 'in_doubt')::int  + (NEW.state = 'in_doubt')::int,
        abandoned = abandoned - (OLD.state = 'abandoned')::int + (NEW.state = 'abandoned')::int
    WHERE run_id IN (SELECT run_id FROM run_orders WHERE order_id = NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER orders_tally AFTER UPDATE OF state ON orders FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND NOT (OLD.state IN ('staged', 'sending', 'waiting')
        AND NEW.state IN ('staged', 'sending', 'waiting')))
    EXECUTE FUNCTION orders_tally();

-- No table is emptied at a stroke, which no row's guard would see.
DO $$
DECLARE
    one name;
BEGIN
    FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
        EXECUTE format('CREATE TRIGGER not_emptied BEFORE TRUNCATE ON %I EXECUTE FUNCTION refuse(%L)', one, 'a ledger is never emptied');
    END LOOP;
END $$;
