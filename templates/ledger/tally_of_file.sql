-- Staged, sending and waiting are one class to those who count: only what crosses its border is counted anew.
CREATE TRIGGER orders_tally AFTER UPDATE OF state, verdict, hold, draft_hold, request_id ON orders
WHEN NEW.standing <> OLD.standing
    AND NOT ((OLD.standing = 'staged' OR OLD.standing = 'sending' OR OLD.standing = 'waiting')
        AND (NEW.standing = 'staged' OR NEW.standing = 'sending' OR NEW.standing = 'waiting'))
BEGIN
    UPDATE run_tallies SET
        outstanding = outstanding - (OLD.standing = 'staged' OR OLD.standing = 'sending' OR OLD.standing = 'waiting')
                                  + (NEW.standing = 'staged' OR NEW.standing = 'sending' OR NEW.standing = 'waiting'),
        booked    = booked                                 + (NEW.standing = 'booked'),
        invalid   = invalid   - (OLD.standing = 'invalid')   + (NEW.standing = 'invalid'),
        rejected  = rejected  - (OLD.standing = 'rejected')  + (NEW.standing = 'rejected'),
        refused   = refused   - (OLD.standing = 'refused')   + (NEW.standing = 'refused'),
        in_doubt  = in_doubt  - (OLD.standing = 'in_doubt')  + (NEW.standing = 'in_doubt'),
        held      = held      - (OLD.standing = 'held')      + (NEW.standing = 'held'),
        left_out  = left_out  - (OLD.standing = 'left_out')  + (NEW.standing = 'left_out'),
        dismissed = dismissed - (OLD.standing = 'dismissed') + (NEW.standing = 'dismissed'),
        abandoned = abandoned - (OLD.standing = 'abandoned') + (NEW.standing = 'abandoned')
    WHERE run_id IN (SELECT run_id FROM run_orders WHERE order_id = NEW.id);
    -- A run that keeps an order back counts it as held while another run may send it.
    UPDATE run_tallies SET
        outstanding = outstanding + (OLD.standing = 'staged' OR OLD.standing = 'sending' OR OLD.standing = 'waiting')
                                  - (NEW.standing = 'staged' OR NEW.standing = 'sending' OR NEW.standing = 'waiting'),
        held        = held        - (OLD.standing = 'staged' OR OLD.standing = 'sending' OR OLD.standing = 'waiting')
                                  + (NEW.standing = 'staged' OR NEW.standing = 'sending' OR NEW.standing = 'waiting')
    WHERE run_id IN (SELECT run_id FROM run_orders WHERE order_id = NEW.id AND behind = 1);
END;
