-- Products whose details were opened, each once, as they were then; what was opened later has a higher
-- number.
CREATE TABLE viewed (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL,
  at INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- Hundredths of the currency's unit; both are null where the price could not be read.
  amount INTEGER,
  currency TEXT,
  UNIQUE (market, product)
) STRICT;
CREATE INDEX viewed_by_time ON viewed (at, id);
