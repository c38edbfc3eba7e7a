-- What waits for sellers and searches know of their products, and which markets do not answer.

-- Whether the condition of a wait for a seller or a search held for a product when one looked last.
CREATE TABLE wait_product (
  wait INTEGER NOT NULL REFERENCES wait ON DELETE CASCADE,
  product INTEGER NOT NULL,
  met INTEGER NOT NULL,
  PRIMARY KEY (wait, product)
) STRICT, WITHOUT ROWID;

-- A market in which something is waited for.
CREATE TABLE wait_market (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  -- When it answered last; where it never did, when it was asked first.
  answered INTEGER NOT NULL,
  -- Whether it did not answer when it was asked last.
  silent INTEGER NOT NULL
) STRICT;
