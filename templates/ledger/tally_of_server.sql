-- Staged, sending and waiting are one class to those who count: only what crosses its border is counted anew.
CREATE FUNCTION is_open(state text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT (state = 'staged' OR state = 'sending' OR state = 'waiting')::int::bigint
$$;
CREATE FUNCTION orders_tally() RETURNS trigger LANGUAGE plpgsql AS $$
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
