-- The market's own random id, by which a person's things are found again at another address. Tables
-- that were copied stand at another place, and get an id of their own when they are next opened.
CREATE TABLE market_id (
  id bigint PRIMARY KEY CHECK (id = 1),
  text text NOT NULL,
  -- Cluster, database and table that the id was given to (IdentityTable).
  place text NOT NULL
);
