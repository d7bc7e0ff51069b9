-- An ordinary turn of a run is four statements, however many orders it is about: BEGIN, what it is about, what it writes, COMMIT.
--
-- Stations that run call these functions for as long as they run: a later layout never drops one or changes what it means, but
-- adds another one beside it.

-- What a turn is about, behind the lock of whoever writes. Each query sees what was committed before it began, so none of it is
-- looked up before the lock is held.
--
-- 'link': the end of the chain (n, hash). 'brake': what another station says of the services of these orders (stopped_by, why,
-- its epoch and host). 'open': an answered order with its attempt. 'free': an order that is to be sent, with the number of its
-- next attempt. 'held': one that shall not be sent by now.
CREATE FUNCTION turn_looks(answered bigint[], awbs text[], given text[], bare text[], intents bigint[])
RETURNS TABLE (
    what text, order_id bigint, attempt_id bigint, n bigint, request_id bigint, run_id bigint, intent_ms bigint, hash bytea,
    origin text, number text, epoch bigint, host text, stopped_by text, why text)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7566700);
    RETURN QUERY SELECT 'link', NULL::bigint, NULL::bigint, e.n, NULL::bigint, NULL::bigint, NULL::bigint, e.hash,
        NULL, NULL, NULL::bigint, NULL, NULL, NULL
    FROM evidence e ORDER BY e.n DESC LIMIT 1;
    -- Open attempts of this very session, whose answers meet nothing else. `OFFSET 0` has each question asked of its index for
    -- each row: as a join, planned while the ledger is new, it would be asked of all orders of the service for years.
    IF cardinality(answered) > 0 THEN
        RETURN QUERY SELECT 'open', o.id, a.id, a.n, NULL::bigint, a.run_id, a.intent_ms, q.sha256,
            s.origin, o.number, NULL::bigint, NULL, NULL, NULL
        FROM unnest(answered, awbs, given, bare) AS x (id, awb, given, bare)
        JOIN orders o ON o.id = x.id JOIN attempts a ON a.order_id = o.id AND a.answered_ms IS NULL
        JOIN services s ON s.id = o.service_id JOIN requests q ON q.id = a.request_id
        WHERE o.id = ANY (answered) AND o.state = 'sending' AND a.epoch = own_epoch()
            AND NOT EXISTS (SELECT 1 FROM services OFFSET 1)
            AND NOT EXISTS (
                SELECT 1 FROM orders p
                WHERE p.service_id = o.service_id AND p.awb IN (x.awb, x.bare) AND p.awb IS NOT NULL AND p.id <> o.id OFFSET 0)
            AND NOT EXISTS (
                SELECT 1 FROM orders p
                WHERE p.service_id = o.service_id AND p.id <> o.id
                    AND p.awb <> ltrim(upper(replace(replace(replace(replace(replace(p.awb, '-', ''), '/', ''), '_', ''), '.', ''),
                        '#', '')), '0')
                    AND ltrim(upper(replace(replace(replace(replace(replace(p.awb, '-', ''), '/', ''), '_', ''), '.', ''),
                        '#', '')), '0') = x.bare OFFSET 0)
            AND NOT EXISTS (
                SELECT 1 FROM orders p
                WHERE p.service_id = o.service_id AND p.order_id = x.given AND p.order_id IS NOT NULL AND p.state = 'booked'
                    AND p.id <> o.id OFFSET 0);
    END IF;
    IF cardinality(intents) > 0 THEN
        -- Orders that may be sent and that nobody else holds just now.
        RETURN QUERY SELECT 'free', o.id, NULL::bigint, o.attempts + 1, o.request_id, NULL::bigint, NULL::bigint, NULL::bytea,
            NULL, NULL, NULL::bigint, NULL, NULL, NULL
        FROM orders o WHERE o.id = ANY (intents) AND (o.state = 'staged' OR o.state = 'waiting')
            AND o.verdict = 'go' AND o.hold IS NULL AND o.draft_hold = 0 FOR UPDATE SKIP LOCKED;
        RETURN QUERY SELECT 'held', o.id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bytea,
            NULL, NULL, NULL::bigint, NULL, NULL, NULL
        FROM orders o WHERE o.id = ANY (intents) AND o.standing IN ('invalid', 'held', 'left_out', 'dismissed');
        RETURN QUERY SELECT 'brake', NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
            NULL::bytea, NULL, NULL, b.epoch, b.host, b.stopped_by, b.why
        FROM brakes_held b WHERE b.service_id IN (SELECT o.service_id FROM orders o WHERE o.id = ANY (intents) OFFSET 0)
        ORDER BY b.id LIMIT 1;
    END IF;
END $$;

-- What a turn writes, in the order in which the guards want it: answers with their links, then claims with their intents.
CREATE FUNCTION turn_writes(
    at_ms bigint,
    -- Answers, a row each: the order, its attempt, what it came to, and its link in the chain.
    answered bigint[], closed bigint[], outcomes text[], statuses bigint[], awbs text[], given text[], carriers text[],
    service_levels text[], old_answers bigint[], errors text[], reasons text[], answers bytea[], answers_bytes bigint[],
    links bigint[], hashes bytea[],
    -- Claims, a row each: the order, its attempt's number, its request and the run.
    claimed bigint[], ns bigint[], requests_sent bigint[], runs_of bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(closed) > 0 THEN
        UPDATE attempts a SET answered_ms = at_ms, outcome = x.outcome, status = x.status, awb = x.awb,
            service_order_id = x.given, reason = x.reason, answer = x.answer, answer_bytes = x.answer_bytes, evidence_n = x.n
        FROM unnest(closed, outcomes, statuses, awbs, given, reasons, answers, answers_bytes, links)
            AS x (id, outcome, status, awb, given, reason, answer, answer_bytes, n)
        WHERE a.id = x.id AND a.id = ANY (closed);
        UPDATE orders o SET state = x.state, awb = CASE WHEN x.state = 'booked' THEN x.awb END,
            order_id = coalesce(CASE WHEN x.state IN ('booked', 'rejected') THEN x.given END, o.order_id),
            carrier = x.carrier, service_level = x.service_level, old_answer = x.old_answer, error = x.error
        FROM unnest(answered, outcomes, awbs, given, carriers, service_levels, old_answers, errors)
            AS x (id, state, awb, given, carrier, service_level, old_answer, error)
        WHERE o.id = x.id AND o.id = ANY (answered) AND o.state = 'sending';
        INSERT INTO evidence (n, kind, subject, hash)
        SELECT x.n, 'attempt', x.id, x.hash FROM unnest(links, closed, hashes) AS x (n, id, hash) ORDER BY x.n;
    END IF;
    IF cardinality(claimed) > 0 THEN
        UPDATE orders SET state = 'sending', attempts = attempts + 1, error = NULL
        WHERE id = ANY (claimed) AND (state = 'staged' OR state = 'waiting') AND verdict = 'go' AND hold IS NULL
            AND draft_hold = 0;
        INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms)
        SELECT x.id, x.n, x.request, x.run, at_ms FROM unnest(claimed, ns, requests_sent, runs_of) AS x (id, n, request, run);
        UPDATE runs r SET requests = r.requests + c.sent
        FROM (SELECT x.id, count(*) AS sent FROM unnest(runs_of) AS x (id) GROUP BY x.id) c
        WHERE r.id = c.id;
    END IF;
END $$;
