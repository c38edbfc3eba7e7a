-- What was on the screen first, and where alerts of sellers and searches go on.

-- When a product was on the screen for the first time: in the visit of then it still counts as new.
ALTER TABLE sight ADD COLUMN first INTEGER NOT NULL DEFAULT 0;
UPDATE sight SET first = at;

-- What is known of the products of an alert for a seller or a search; these rows stay on this computer.
CREATE TABLE wait_known (
  wait INTEGER NOT NULL REFERENCES wait ON DELETE CASCADE,
  product INTEGER NOT NULL,
  -- Whether the condition held when it was read last.
  met INTEGER NOT NULL,
  PRIMARY KEY (wait, product)
) STRICT, WITHOUT ROWID;
INSERT INTO wait_known SELECT wait, product, met FROM wait_product;
DROP TABLE wait_product;

-- Products up to this number are not followed any more; null where all are.
ALTER TABLE wait ADD COLUMN floor INTEGER;
-- Where the round through all products goes on: the highest number when it began, and the next page
-- ("#" and a number, or ">" and a cursor). Null where the next round begins.
ALTER TABLE wait ADD COLUMN place_top INTEGER;
ALTER TABLE wait ADD COLUMN place_next TEXT;
-- Whether a round has come to its end.
ALTER TABLE wait ADD COLUMN knows_all INTEGER NOT NULL DEFAULT 0;
-- The id of the market that this is known of; null where it has not said one.
ALTER TABLE wait ADD COLUMN market_id TEXT;

-- Products that came with one check, this one among them.
ALTER TABLE hit ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
