-- Staged, sending and waiting are one class to those who count: only what crosses its border is counted anew.
CREATE TRIGGER orders_tally AFTER UPDATE OF state ON orders
WHEN NOT ((OLD.state = 'staged' OR OLD.state = 'sending' OR OLD.state = 'waiting')
    AND (NEW.state = 'staged' OR NEW.state = 'sending' OR NEW.state = 'waiting'))
BEGIN
    UPDATE run_tallies SET
        outstanding = outstanding - (OLD.state = 'staged' OR OLD.state = 'sending' OR OLD.state = 'waiting')
                                  + (NEW.state = 'staged' OR NEW.state = 'sending' OR NEW.state = 'waiting'),
        booked    = booked                              + (NEW.state = 'booked'),
        rejected  = rejected  - (OLD.state = 'rejected')  + (NEW.state = 'rejected'),
        refused   = refused   - (OLD.state = 'refused')   + (NEW.state = 'refused'),
        in_doubt  = in_doubt  - (OLD.state = 'in_doubt')  + (NEW.state = 'in_doubt'),
        abandoned = abandoned - (OLD.state = 'abandoned') + (NEW.state = 'abandoned')
    WHERE run_id IN (SELECT run_id FROM run_orders WHERE order_id = NEW.id);
END;
