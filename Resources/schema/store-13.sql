-- Whether the seller takes no more questions (1); null where that was not said.
ALTER TABLE product ADD COLUMN questions_closed INTEGER;

-- What was asked about products, with the answers.
CREATE TABLE question (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
  -- Of the product, by which one finds all that one was asked.
  seller INTEGER NOT NULL,
  asker INTEGER NOT NULL REFERENCES seller ON UPDATE CASCADE,
  text TEXT NOT NULL,
  -- Hundredths of the currency; both are null where nothing is offered.
  offer INTEGER,
  currency TEXT,
  asked INTEGER NOT NULL,
  -- Both are null where there is no answer.
  answer TEXT,
  answered INTEGER,
  -- By which a question that is sent again is known; null for one that was imported.
  key BLOB,
  UNIQUE (asker, key)
) STRICT;
CREATE INDEX question_of_product ON question (product, id);
CREATE INDEX question_of_seller ON question (seller, id);
CREATE INDEX question_unanswered ON question (seller, id) WHERE answer IS NULL;
CREATE INDEX question_unanswered_of_product ON question (product, id) WHERE answer IS NULL;
CREATE INDEX question_of_asker_and_product ON question (asker, product, id);
CREATE INDEX question_of_asker ON question (asker, coalesce(answered, asked), id);

-- How many questions products have that are shown, and of those how many have no answer.
CREATE TABLE question_count (
  product INTEGER PRIMARY KEY REFERENCES product ON DELETE CASCADE,
  asked INTEGER NOT NULL,
  unanswered INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What became of questions, for those who watch: a log of its own, which older programs do not read.
CREATE TABLE question_change (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  -- The row of the log of products after which it came.
  place INTEGER NOT NULL,
  -- 0: asked; 1: answered; 2: deleted.
  kind INTEGER NOT NULL,
  product INTEGER NOT NULL,
  question INTEGER NOT NULL,
  -- Of the product.
  seller INTEGER NOT NULL
) STRICT;

-- What its operator calls the market; null where it has no name.
ALTER TABLE market_id ADD COLUMN name TEXT;
