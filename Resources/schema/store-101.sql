-- A market in one SQLite file. Times are seconds since 1970 in UTC, amounts hundredths of their currency.

CREATE TABLE seller (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- BLAKE2b hash of the seller's identifier; null for a seller without one (guest, sample sellers).
  identifier BLOB UNIQUE,
  name TEXT NOT NULL,
  -- 1 where the market's operator has blocked the seller.
  blocked INTEGER NOT NULL DEFAULT 0,
  -- One line that says how to reach the seller; empty for nothing.
  contact TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX seller_of_name ON seller (name) WHERE identifier IS NULL;

INSERT INTO seller (id, name) VALUES (0, 'guest');

CREATE TABLE password (
  id INTEGER PRIMARY KEY,
  -- Argon2id hash in the format of crypto_pwhash_str; products of one import share a row.
  hash TEXT NOT NULL,
  -- Number of products with this password; a row without any is deleted.
  uses INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A picture exists while a product references it.
CREATE TABLE picture (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- BLAKE2b hash of the original file.
  hash BLOB NOT NULL UNIQUE,
  -- BLAKE2b hash of the thumbnail of an externally stored picture; null where picture_file has both files.
  outside BLOB
) STRICT;

-- The thumbnail comes first, so that reading it skips none of the larger file.
CREATE TABLE picture_file (
  picture INTEGER PRIMARY KEY REFERENCES picture ON DELETE CASCADE,
  thumbnail BLOB NOT NULL,
  original BLOB NOT NULL
) STRICT;

-- Externally stored pictures that no product references: about to be written for a product, or released by the last one.
CREATE TABLE picture_lease (
  -- Hash of the picture.
  hash BLOB PRIMARY KEY,
  -- Time of the release, or of the intent to write.
  at INTEGER NOT NULL,
  -- Time at which a sweep began to delete its files; null where none has.
  swept INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX picture_lease_at ON picture_lease (at);

CREATE TABLE product (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  seller INTEGER NOT NULL REFERENCES seller,
  name TEXT NOT NULL,
  -- ISO 4217 code; orders by price group by currency, in the codes' own order.
  currency TEXT NOT NULL CHECK (currency IN ('KRW', 'USD')),
  price INTEGER NOT NULL CHECK (price >= 0),
  discount INTEGER NOT NULL CHECK (discount BETWEEN 0 AND price),
  -- Discount in percent of the price.
  percent INTEGER NOT NULL,
  stock INTEGER NOT NULL CHECK (stock >= 0),
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  -- Incremented by each edit.
  version INTEGER NOT NULL DEFAULT 1,
  -- Id of the first picture, undeclared since a foreign key would scan all products when a picture goes; null for none.
  thumbnail INTEGER,
  -- Id of the password, undeclared for the same reason.
  password INTEGER NOT NULL,
  -- Bit 0: in stock; bit 1: reduced; a filter is a set of states.
  state INTEGER NOT NULL GENERATED ALWAYS AS ((stock > 0) + 2 * (discount > 0)) VIRTUAL,
  -- Sort keys of the orders, negated where needed so that each ascends: a cursor is one row value, and the rest of
  -- an order one range of an index.
  newness INTEGER NOT NULL GENERATED ALWAYS AS (-id) VIRTUAL,
  to_pay INTEGER NOT NULL GENERATED ALWAYS AS (price - discount) VIRTUAL,
  dearness INTEGER NOT NULL GENERATED ALWAYS AS (discount - price) VIRTUAL,
  reduction INTEGER NOT NULL GENERATED ALWAYS AS (-percent) VIRTUAL,
  -- Code of the category; null where the seller has not given it.
  category TEXT,
  -- Code of the condition; null where the seller has not given it.
  condition TEXT,
  -- Where the product is, one line; null where the seller has not given it.
  place TEXT,
  -- 1 where the product is reserved, else null.
  reserved INTEGER,
  -- 1 where the seller takes no more questions, else null.
  questions_closed INTEGER
) STRICT;
CREATE INDEX product_newest ON product (state, newness);
CREATE INDEX product_cheapest ON product (state, currency, to_pay, newness);
CREATE INDEX product_dearest ON product (state, currency, dearness, newness);
CREATE INDEX product_reduced ON product (state, reduction, newness);
CREATE INDEX product_of_seller ON product (
  seller, newness, state, currency, to_pay, dearness, reduction);
CREATE INDEX product_created ON product (created, state, currency, to_pay, seller);
-- Each has only the products where its column is set, with the columns of all orders and of the other three filters.
CREATE INDEX product_of_category ON product (
  category, state, newness, currency, to_pay, dearness, reduction, condition, place, reserved
) WHERE category IS NOT NULL;
CREATE INDEX product_of_condition ON product (
  condition, state, newness, currency, to_pay, dearness, reduction, category, place, reserved
) WHERE condition IS NOT NULL;
CREATE INDEX product_of_place ON product (
  place, state, newness, currency, to_pay, dearness, reduction, category, condition, reserved
) WHERE place IS NOT NULL;
CREATE INDEX product_of_reserved ON product (
  reserved, state, newness, currency, to_pay, dearness, reduction, category, condition, place
) WHERE reserved IS NOT NULL;

-- Each place of the products, by its folded letters from the beginning of each of its words on.
CREATE TABLE place_word (
  word TEXT NOT NULL,
  place TEXT NOT NULL,
  PRIMARY KEY (word, place)
) STRICT, WITHOUT ROWID;

-- Separate from product, whose rows lists read.
CREATE TABLE product_text (
  product INTEGER PRIMARY KEY REFERENCES product ON DELETE CASCADE,
  description TEXT NOT NULL
) STRICT;

CREATE TABLE product_picture (
  product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
  -- Position among the product's pictures, from 0.
  position INTEGER NOT NULL,
  picture INTEGER NOT NULL,
  PRIMARY KEY (product, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX product_picture_by_picture ON product_picture (picture);

-- Number of products of each state in blocks of ids: 128 ids at level 0, 32 blocks of the level below in those
-- above; finds the first product of any page, and totals.
CREATE TABLE block (
  level INTEGER NOT NULL,
  number INTEGER NOT NULL,
  state_0 INTEGER NOT NULL DEFAULT 0,
  state_1 INTEGER NOT NULL DEFAULT 0,
  state_2 INTEGER NOT NULL DEFAULT 0,
  state_3 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (level, number)
) STRICT, WITHOUT ROWID;

-- Tokens of each product's texts (ProductGrams); prefixes of 4 and 5 letters find unfinished syllables (HangulTokens).
CREATE VIRTUAL TABLE product_grams USING fts5 (
  grams, content = '', columnsize = 0, tokenize = 'ascii', prefix = '4 5'
);

-- State of product_grams; one row.
CREATE TABLE search_index (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Number of the folding of its texts (SearchTokenizer.folding); the index is renewed where the program's is higher.
  folding INTEGER NOT NULL
) STRICT;

INSERT INTO search_index (id, folding) VALUES (1, 2);

-- Previous names by which products of renamed sellers are in product_grams, whose rows are deleted by their texts.
CREATE TABLE previous_seller_name (
  seller INTEGER NOT NULL,
  -- Id of the newest product with this name; the row before ends where this one begins.
  last INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (seller, last)
) STRICT, WITHOUT ROWID;

-- Idempotency keys of registrations, with the response to a repeated one.
CREATE TABLE idempotency (
  seller INTEGER NOT NULL,
  -- Hash of the key.
  key BLOB NOT NULL,
  product INTEGER NOT NULL,
  created INTEGER NOT NULL,
  -- Digest of the registration without its password, by which a reused key is noticed.
  digest BLOB NOT NULL,
  -- Id (8 bytes) and hash (32 bytes) of each picture, in order.
  pictures BLOB NOT NULL,
  PRIMARY KEY (seller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_created ON idempotency (created);

-- Rows that were imported; they stay when their product is deleted, so that no import inserts it again.
CREATE TABLE imported_row (
  -- Hash of the row and its number among equal ones, or # and the id of a product that could not keep the row's.
  key BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Wrong passwords by product and origin.
CREATE TABLE password_attempt (
  product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
  -- Hash of the address or seller.
  origin BLOB NOT NULL,
  -- Number of wrong passwords.
  wrong INTEGER NOT NULL,
  -- Time of the last one.
  last INTEGER NOT NULL,
  -- 1 where the right password came from the origin once, else 0.
  trusted INTEGER NOT NULL,
  PRIMARY KEY (product, origin)
) STRICT, WITHOUT ROWID;
CREATE INDEX password_attempt_last ON password_attempt (last);

-- Wrong passwords of all unknown origins together, by product.
CREATE TABLE password_limit (
  product INTEGER PRIMARY KEY REFERENCES product ON DELETE CASCADE,
  -- Time until which their attempts count.
  busy_until INTEGER NOT NULL
) STRICT;

-- Key with which servers sign; one row.
CREATE TABLE server_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  bytes BLOB NOT NULL
) STRICT;

-- Id of the market; one row.
CREATE TABLE market_id (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- 32 hexadecimal digits.
  text TEXT NOT NULL,
  -- Identity of the file that the id was given to (FileIdentity); a copy gets an id of its own with its first write.
  location TEXT NOT NULL,
  -- Name that the operator gave the market; null for none.
  name TEXT
) STRICT;

CREATE TABLE question (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
  -- Seller of the product.
  seller INTEGER NOT NULL,
  asker INTEGER NOT NULL REFERENCES seller ON UPDATE CASCADE,
  text TEXT NOT NULL,
  -- Offered amount; null where nothing is offered.
  offer INTEGER,
  -- Currency of the offer; null where nothing is offered.
  currency TEXT,
  asked INTEGER NOT NULL,
  -- Null without an answer.
  answer TEXT,
  -- Time of the answer; null without one.
  answered INTEGER
) STRICT;
CREATE INDEX question_of_product ON question (product, id);
CREATE INDEX question_of_seller ON question (seller, id);
CREATE INDEX question_unanswered ON question (seller, id) WHERE answer IS NULL;
CREATE INDEX question_unanswered_of_product ON question (product, id) WHERE answer IS NULL;
CREATE INDEX question_of_asker_and_product ON question (asker, product, id);
CREATE INDEX question_of_asker ON question (asker, coalesce(answered, asked), id);

-- Idempotency keys of questions, with the response to a repeated one; they stay when their question is deleted.
CREATE TABLE question_idempotency (
  asker INTEGER NOT NULL REFERENCES seller ON UPDATE CASCADE,
  -- Hash of the key.
  key BLOB NOT NULL,
  question INTEGER NOT NULL,
  asked INTEGER NOT NULL,
  -- Currency of the offer; null where nothing is offered.
  currency TEXT,
  -- Keyed digest of the product, the text and the offer, by which a reused key is noticed.
  digest BLOB NOT NULL,
  PRIMARY KEY (asker, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX question_idempotency_asked ON question_idempotency (asked);

-- Numbers of questions, by product.
CREATE TABLE question_count (
  product INTEGER PRIMARY KEY REFERENCES product ON DELETE CASCADE,
  -- Visible ones.
  asked INTEGER NOT NULL,
  -- Visible ones without an answer.
  unanswered INTEGER NOT NULL,
  -- All, with those of blocked askers.
  stored INTEGER NOT NULL,
  -- Bytes of the texts and answers of all.
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Pages to which telephones send photos for a form; they end ten minutes after the form's last request.
CREATE TABLE upload (
  id INTEGER PRIMARY KEY,
  -- Hash of the token in the page's address.
  token BLOB NOT NULL UNIQUE,
  -- Hash of the identifier of the form's seller.
  owner BLOB NOT NULL,
  -- Time of the form's last request.
  used INTEGER NOT NULL,
  -- Number and bytes of all photos that were sent.
  photos INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX upload_used ON upload (used);

-- Photos of these pages as they came; in no list, export or backup.
CREATE TABLE uploaded_photo (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  upload INTEGER NOT NULL REFERENCES upload ON DELETE CASCADE,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  -- Empty once the form has taken or refused the photo.
  bytes BLOB NOT NULL,
  -- 1: the form has it; 0: the form refused it; null before.
  state INTEGER
) STRICT;
CREATE INDEX uploaded_photo_of_upload ON uploaded_photo (upload);

-- Change log, in the order of the commits; kept for a day or 100,000 changes, whichever is more, and never empty,
-- so that a cursor is always a row of it.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  -- Random number that tells this row from one of the same id in another file, or in a restored copy.
  nonce INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- 0: product listed; 1: product changed; 2: product deleted; 3: seller changed; 4: too much at once to list;
  -- 5: question asked; 6: question answered; 7: question deleted.
  kind INTEGER NOT NULL,
  -- Null for kinds 3 and 4.
  product INTEGER,
  -- Version of the product after the change; null for a deleted product, and for other kinds than 0 to 2.
  version INTEGER,
  -- Null for other kinds than 5 to 7.
  question INTEGER,
  -- Seller of the product, or the changed one; null for kind 4.
  seller INTEGER
) STRICT;

INSERT INTO change (id, nonce, at, kind) VALUES (1, random() & 9223372036854775807, 0, 4);

-- Reports of products and questions, which only operators see; one goes with its product or question.
CREATE TABLE report (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
  -- Null where the product itself is reported.
  question INTEGER REFERENCES question ON DELETE CASCADE,
  reporter INTEGER NOT NULL REFERENCES seller ON UPDATE CASCADE,
  -- Hash of the reporter's identifier, or an authentication code of a guest's address.
  origin BLOB NOT NULL,
  reason TEXT NOT NULL,
  text TEXT NOT NULL,
  reported INTEGER NOT NULL,
  -- Whether an operator has dealt with it; the row stays, so that nobody reports the same again.
  closed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX report_of_origin ON report (product, coalesce(question, 0), origin);
CREATE INDEX report_of_question ON report (question);
CREATE INDEX report_open ON report (id) WHERE closed = 0;
