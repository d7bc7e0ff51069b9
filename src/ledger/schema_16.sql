-- What was said of a sheet when it was put there, in one line without anything about people. Rows from before have none.
ALTER TABLE filed_sheets ADD COLUMN said TEXT;
