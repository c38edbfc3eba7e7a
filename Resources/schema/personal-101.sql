-- One person's favorites, alerts, searches and history, in a private file. Times are in seconds since
-- 1970, amounts in hundredths of the currency's unit; a flag is 1 for yes and 0 for no. Texts to be
-- searched are folded as SearchTokenizer compares them.

-- A market.
CREATE TABLE market (
  id INTEGER PRIMARY KEY,
  -- "local", the percent-encoded real path of a file, or scheme, host, port and path of a server.
  key TEXT NOT NULL UNIQUE
) STRICT;

-- Name and location of a market of which the file has favorites or viewed products.
CREATE TABLE favorite_market (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  -- Name that the program shows; null for the local market.
  name TEXT,
  -- Absolute path or address; null for the local market.
  location TEXT
) STRICT;

-- The random id that a market has given itself.
CREATE TABLE market_id (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  -- The id as the market last reported it.
  text TEXT NOT NULL,
  -- Whether the person declined to move the data of another address of this id here.
  declined INTEGER NOT NULL
) STRICT;
CREATE INDEX market_id_by_text ON market_id (text);

-- A visit to a market, of which at most one is open in each market.
CREATE TABLE visit (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  -- Time at which it began.
  began INTEGER NOT NULL,
  -- Time of the last recorded activity.
  last_active INTEGER NOT NULL,
  -- Time at which it ended; null while it is open.
  ended INTEGER,
  -- Highest product id that was shown; null where none was.
  newest INTEGER
) STRICT;
CREATE INDEX visit_by_market ON visit (market, ended);

-- A running program that takes part in a visit.
CREATE TABLE visitor (
  visit INTEGER NOT NULL REFERENCES visit ON DELETE CASCADE,
  -- Boot id of the computer and its PID namespace, in which the process id is valid.
  host TEXT NOT NULL,
  -- Process id.
  process INTEGER NOT NULL,
  -- Start of the process in clock ticks since boot, because process ids are reused.
  started INTEGER NOT NULL,
  PRIMARY KEY (visit, host, process, started)
) STRICT, WITHOUT ROWID;

-- A past search; the latest one has the highest id.
CREATE TABLE past_search (
  id INTEGER PRIMARY KEY,
  -- Search line.
  text TEXT NOT NULL UNIQUE
) STRICT;

