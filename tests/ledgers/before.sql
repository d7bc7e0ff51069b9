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
-- What a run kept back stood by itself there. Triggers that look at these tables are gone by now.
DROP VIEW run_classes;
DROP VIEW dismissed_differences;
CREATE TABLE run_invalid AS
    SELECT r.run_id, row_number() OVER (PARTITION BY r.run_id ORDER BY r.seq) AS n, CASE WHEN r.seq < 0 THEN 0 ELSE r.seq END AS seq,
        o.number, r.rows, r.cells, r.seq AS place
    FROM run_orders r LEFT JOIN orders o ON o.id = r.order_id WHERE r.behind = 1;
CREATE TABLE problems_before AS
    SELECT p.run_id, p.n, i.n AS invalid_n, p.code, p.severity, p.place, p.order_number, p.field, p.found, p.message, p.hint, p.detail
    FROM problems p LEFT JOIN run_invalid i ON i.run_id = p.run_id AND i.place = p.seq;
DROP TABLE problems;
ALTER TABLE problems_before RENAME TO problems;
ALTER TABLE run_invalid DROP COLUMN place;
CREATE TABLE run_orders_before AS SELECT run_id, seq, order_id, already, rows FROM run_orders WHERE behind = 0;
DROP TABLE run_orders;
ALTER TABLE run_orders_before RENAME TO run_orders;
-- What sources say of orders has no place there.
DROP INDEX orders_kept_back;
DROP VIEW reasons;
DROP VIEW refusals;
DROP VIEW orders_over;
DROP VIEW orders_that_count;
DROP VIEW taken_and_booked;
ALTER TABLE orders DROP COLUMN standing;
ALTER TABLE orders DROP COLUMN source_standing;
ALTER TABLE orders DROP COLUMN draft_hold;
ALTER TABLE orders DROP COLUMN hold;
ALTER TABLE orders DROP COLUMN verdict;
ALTER TABLE orders DROP COLUMN revision_id;
ALTER TABLE run_tallies DROP COLUMN held;
ALTER TABLE run_tallies DROP COLUMN left_out;
ALTER TABLE run_ends DROP COLUMN held;
ALTER TABLE run_ends DROP COLUMN left_out;
DROP TABLE revisions;
DROP TABLE statements;
DROP TABLE draft_holds;
DROP TABLE draft_notes;
DROP TABLE draft_pieces;
DROP TABLE drafts;
DROP TABLE sources;
DELETE FROM orders WHERE request_id IS NULL;
CREATE TABLE withdrawals AS SELECT id AS decision_id, verb AS verdict, cells AS sheet FROM decisions WHERE 1 = 0;
DELETE FROM evidence WHERE coalesce(attempt_id, decision_id, acceptance_id, address_word_id, late_answer_id, accepted_finding_id,
    dismissal_id, purge_id) IS NULL;
