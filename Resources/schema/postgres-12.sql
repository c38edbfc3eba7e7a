-- Rows that a server of an older version has written, whose texts may be folded in another way today
-- (SearchTokenizer) or whose hashes tell nothing of the parts of syllables: they have not the hash that
-- says that they are found both ways (GramHashes.folded). Servers write them anew while they serve.
CREATE INDEX product_search_unfolded ON product_search (product)
  WHERE NOT grams @> '{1296388181}'::integer[]
    AND (NOT grams @> '{1296386895}'::integer[]
      OR octet_length(words) <> length(words) OR strpos(words, '`') > 0);
