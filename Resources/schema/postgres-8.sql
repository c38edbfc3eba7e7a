-- Changes of the counts in block that are not in there yet. Each writer adds a row of its own and waits
-- for nobody; what counts is block and these together. Now and then one server moves them there.
CREATE TABLE block_change (
  -- Number of the transaction that wrote it (pg_current_xact_id).
  transaction bigint NOT NULL,
  product bigint NOT NULL,
  -- State of the product before and after; null where there was none, or is none any more.
  state_before bigint,
  state_after bigint
);

CREATE INDEX block_change_transaction ON block_change (transaction);

-- What is in block for good: all changes of transactions below this number. So readers pass over what
-- was moved there, also as long as somebody's snapshot keeps the database from clearing it away.
CREATE TABLE block_settled (
  id bigint PRIMARY KEY CHECK (id = 1),
  before bigint NOT NULL
);

INSERT INTO block_settled (id, before) VALUES (1, 0);
