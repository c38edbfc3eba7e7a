-- Names by which products are still found that have another one since: a seller is renamed at once, and the
-- index follows, from the newest product to the oldest. An index of this kind forgets only what it was
-- given, so that the name has to be known until then.
CREATE TABLE former_name (
  seller INTEGER NOT NULL,
  -- The name is that of the seller's products up to this number, above that of the row before.
  last INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (seller, last)
) STRICT, WITHOUT ROWID;
