-- The guards of orders and attempts as they were, each question asked only where it can matter: the server begins every query
-- of a condition, also of one whose first part does not hold. And orders are counted once a statement, not once a row.

CREATE OR REPLACE FUNCTION orders_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.id IS DISTINCT FROM OLD.id OR NEW.service_id IS DISTINCT FROM OLD.service_id OR NEW.number IS DISTINCT FROM OLD.number
        OR NEW.created_ms IS DISTINCT FROM OLD.created_ms THEN
        PERFORM refuse_now('the identity of an order never changes');
    END IF;
    -- What leaves `sending` leaves with an answer that says so.
    IF OLD.state = 'sending' AND NEW.state <> OLD.state THEN
        IF NOT EXISTS (
            SELECT 1 FROM attempts
            WHERE order_id = OLD.id AND n = OLD.attempts AND outcome = NEW.state
                AND (NEW.state <> 'booked' OR awb = NEW.awb)) THEN
            PERFORM refuse_now('the attempt has no such answer');
        END IF;
    END IF;
    -- What leaves `in_doubt` leaves by a person's word on this very attempt, or by its answer, however late.
    IF OLD.state = 'in_doubt' AND NEW.state <> OLD.state THEN
        IF NOT EXISTS (
            SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts
                AND d.verb = CASE NEW.state WHEN 'staged' THEN 'not-booked' ELSE NEW.state END
                AND (NEW.state <> 'booked' OR d.awb = NEW.awb))
            AND NOT EXISTS (
            SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
            WHERE a.order_id = OLD.id AND l.outcome = NEW.state
                AND ((NEW.state = 'booked' AND l.awb = NEW.awb) OR (NEW.state <> 'booked' AND a.n = OLD.attempts))) THEN
            PERFORM refuse_now('an order in doubt needs a decision');
        END IF;
    END IF;
    IF (NEW.state <> OLD.state AND NOT CASE OLD.state
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
    END IF;
    -- What is booked stays so. Only an AWB that a person gave is corrected, and only before anything was done with it.
    IF OLD.state = 'booked' THEN
        IF NEW.state <> 'booked' OR NEW.awb IS NOT DISTINCT FROM OLD.awb OR NEW.request_id IS DISTINCT FROM OLD.request_id
            OR NEW.attempts IS DISTINCT FROM OLD.attempts OR NEW.order_id IS DISTINCT FROM OLD.order_id
            OR NEW.carrier IS DISTINCT FROM OLD.carrier OR NEW.service_level IS DISTINCT FROM OLD.service_level
            OR NEW.old_answer IS DISTINCT FROM OLD.old_answer OR NEW.error IS DISTINCT FROM OLD.error
            OR NOT EXISTS (
                SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'booked' AND d.awb = NEW.awb
                    AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id))
            OR EXISTS (SELECT 1 FROM attempts WHERE order_id = OLD.id AND outcome = 'booked')
            OR EXISTS (
                SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
                WHERE a.order_id = OLD.id AND l.outcome = 'booked')
            OR EXISTS (SELECT 1 FROM cancel_requests WHERE order_id = OLD.id)
            OR EXISTS (SELECT 1 FROM deliveries WHERE order_id = OLD.id) THEN
            PERFORM refuse_now('a booked order never changes');
        END IF;
    END IF;
    -- Beside its own answer, only an answer that came late books an order, or a person's word on its latest attempt.
    IF NEW.state = 'booked' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' THEN
        IF NOT EXISTS (
            SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
            WHERE a.order_id = OLD.id AND l.outcome = 'booked' AND l.awb = NEW.awb)
            AND NOT EXISTS (
            SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'booked'
                AND d.awb = NEW.awb AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id)) THEN
            PERFORM refuse_now('neither a late answer nor a decision books this order');
        END IF;
    END IF;
    -- The same answer with a shipment that another order has: what could be sent is in doubt.
    IF NEW.state = 'in_doubt' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' THEN
        IF NOT EXISTS (
            SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
            WHERE a.order_id = OLD.id AND (l.outcome = 'booked' OR l.outcome = 'in_doubt')) THEN
            PERFORM refuse_now('no late answer puts this order in doubt');
        END IF;
    END IF;
    IF NEW.attempts <> OLD.attempts + (NEW.state = 'sending' AND OLD.state <> 'sending')::int THEN
        PERFORM refuse_now('each sending is one attempt more');
    END IF;
    -- What failed is sent again because a person asked, or with a corrected request.
    IF (OLD.state = 'rejected' OR OLD.state = 'refused') AND NEW.state = 'staged' AND NEW.request_id = OLD.request_id THEN
        IF NOT EXISTS (
            SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'retry') THEN
            PERFORM refuse_now('a retry needs a decision or a corrected request');
        END IF;
    END IF;
    -- What was given up may have been booked: only a later word brings it back, never a corrected row.
    IF OLD.state = 'abandoned' AND NEW.state = 'staged' THEN
        IF NOT EXISTS (
            SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'not-booked' AND d.id > (
                SELECT max(id) FROM decisions WHERE order_id = OLD.id AND verb = 'abandoned')) THEN
            PERFORM refuse_now('only a decision brings an abandoned order back');
        END IF;
    END IF;
    IF NEW.state = 'abandoned'
        AND (OLD.state = 'staged' OR OLD.state = 'waiting' OR OLD.state = 'rejected' OR OLD.state = 'refused') THEN
        IF NOT EXISTS (
            SELECT 1 FROM decisions d LEFT JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND d.verb = 'abandoned' AND coalesce(a.n, 0) = OLD.attempts) THEN
            PERFORM refuse_now('only a decision gives an order up');
        END IF;
    END IF;
    IF NEW.request_id <> OLD.request_id THEN
        IF NOT (NEW.state = 'staged' OR NEW.state = 'waiting') OR OLD.state = 'sending' OR OLD.state = 'in_doubt'
            OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request_id AND order_id = OLD.id) THEN
            PERFORM refuse_now('only an order that may be sent takes another request of its own');
        END IF;
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION orders_sent_at_one_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'sending' AND OLD.state <> 'sending' THEN
        -- Hardly ever is there any at all.
        IF EXISTS (SELECT 1 FROM address_words) THEN
            IF EXISTS (
                SELECT 1 FROM same_service s JOIN orders o ON o.service_id = s.id AND o.number = NEW.number
                WHERE s.asked = NEW.service_id AND o.id <> NEW.id
                    AND (o.state = 'booked' OR o.state = 'sending' OR o.state = 'in_doubt' OR o.state = 'abandoned')) THEN
                PERFORM refuse_now('the same service has this order at another address');
            END IF;
        END IF;
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION attempts_answered_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.id IS DISTINCT FROM NEW.id OR OLD.order_id IS DISTINCT FROM NEW.order_id OR OLD.n IS DISTINCT FROM NEW.n
        OR OLD.request_id IS DISTINCT FROM NEW.request_id OR OLD.run_id IS DISTINCT FROM NEW.run_id
        OR OLD.intent_ms IS DISTINCT FROM NEW.intent_ms OR NEW.answered_ms IS NULL THEN
        PERFORM refuse_now('an attempt is answered once and keeps what it was');
    ELSIF OLD.answered_ms IS NULL THEN
        IF NEW.purge_id IS NOT NULL OR NEW.answer_sha256 IS NOT NULL THEN
            PERFORM refuse_now('an attempt is answered once and keeps what it was');
        END IF;
    ELSIF OLD.purge_id IS NOT NULL OR NEW.purge_id IS NULL OR NEW.reason IS NOT NULL OR NEW.answer IS NOT NULL
        OR (NEW.answer_sha256 IS NULL) IS DISTINCT FROM (OLD.answer IS NULL)
        OR NEW.answered_ms IS DISTINCT FROM OLD.answered_ms OR NEW.outcome IS DISTINCT FROM OLD.outcome
        OR NEW.status IS DISTINCT FROM OLD.status OR NEW.awb IS DISTINCT FROM OLD.awb
        OR NEW.service_order_id IS DISTINCT FROM OLD.service_order_id
        OR NEW.answer_bytes IS DISTINCT FROM OLD.answer_bytes OR NEW.evidence_n IS DISTINCT FROM OLD.evidence_n
        OR NOT EXISTS (SELECT 1 FROM orders_over WHERE id = OLD.order_id) THEN
        PERFORM refuse_now('an attempt is answered once and keeps what it was');
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION attempts_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.answered_ms IS NOT NULL
    OR NOT EXISTS (
        SELECT 1 FROM orders
        WHERE id = NEW.order_id AND state = 'sending' AND attempts = NEW.n AND request_id = NEW.request_id)
    OR EXISTS (SELECT 1 FROM attempts WHERE order_id = NEW.order_id AND n = NEW.n)
    OR EXISTS (SELECT 1 FROM attempts WHERE id = NEW.id)) THEN
        PERFORM refuse_now('an attempt begins once, open, with its order sending, in a ledger that is at home');
    END IF;
    -- Hardly ever is there any at all.
    IF EXISTS (SELECT 1 FROM moves) THEN
        IF EXISTS (SELECT 1 FROM moves m WHERE NOT EXISTS (SELECT 1 FROM homes h WHERE h.move_id = m.id)) THEN
            PERFORM refuse_now('an attempt begins once, open, with its order sending, in a ledger that is at home');
        END IF;
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION evidence_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM evidence) THEN
        PERFORM refuse_now('evidence only grows, one by one');
    END IF;
    -- Nearly all of it is of attempts.
    IF NEW.attempt_id IS NOT NULL THEN
        IF NEW.n IS DISTINCT FROM (SELECT evidence_n FROM attempts WHERE id = NEW.attempt_id) THEN
            PERFORM refuse_now('evidence only grows, one by one');
        END IF;
    ELSIF (NEW.n IS DISTINCT FROM CASE
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

DROP TRIGGER orders_tally ON orders;
CREATE OR REPLACE FUNCTION orders_tally() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE run_tallies t SET
        outstanding = t.outstanding + d.outstanding,
        booked      = t.booked      + d.booked,
        rejected    = t.rejected    + d.rejected,
        refused     = t.refused     + d.refused,
        in_doubt    = t.in_doubt    + d.in_doubt,
        abandoned   = t.abandoned   + d.abandoned
    FROM (
        SELECT r.run_id,
            sum(is_open(n.state) - is_open(o.state))::bigint                           AS outstanding,
            sum((n.state = 'booked')::int    - (o.state = 'booked')::int)::bigint      AS booked,
            sum((n.state = 'rejected')::int  - (o.state = 'rejected')::int)::bigint    AS rejected,
            sum((n.state = 'refused')::int   - (o.state = 'refused')::int)::bigint     AS refused,
            sum((n.state = 'in_doubt')::int  - (o.state = 'in_doubt')::int)::bigint    AS in_doubt,
            sum((n.state = 'abandoned')::int - (o.state = 'abandoned')::int)::bigint   AS abandoned
        FROM were o JOIN are n ON n.id = o.id JOIN run_orders r ON r.order_id = n.id
        WHERE o.state <> n.state
            AND NOT (o.state IN ('staged', 'sending', 'waiting') AND n.state IN ('staged', 'sending', 'waiting'))
        GROUP BY r.run_id
    ) d
    WHERE t.run_id = d.run_id;
    RETURN NULL;
END $$;
CREATE TRIGGER orders_tally AFTER UPDATE ON orders REFERENCING OLD TABLE AS were NEW TABLE AS are
    FOR EACH STATEMENT EXECUTE FUNCTION orders_tally();
