-- What the servers of one market share beside its products.

-- Wrong passwords by where they came from. Of the addresses there are hashes only.
CREATE TABLE password_try (
  product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
  origin BLOB NOT NULL,
  wrong INTEGER NOT NULL,
  last INTEGER NOT NULL,
  -- Whether the right password came from there once.
  trusted INTEGER NOT NULL,
  PRIMARY KEY (product, origin)
) STRICT, WITHOUT ROWID;

CREATE INDEX password_try_last ON password_try (last);

-- Until when the wrong passwords of all strangers together count.
CREATE TABLE password_siege (
  product INTEGER PRIMARY KEY REFERENCES product ON DELETE CASCADE,
  busy_until INTEGER NOT NULL
) STRICT;

-- What servers sign by; one row.
CREATE TABLE server_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  bytes BLOB NOT NULL
) STRICT;
