-- Makes the tables that the layout before had of the present ones, in a file or on a server. Rows keep their ids.
CREATE TABLE acceptances AS
    SELECT id, at_ms, "user", host, because, attempts_noted, attempts_found, evidence_n FROM decisions WHERE verb = 'accept-ledger';
CREATE TABLE address_words AS
    SELECT id, at_ms, "user", host, service_id AS one, other_id AS other, CASE verb WHEN 'same-service' THEN 1 ELSE 0 END AS is_same,
        because, evidence_n FROM decisions WHERE other_id IS NOT NULL;
CREATE TABLE accepted_findings AS
    SELECT id, at_ms, "user", host, service_id, rule, number, sheet, basis, because, evidence_n
    FROM decisions WHERE verb = 'accept-finding';
CREATE TABLE dismissals AS
    SELECT id, at_ms, "user", host, service_id, number, run_id, cells, because, evidence_n FROM decisions WHERE verb = 'dismiss';
CREATE TABLE purges AS
    SELECT id, at_ms, "user", host, before_ms, orders, requests, digest, evidence_n FROM decisions WHERE verb = 'remove';
CREATE TABLE evidence_before AS
    SELECT e.n, CASE e.kind WHEN 'attempt' THEN e.subject END AS attempt_id, CASE WHEN d.order_id IS NOT NULL THEN d.id END AS decision_id,
        CASE d.verb WHEN 'accept-ledger' THEN d.id END AS acceptance_id, CASE WHEN d.other_id IS NOT NULL THEN d.id END AS address_word_id,
        CASE e.kind WHEN 'late answer' THEN e.subject END AS late_answer_id,
        CASE d.verb WHEN 'accept-finding' THEN d.id END AS accepted_finding_id, CASE d.verb WHEN 'dismiss' THEN d.id END AS dismissal_id,
        CASE d.verb WHEN 'remove' THEN d.id END AS purge_id, e.hash
    FROM evidence e LEFT JOIN decisions d ON e.kind = 'decision' AND d.id = e.subject;
DROP TABLE evidence;
ALTER TABLE evidence_before RENAME TO evidence;
