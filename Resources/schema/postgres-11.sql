-- Sellers whose new name is not in the search index of all their products yet. It goes there from the newest
-- product to the oldest, by one server at a time.
CREATE TABLE seller_renaming (
  seller bigint PRIMARY KEY,
  -- What is left are the products below this number.
  below bigint NOT NULL
);
