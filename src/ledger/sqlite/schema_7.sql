-- The guards of an order's steps, in one program: each trigger costs its own at every update, whether it has anything to
-- say or not. What they refuse is what they always refused.

DROP TRIGGER orders_booked_for_good;
DROP TRIGGER orders_identity;
DROP TRIGGER orders_legal_state;
DROP TRIGGER orders_attempts;
DROP TRIGGER orders_answered;
DROP TRIGGER orders_settled;
DROP TRIGGER orders_retried;
DROP TRIGGER orders_brought_back;
DROP TRIGGER orders_abandoned;
DROP TRIGGER orders_request;

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

    -- What leaves `in_doubt` leaves by a person's word on this very attempt.
    WHEN OLD.state = 'in_doubt' AND NEW.state <> OLD.state AND NOT EXISTS (
        SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
        WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts
            AND d.verb = CASE NEW.state WHEN 'staged' THEN 'not-booked' ELSE NEW.state END
            AND (NEW.state <> 'booked' OR d.awb = NEW.awb))
    THEN RAISE(ABORT, 'an order in doubt needs a decision')

    WHEN NEW.state <> OLD.state AND NOT CASE OLD.state
        WHEN 'staged'    THEN NEW.state = 'sending' OR NEW.state = 'abandoned'
        WHEN 'waiting'   THEN NEW.state = 'sending' OR NEW.state = 'staged' OR NEW.state = 'abandoned'
        WHEN 'sending'   THEN NEW.state = 'booked' OR NEW.state = 'rejected' OR NEW.state = 'refused'
            OR NEW.state = 'waiting' OR NEW.state = 'in_doubt'
        WHEN 'in_doubt'  THEN NEW.state = 'booked' OR NEW.state = 'staged' OR NEW.state = 'abandoned'
        WHEN 'rejected'  THEN NEW.state = 'staged' OR NEW.state = 'abandoned'
        WHEN 'refused'   THEN NEW.state = 'staged' OR NEW.state = 'abandoned'
        WHEN 'abandoned' THEN NEW.state = 'staged'
        ELSE 0 END
    THEN RAISE(ABORT, 'no way leads from this state to that one')

    WHEN OLD.state = 'booked' THEN RAISE(ABORT, 'a booked order never changes')

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
