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
