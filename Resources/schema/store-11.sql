-- The index has another name since its letters are folded in another way (SearchTokenizer). Programs of
-- older versions that have the file open find no index under the old name, and so spoil none.
ALTER TABLE product_letters RENAME TO product_grams;

-- The products up to this number are in the index by the folding of before. They are brought there anew
-- from the newest to the oldest; no row where that is done.
CREATE TABLE former_folding (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last INTEGER NOT NULL
) STRICT;

INSERT INTO former_folding (id, last) SELECT 1, id FROM product ORDER BY id DESC LIMIT 1;
