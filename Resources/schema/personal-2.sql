-- What is kept, what was seen at which price, and what is waited for.

-- What a market is called and where it is, where something of it is kept; both are null for the local
-- market.
CREATE TABLE kept_market (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  name TEXT,
  place TEXT
) STRICT;

-- A product that is kept, as it was seen last; what was kept later has a higher number. The columns in
-- which words are looked for are folded; the long ones stand at the end.
CREATE TABLE kept_product (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL,
  kept INTEGER NOT NULL,
  seen INTEGER NOT NULL,
  -- Since when it is gone; null while it is there.
  gone INTEGER,
  -- When it was let go of; null while it is kept. It can be taken back for a day.
  dropped INTEGER,
  seller INTEGER NOT NULL,
  seller_name TEXT NOT NULL,
  name TEXT NOT NULL,
  -- In hundredths; null where the price could not be read.
  price INTEGER,
  discount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  stock INTEGER NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  -- Whether only the days of these two are known.
  by_day INTEGER NOT NULL,
  -- Where the market has the picture; null where there is none.
  picture_number INTEGER,
  picture_original TEXT,
  picture_thumbnail TEXT,
  note TEXT NOT NULL DEFAULT '',
  note_words TEXT NOT NULL DEFAULT '',
  words TEXT NOT NULL,
  -- Null where only lists told of the product.
  description TEXT,
  description_words TEXT,
  UNIQUE (market, product)
) STRICT;
CREATE INDEX kept_product_by_dropped ON kept_product (dropped);
CREATE INDEX kept_product_by_market ON kept_product (market, dropped, product);

-- The small picture of a kept product, and under which name the market had it.
CREATE TABLE kept_picture (
  kept INTEGER PRIMARY KEY REFERENCES kept_product ON DELETE CASCADE,
  thumbnail TEXT NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

-- A seller who is kept, with the product by which the seller was met.
CREATE TABLE kept_seller (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  seller INTEGER NOT NULL,
  product INTEGER NOT NULL,
  kept INTEGER NOT NULL,
  dropped INTEGER,
  name TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  note_words TEXT NOT NULL DEFAULT '',
  words TEXT NOT NULL,
  UNIQUE (market, seller)
) STRICT;
CREATE INDEX kept_seller_by_dropped ON kept_seller (dropped);
-- What was on the screen, and when last.
CREATE TABLE sight (
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (market, product)
) STRICT, WITHOUT ROWID;
CREATE INDEX sight_by_time ON sight (at);
INSERT INTO sight (market, product, at) SELECT market, product, at FROM seen;
DROP TABLE seen;

-- A price to pay at which a product was seen: a row for each change of it.
CREATE TABLE price_point (
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- Hundredths of the currency's unit.
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  -- When the next price was seen; null for a product's latest one.
  until INTEGER,
  PRIMARY KEY (market, product, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX price_point_by_end ON price_point (until) WHERE until IS NOT NULL;

-- The product up to which all of a market count as seen.
CREATE TABLE seen_through (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL
) STRICT;

-- What one waits for in a market. Conditions are 'below' (with an amount), 'stock' and 'new'.
CREATE TABLE wait (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  -- Path or address of the market; null for the local one.
  place TEXT,
  -- 'product' and 'seller' have a number, 'search' has a text.
  subject TEXT NOT NULL,
  number INTEGER,
  text TEXT,
  name TEXT NOT NULL,
  condition TEXT NOT NULL,
  hundredths INTEGER,
  currency TEXT,
  -- Whether the condition held when one looked last, and the highest number that was there then.
  met INTEGER NOT NULL,
  newest INTEGER
) STRICT;
CREATE INDEX wait_by_market ON wait (market);

-- What has come, as it was then; the row that came last has the highest number.
CREATE TABLE hit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  place TEXT,
  condition TEXT NOT NULL,
  below INTEGER,
  below_currency TEXT,
  wait_name TEXT NOT NULL,
  product INTEGER NOT NULL,
  name TEXT NOT NULL,
  hundredths INTEGER,
  currency TEXT,
  seen INTEGER NOT NULL
) STRICT;
CREATE INDEX hit_unseen ON hit (seen) WHERE seen = 0;
