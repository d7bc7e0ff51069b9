-- What a problem says and what can be done about it, as data: JSON of its case, its parameters, its remedies and what else is
-- said of the same value. Rows from before have their words instead.
ALTER TABLE problems ADD COLUMN detail TEXT;
