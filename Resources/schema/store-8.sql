-- The market's own random id, by which a person's things are found again at another address. A copy
-- of the file stands at another place, and gets an id of its own when it is first written to.
CREATE TABLE market_id (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  text TEXT NOT NULL,
  -- Number and birth of the file that the id was given to (FilePlace).
  place TEXT NOT NULL
) STRICT;
