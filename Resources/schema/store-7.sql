-- The index of product_search, which this takes the place of, knew no parts of syllables. Programs of
-- older versions find no index under the old name, and so spoil none.
DROP TABLE product_search;

-- The overlapping runs of letters of each product's words, as ProductGrams makes them. Beginnings of
-- 4 and 5 letters are what is typed of a syllable so far (HangulTokens).
CREATE VIRTUAL TABLE product_letters USING fts5 (
  grams, content = '', columnsize = 0, tokenize = 'ascii', prefix = '4 5'
);

-- By which the products since a time are found and narrowed further.
CREATE INDEX product_created ON product (created, state, currency, to_pay, seller);
