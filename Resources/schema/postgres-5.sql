-- By which the products since a time are found.
CREATE INDEX product_created ON product (created);
-- Rows that a server of an older version has written: their hashes tell nothing of the parts of
-- syllables, and have not the one that says so (GramHashes.complete).
CREATE INDEX product_search_incomplete ON product_search (product)
  WHERE NOT grams @> '{1296386895}'::integer[];