-- A search with a name.
CREATE TABLE saved_search (
  name TEXT PRIMARY KEY,
  -- Search line.
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A product that was on the screen.
CREATE TABLE seen_product (
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL,
  -- Time at which it was last on the screen.
  at INTEGER NOT NULL,
  -- Time at which it was first on the screen; it counts as new until the end of that visit.
  first INTEGER NOT NULL,
  PRIMARY KEY (market, product)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_product_by_time ON seen_product (at);

-- The product up to which all products of a market count as seen.
CREATE TABLE seen_through (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL
) STRICT;

-- A price to pay at which a product was on the screen, with a row for each change.
CREATE TABLE price_point (
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL,
  -- Time at which the price was first seen.
  at INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  -- Time at which the next price was seen; null for the latest price.
  until INTEGER,
  PRIMARY KEY (market, product, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX price_point_by_end ON price_point (until) WHERE until IS NOT NULL;

-- A product whose detail was opened, as it was then; the latest one has the highest id.
CREATE TABLE viewed_product (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL,
  -- Time at which the detail was last opened.
  at INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- Price to pay; null where it could not be read.
  amount INTEGER,
  -- Currency code of the amount; null without one.
  currency TEXT,
  UNIQUE (market, product)
) STRICT;
CREATE INDEX viewed_product_by_time ON viewed_product (at, id);

-- A favorite product as it was last seen; the latest favorite has the highest id. The long columns
-- stand at the end.
CREATE TABLE favorite_product (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  product INTEGER NOT NULL,
  -- Time at which it became a favorite.
  added INTEGER NOT NULL,
  -- Time at which it was last seen.
  seen INTEGER NOT NULL,
  -- Time since which the market no longer has it; null while it has.
  gone INTEGER,
  -- Time at which it was removed from the favorites, to which it can return for a day; null for a
  -- favorite.
  removed INTEGER,
  seller INTEGER NOT NULL,
  seller_name TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Full price; null where it could not be read.
  price INTEGER,
  -- Amount by which the full price is reduced.
  discount INTEGER NOT NULL,
  -- Currency code of the price.
  currency TEXT NOT NULL,
  -- Number of pieces.
  stock INTEGER NOT NULL,
  -- Whether the product is reserved.
  reserved INTEGER NOT NULL DEFAULT 0,
  -- Time at which the product was registered.
  created INTEGER NOT NULL,
  -- Time at which the product was last changed.
  changed INTEGER NOT NULL,
  -- Whether only the days of these two times are known.
  by_day INTEGER NOT NULL,
  -- Code of the category; null where the product has none.
  category TEXT,
  -- Code of the condition; null where the product has none.
  condition TEXT,
  -- Where the product is; null where it does not say so.
  place TEXT,
  -- Number of the first picture in the market; null without a picture or a number.
  picture_number INTEGER,
  -- Address of the picture; null without a picture.
  picture_original TEXT,
  -- Address of the small picture; null without a picture.
  picture_thumbnail TEXT,
  -- The person's note; empty for none.
  note TEXT NOT NULL DEFAULT '',
  -- Time at which the note was written; 0 for none.
  note_changed INTEGER NOT NULL DEFAULT 0,
  -- The note, folded.
  note_words TEXT NOT NULL DEFAULT '',
  -- Name and seller's name, folded.
  words TEXT NOT NULL,
  -- Description; null where it was never read.
  description TEXT,
  -- The description, folded; null without one.
  description_words TEXT,
  UNIQUE (market, product)
) STRICT;
CREATE INDEX favorite_product_by_removal ON favorite_product (removed);
CREATE INDEX favorite_product_by_market ON favorite_product (market, removed, product);

-- The small picture of a favorite product.
CREATE TABLE favorite_picture (
  favorite INTEGER PRIMARY KEY REFERENCES favorite_product ON DELETE CASCADE,
  -- Address of the picture in the market.
  thumbnail TEXT NOT NULL,
  -- Picture file.
  bytes BLOB NOT NULL
) STRICT;

-- A favorite seller; the latest favorite has the highest id.
CREATE TABLE favorite_seller (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  seller INTEGER NOT NULL,
  -- Product that showed the seller.
  product INTEGER NOT NULL,
  -- Time at which the seller became a favorite.
  added INTEGER NOT NULL,
  -- Time at which the seller was removed from the favorites, to which it can return for a day; null
  -- for a favorite.
  removed INTEGER,
  name TEXT NOT NULL,
  -- The person's note; empty for none.
  note TEXT NOT NULL DEFAULT '',
  -- Time at which the note was written; 0 for none.
  note_changed INTEGER NOT NULL DEFAULT 0,
  -- The note, folded.
  note_words TEXT NOT NULL DEFAULT '',
  -- The name, folded.
  words TEXT NOT NULL,
  UNIQUE (market, seller)
) STRICT;
CREATE INDEX favorite_seller_by_removal ON favorite_seller (removed);

-- An alert.
CREATE TABLE alert (
  id INTEGER PRIMARY KEY,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  -- Absolute path or address of the market; null for the local market.
  location TEXT,
  -- "product", "seller" or "search".
  subject TEXT NOT NULL,
  -- Product or seller; null for a search.
  number INTEGER,
  -- Search line; null for a product or seller.
  text TEXT,
  -- Name that the alert shows.
  name TEXT NOT NULL,
  -- "below", "stock" or "new".
  condition TEXT NOT NULL,
  -- Price below which the alert fires; null for other conditions.
  amount INTEGER,
  -- Currency code of the amount; null without one.
  currency TEXT,
  -- Whether the condition held at the last check.
  met INTEGER NOT NULL,
  -- Highest product id at the last check; null where there was none.
  newest INTEGER,
  -- Product id up to which products are no longer followed; null where all are.
  floor INTEGER,
  -- Highest product id when the round through all products began; null between two rounds.
  position_top INTEGER,
  -- Next page of the round, as "#" and a number or ">" and a cursor; null between two rounds.
  position_next TEXT,
  -- Whether a round has reached its end.
  knows_all INTEGER NOT NULL DEFAULT 0,
  -- Id of the market at the last check; null where it reported none.
  market_id TEXT
) STRICT;
CREATE INDEX alert_by_market ON alert (market);

-- A product that an alert for a seller or a search follows.
CREATE TABLE alert_product (
  alert INTEGER NOT NULL REFERENCES alert ON DELETE CASCADE,
  product INTEGER NOT NULL,
  -- Whether the condition held at the last check.
  met INTEGER NOT NULL,
  PRIMARY KEY (alert, product)
) STRICT, WITHOUT ROWID;

-- How a market answered the checks of alerts.
CREATE TABLE alert_market (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  -- Time of the last answer, or of the first check where it never answered.
  answered INTEGER NOT NULL,
  -- Whether it did not answer the last check.
  silent INTEGER NOT NULL
) STRICT;

-- A triggered alert; the latest one has the highest id.
CREATE TABLE triggered_alert (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  market INTEGER NOT NULL REFERENCES market ON DELETE CASCADE,
  -- Absolute path or address of the market; null for the local market.
  location TEXT,
  -- Condition of the alert, "deleted", or "asked" or "answered" for a question.
  event TEXT NOT NULL,
  -- Price below which the alert fired; null for other events.
  limit_amount INTEGER,
  -- Currency code of the limit; null without one.
  limit_currency TEXT,
  -- Name of the alert.
  alert_name TEXT NOT NULL,
  product INTEGER NOT NULL,
  -- Name of the product.
  name TEXT NOT NULL,
  -- Price to pay; null where it could not be read.
  amount INTEGER,
  -- Currency code of the amount; null without one.
  currency TEXT,
  -- Whether the product was reserved.
  reserved INTEGER NOT NULL,
  -- Whether the person has seen it.
  seen INTEGER NOT NULL,
  -- Number of products that one check found, this one among them.
  count INTEGER NOT NULL,
  -- Name of who asked; null for other events and without a name.
  asker TEXT
) STRICT;
CREATE INDEX triggered_alert_unseen ON triggered_alert (seen) WHERE seen = 0;

-- The questions and answers of a market that were reported; without a row before the first check.
CREATE TABLE told_question (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  -- Highest id of the reported questions about own products.
  question INTEGER NOT NULL,
  -- Time of the latest reported answer to own questions.
  answered INTEGER NOT NULL,
  -- Ids of the latest reported questions, separated by spaces.
  questions TEXT NOT NULL,
  -- Ids of the questions whose answers were reported, separated by spaces.
  answers TEXT NOT NULL,
  -- Id of the market at the last check; null where it reported none.
  market_id TEXT
) STRICT;
