-- The random id that a market gave itself, as it said when it was met last.
CREATE TABLE market_id (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  text TEXT NOT NULL,
  -- Whether a person said that what is kept of a market of this id does not belong here: 1 for good.
  declined INTEGER NOT NULL
) STRICT;
CREATE INDEX market_id_by_text ON market_id (text);

-- When a note was written: of two notes of one thing the later one is kept.
ALTER TABLE kept_product ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE kept_seller ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
