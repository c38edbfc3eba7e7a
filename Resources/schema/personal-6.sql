-- What was on the screen first.

-- When a product was on the screen for the first time: in the visit of then it still counts as new.
ALTER TABLE sight ADD COLUMN first INTEGER NOT NULL DEFAULT 0;
UPDATE sight SET first = at;

