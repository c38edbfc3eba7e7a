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
CREATE INDEX question_of_asker ON question (asker, coalesce(answered, asked), id);
