-- The guards of an order's steps, with two more words of a person: an order that was not booked by what we knew is booked by
-- what the courier's portal shows, and an AWB that a person gave is corrected.

DROP TRIGGER orders_step;
CREATE TRIGGER orders_step BEFORE UPDATE ON orders
BEGIN
    SELECT CASE
    WHEN NEW.id IS NOT OLD.id OR NEW.service_id IS NOT OLD.service_id OR NEW.number IS NOT OLD.number
        OR NEW.created_ms IS NOT OLD.created_ms
    THEN RAISE(ABORT, 'the identity of an order never changes')

    -- What leaves `sending` leaves with an answer that says so.
    WHEN OLD.state = 'sending' AND NEW.state <> OLD.state AND NOT EXISTS (
        SELECT 1 FROM attempts
        WHERE order_id = OLD.id AND n = OLD.attempts AND outcome = NEW.state
            AND (NEW.state <> 'booked' OR awb = NEW.awb))
    THEN RAISE(ABORT, 'the attempt has no such answer')

    -- What leaves `in_doubt` leaves by a person's word on this very attempt, or by its answer, however late.
    WHEN OLD.state = 'in_doubt' AND NEW.state <> OLD.state AND NOT EXISTS (
        SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
        WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts
            AND d.verb = CASE NEW.state WHEN 'staged' THEN 'not-booked' ELSE NEW.state END
            AND (NEW.state <> 'booked' OR d.awb = NEW.awb))
        AND NOT EXISTS (
        SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
        WHERE a.order_id = OLD.id AND l.outcome = NEW.state
            AND ((NEW.state = 'booked' AND l.awb = NEW.awb) OR (NEW.state <> 'booked' AND a.n = OLD.attempts)))
    THEN RAISE(ABORT, 'an order in doubt needs a decision')

    WHEN NEW.state <> OLD.state AND NOT CASE OLD.state
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
        ELSE 0 END
    THEN RAISE(ABORT, 'no way leads from this state to that one')

    -- What is booked stays so. Only an AWB that a person gave is corrected, and only before anything was done with it.
    WHEN OLD.state = 'booked' AND (
        NEW.state <> 'booked' OR NEW.awb IS OLD.awb OR NEW.request_id IS NOT OLD.request_id
        OR NEW.attempts IS NOT OLD.attempts OR NEW.order_id IS NOT OLD.order_id OR NEW.carrier IS NOT OLD.carrier
        OR NEW.service_level IS NOT OLD.service_level OR NEW.old_answer IS NOT OLD.old_answer
        OR NEW.error IS NOT OLD.error
        OR NOT EXISTS (
            SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'booked' AND d.awb = NEW.awb
                AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id))
        OR EXISTS (SELECT 1 FROM attempts WHERE order_id = OLD.id AND outcome = 'booked')
        OR EXISTS (
            SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
            WHERE a.order_id = OLD.id AND l.outcome = 'booked')
        OR EXISTS (SELECT 1 FROM cancel_requests WHERE order_id = OLD.id)
        OR EXISTS (SELECT 1 FROM deliveries WHERE order_id = OLD.id))
    THEN RAISE(ABORT, 'a booked order never changes')

    -- Beside its own answer, only an answer that came late books an order, or a person's word on its latest attempt.
    WHEN NEW.state = 'booked' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' AND NOT EXISTS (
        SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
        WHERE a.order_id = OLD.id AND l.outcome = 'booked' AND l.awb = NEW.awb)
        AND NOT EXISTS (
        SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
        WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'booked'
            AND d.awb = NEW.awb AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id))
    THEN RAISE(ABORT, 'neither a late answer nor a decision books this order')

    -- The same answer with a shipment that another order has: what could be sent is in doubt.
    WHEN NEW.state = 'in_doubt' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' AND NOT EXISTS (
        SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
        WHERE a.order_id = OLD.id AND (l.outcome = 'booked' OR l.outcome = 'in_doubt'))
    THEN RAISE(ABORT, 'no late answer puts this order in doubt')

    WHEN NEW.attempts IS NOT OLD.attempts + (NEW.state = 'sending' AND OLD.state <> 'sending')
    THEN RAISE(ABORT, 'each sending is one attempt more')

    -- What failed is sent again because a person asked, or with a corrected request.
    WHEN (OLD.state = 'rejected' OR OLD.state = 'refused') AND NEW.state = 'staged'
        AND NEW.request_id = OLD.request_id
        AND NOT EXISTS (
            SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'retry')
    THEN RAISE(ABORT, 'a retry needs a decision or a corrected request')

    -- What was given up may have been booked: only a later word brings it back, never a corrected row.
    WHEN OLD.state = 'abandoned' AND NEW.state = 'staged' AND NOT EXISTS (
        SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'not-booked' AND d.id > (
            SELECT max(id) FROM decisions WHERE order_id = OLD.id AND verb = 'abandoned'))
    THEN RAISE(ABORT, 'only a decision brings an abandoned order back')

    WHEN NEW.state = 'abandoned'
        AND (OLD.state = 'staged' OR OLD.state = 'waiting' OR OLD.state = 'rejected' OR OLD.state = 'refused')
        AND NOT EXISTS (
            SELECT 1 FROM decisions d LEFT JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND d.verb = 'abandoned' AND coalesce(a.n, 0) = OLD.attempts)
    THEN RAISE(ABORT, 'only a decision gives an order up')

    WHEN NEW.request_id <> OLD.request_id AND (
        NOT (NEW.state = 'staged' OR NEW.state = 'waiting') OR OLD.state = 'sending' OR OLD.state = 'in_doubt'
        OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request_id AND order_id = OLD.id))
    THEN RAISE(ABORT, 'only an order that may be sent takes another request of its own')
    END;
END;
