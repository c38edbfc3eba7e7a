-- What a seller wants shown of how to reach them, one line; empty for nothing.
ALTER TABLE seller ADD COLUMN contact TEXT NOT NULL DEFAULT '';

-- What has changed, for those who watch: in the order in which it was committed, and kept for a day
-- or 100,000 changes, whichever is more. It is never empty, so that a place in it is always a row.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  -- Random. A row of the same number in another file, or in one that was set back to a copy, has
  -- another mark.
  mark INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- 0: product listed; 1: product changed; 2: product deleted; 3: seller changed; 4: too much at
  -- once to say each.
  kind INTEGER NOT NULL,
  product INTEGER,
  -- Of the product after the change.
  version INTEGER,
  seller INTEGER
) STRICT;

INSERT INTO change (id, mark, at, kind) VALUES (1, random() & 9223372036854775807, 0, 4);

-- The index of product_search, which this takes the place of, knew no parts of syllables. Programs of
-- older versions find no index under the old name, and so spoil none.
DROP TABLE product_search;

-- The overlapping runs of letters of each product's words, as ProductGrams makes them. Beginnings of
-- 4 and 5 letters are what is typed of a syllable so far (HangulTokens).
CREATE VIRTUAL TABLE product_letters USING fts5 (
  grams, content = '', columnsize = 0, tokenize = 'ascii', prefix = '4 5'
);

-- By which the products since a time are found and narrowed further.
CREATE INDEX product_created ON product (created, state, currency, to_pay, seller);
