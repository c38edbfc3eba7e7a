-- What addresses have used up of their limits, told by all servers. Nothing is lost with it, so that
-- it costs no log of the database; a crash forgets it.
CREATE UNLOGGED TABLE use_count (
  -- Number of the limit (SharedUse.Limit).
  kind bigint NOT NULL,
  -- Hash of the address.
  origin bytea NOT NULL,
  -- Time at which nothing is used up any more, in nanoseconds since 1970.
  busy_until bigint NOT NULL,
  PRIMARY KEY (kind, origin)
);
