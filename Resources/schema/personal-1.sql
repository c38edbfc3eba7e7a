-- What one person keeps on this computer: never sent to a server, and never needed to start.

-- A market by its key on this computer ("local", "file-…", "server-…").
CREATE TABLE market (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE
) STRICT;

-- Times are in seconds since 1970. At most one visit of a market is under way.
CREATE TABLE visit (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  began INTEGER NOT NULL,
  -- The last time that somebody was known to look.
  noted INTEGER NOT NULL,
  -- Null while it is under way.
  ended INTEGER,
  -- The newest product that there was; null where none was seen.
  newest INTEGER
) STRICT;
CREATE INDEX visit_by_market ON visit (market, ended);

-- The running programs that take part in a visit.
CREATE TABLE visitor (
  visit INTEGER NOT NULL REFERENCES visit ON DELETE CASCADE,
  -- Boot of a computer and its table of processes: only there the process can be looked up.
  host TEXT NOT NULL,
  process INTEGER NOT NULL,
  -- Clock ticks from boot to its start; numbers of processes are used again.
  started INTEGER NOT NULL,
  PRIMARY KEY (visit, host, process, started)
) STRICT, WITHOUT ROWID;

-- What was asked, each text once; the row that was written last has the highest number.
CREATE TABLE history (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE saved_search (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- When a product was looked at last.
CREATE TABLE seen (
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (market, product)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_by_time ON seen (at);
