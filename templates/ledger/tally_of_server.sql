-- Staged, sending and waiting are one class to those who count: only what crosses its border is counted anew. A run that keeps an order
-- back counts it as held meanwhile.
CREATE FUNCTION class_in_run(standing text, behind bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN standing = 'staged' OR standing = 'sending' OR standing = 'waiting'
        THEN CASE behind WHEN 0 THEN 'outstanding' ELSE 'held' END ELSE standing END
$$;
CREATE FUNCTION orders_tally() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE run_tallies t SET
        outstanding = t.outstanding + d.outstanding,
        booked      = t.booked      + d.booked,
        invalid     = t.invalid     + d.invalid,
        rejected    = t.rejected    + d.rejected,
        refused     = t.refused     + d.refused,
        in_doubt    = t.in_doubt    + d.in_doubt,
        held        = t.held        + d.held,
        left_out    = t.left_out    + d.left_out,
        dismissed   = t.dismissed   + d.dismissed,
        abandoned   = t.abandoned   + d.abandoned
    FROM (
        SELECT c.run_id,
            sum((c.new = 'outstanding')::int - (c.old = 'outstanding')::int)::bigint AS outstanding,
            sum((c.new = 'booked')::int    - (c.old = 'booked')::int)::bigint    AS booked,
            sum((c.new = 'invalid')::int   - (c.old = 'invalid')::int)::bigint   AS invalid,
            sum((c.new = 'rejected')::int  - (c.old = 'rejected')::int)::bigint  AS rejected,
            sum((c.new = 'refused')::int   - (c.old = 'refused')::int)::bigint   AS refused,
            sum((c.new = 'in_doubt')::int  - (c.old = 'in_doubt')::int)::bigint  AS in_doubt,
            sum((c.new = 'held')::int      - (c.old = 'held')::int)::bigint      AS held,
            sum((c.new = 'left_out')::int  - (c.old = 'left_out')::int)::bigint  AS left_out,
            sum((c.new = 'dismissed')::int - (c.old = 'dismissed')::int)::bigint AS dismissed,
            sum((c.new = 'abandoned')::int - (c.old = 'abandoned')::int)::bigint AS abandoned
        FROM (
            SELECT r.run_id, class_in_run(o.standing, r.behind) AS old, class_in_run(n.standing, r.behind) AS new
            FROM were o JOIN are n ON n.id = o.id JOIN run_orders r ON r.order_id = n.id
            WHERE o.standing <> n.standing
                AND NOT (o.standing IN ('staged', 'sending', 'waiting') AND n.standing IN ('staged', 'sending', 'waiting'))) c
        GROUP BY c.run_id
    ) d
    WHERE t.run_id = d.run_id;
    RETURN NULL;
END $$;
CREATE TRIGGER orders_tally AFTER UPDATE ON orders REFERENCING OLD TABLE AS were NEW TABLE AS are
    FOR EACH STATEMENT EXECUTE FUNCTION orders_tally();
