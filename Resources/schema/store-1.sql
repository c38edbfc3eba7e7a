-- A market in one file. All times are seconds since 1970 in UTC, all amounts hundredths.

CREATE TABLE seller (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Hash of the seller's identifier, so that a stolen file holds no credential; null for sellers
  -- that nobody can be: guest, and those of sample products.
  identifier BLOB UNIQUE,
  name TEXT NOT NULL
) STRICT;

INSERT INTO seller (id, name) VALUES (0, 'guest');

CREATE TABLE password (
  id INTEGER PRIMARY KEY,
  -- Argon2id, as crypto_pwhash_str writes it; sample products share one.
  hash TEXT NOT NULL,
  uses INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE picture (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- BLAKE2b of the file.
  hash BLOB NOT NULL UNIQUE,
  -- How many places of products refer to it.
  uses INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Apart from the table above, so that counting does not write a file's bytes anew. The thumbnail
-- comes first, so that reading it skips none of the larger file.
CREATE TABLE picture_file (
  picture INTEGER PRIMARY KEY REFERENCES picture ON DELETE CASCADE,
  thumbnail BLOB NOT NULL,
  original BLOB NOT NULL
) STRICT;

CREATE TABLE product (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  seller INTEGER NOT NULL REFERENCES seller,
  name TEXT NOT NULL,
  -- Orders by price group by currency, won first: the codes' own order does that.
  currency TEXT NOT NULL CHECK (currency IN ('KRW', 'USD')),
  price INTEGER NOT NULL CHECK (price >= 0),
  discount INTEGER NOT NULL CHECK (discount BETWEEN 0 AND price),
  percent INTEGER NOT NULL,
  stock INTEGER NOT NULL CHECK (stock >= 0),
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  -- No declared references to pictures and passwords: those are counted, and a declared one would
  -- read all products whenever a picture goes.
  thumbnail INTEGER,
  password INTEGER NOT NULL,
  -- Bit 0: in stock; bit 1: reduced. A filter is a set of states.
  state INTEGER NOT NULL GENERATED ALWAYS AS ((stock > 0) + 2 * (discount > 0)) VIRTUAL,
  -- What orders run by, turned so that each of them rises: a place in any order is then one row
  -- value, and what comes after it one range of an index.
  newness INTEGER NOT NULL GENERATED ALWAYS AS (-id) VIRTUAL,
  to_pay INTEGER NOT NULL GENERATED ALWAYS AS (price - discount) VIRTUAL,
  dearness INTEGER NOT NULL GENERATED ALWAYS AS (discount - price) VIRTUAL,
  reduction INTEGER NOT NULL GENERATED ALWAYS AS (-percent) VIRTUAL
) STRICT;

CREATE INDEX product_newest ON product (state, newness);
CREATE INDEX product_cheapest ON product (state, currency, to_pay, newness);
CREATE INDEX product_dearest ON product (state, currency, dearness, newness);
CREATE INDEX product_reduced ON product (state, reduction, newness);
CREATE INDEX product_of_seller ON product (
  seller, newness, state, currency, to_pay, dearness, reduction);

-- Apart from the rows that lists read.
CREATE TABLE product_text (
  product INTEGER PRIMARY KEY REFERENCES product ON DELETE CASCADE,
  description TEXT NOT NULL
) STRICT;

CREATE TABLE product_picture (
  product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
  place INTEGER NOT NULL,
  picture INTEGER NOT NULL,
  PRIMARY KEY (product, place)
) STRICT, WITHOUT ROWID;

-- How many products of each state live in each block of ids: 128 ids at level 0, 32 blocks of the
-- level below in those above. Finds the first product of any page, and totals.
CREATE TABLE block (
  level INTEGER NOT NULL,
  number INTEGER NOT NULL,
  state_0 INTEGER NOT NULL DEFAULT 0,
  state_1 INTEGER NOT NULL DEFAULT 0,
  state_2 INTEGER NOT NULL DEFAULT 0,
  state_3 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (level, number)
) STRICT, WITHOUT ROWID;

-- The overlapping runs of letters of each product's words, as ProductGrams makes them.
CREATE VIRTUAL TABLE product_search USING fts5 (
  grams, content = '', columnsize = 0, tokenize = 'ascii'
);

-- Which registration a key has led to.
CREATE TABLE idempotency (
  seller INTEGER NOT NULL,
  -- Hash of the key, so that it has one size.
  key BLOB NOT NULL,
  product INTEGER NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (seller, key)
) STRICT, WITHOUT ROWID;
