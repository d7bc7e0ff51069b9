-- Staged, sending and waiting are one class to those who count: only what crosses its border is counted anew.
CREATE FUNCTION is_open(standing text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT (standing = 'staged' OR standing = 'sending' OR standing = 'waiting')::int::bigint
$$;
CREATE FUNCTION orders_tally() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE run_tallies t SET
        outstanding = t.outstanding + d.outstanding,
        booked      = t.booked      + d.booked,
        rejected    = t.rejected    + d.rejected,
        refused     = t.refused     + d.refused,
        in_doubt    = t.in_doubt    + d.in_doubt,
        held        = t.held        + d.held,
        left_out    = t.left_out    + d.left_out,
        abandoned   = t.abandoned   + d.abandoned
    FROM (
        SELECT r.run_id,
            sum(is_open(n.standing) - is_open(o.standing))::bigint                           AS outstanding,
            sum((n.standing = 'booked')::int    - (o.standing = 'booked')::int)::bigint      AS booked,
            sum((n.standing = 'rejected')::int  - (o.standing = 'rejected')::int)::bigint    AS rejected,
            sum((n.standing = 'refused')::int   - (o.standing = 'refused')::int)::bigint     AS refused,
            sum((n.standing = 'in_doubt')::int  - (o.standing = 'in_doubt')::int)::bigint    AS in_doubt,
            sum((n.standing = 'held')::int - (o.standing = 'held')::int)::bigint AS held,
            sum((n.standing = 'left_out')::int - (o.standing = 'left_out')::int)::bigint AS left_out,
            sum((n.standing = 'abandoned')::int - (o.standing = 'abandoned')::int)::bigint   AS abandoned
        FROM were o JOIN are n ON n.id = o.id JOIN run_orders r ON r.order_id = n.id
        WHERE o.standing <> n.standing
            AND NOT (o.standing IN ('staged', 'sending', 'waiting') AND n.standing IN ('staged', 'sending', 'waiting'))
        GROUP BY r.run_id
    ) d
    WHERE t.run_id = d.run_id;
    RETURN NULL;
END $$;
CREATE TRIGGER orders_tally AFTER UPDATE ON orders REFERENCING OLD TABLE AS were NEW TABLE AS are
    FOR EACH STATEMENT EXECUTE FUNCTION orders_tally();
