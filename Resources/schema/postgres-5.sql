-- How a seller wants to be reached, one line; empty where nothing is said.
ALTER TABLE seller ADD COLUMN contact text NOT NULL DEFAULT '';
