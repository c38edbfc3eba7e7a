-- Where a price to pay stands among all: its currency, how many digits it has, and the first two of
-- them. A higher price of a currency has a higher mark, or the same.
CREATE FUNCTION price_mark(currency text, to_pay bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 1700001000 + CASE currency WHEN 'KRW' THEN 0 ELSE 1500 END
    + CASE WHEN to_pay >= 100000000000000 THEN 1499
      ELSE length(to_pay::text) * 100 + rpad(left(to_pay::text, 2), 2, '0')::integer END
$$;

-- The same by the first digit alone.
CREATE FUNCTION coarse_mark(mark integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 1700000000 + (mark - 1700001000) / 10
$$;

-- The search index has both marks beside the hashes of letters, so that of many finds those that are
-- cheapest or dearest are found without the others. Triggers write them, for servers of older versions
-- know nothing of them; the lowest number says that a row has its marks (PriceMarks).
CREATE FUNCTION product_search_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.grams := ARRAY(
      SELECT gram FROM unnest(NEW.grams) AS gram WHERE gram NOT BETWEEN 1699999999 AND 1700003999)
    || 1699999999
    || ARRAY(
      SELECT unnest(ARRAY[coarse_mark(mark), mark])
      FROM (SELECT price_mark(currency, to_pay) AS mark FROM product WHERE id = NEW.product) AS priced
    ); RETURN NEW; END
$$;

CREATE TRIGGER product_search_marked BEFORE INSERT OR UPDATE OF grams ON product_search
FOR EACH ROW EXECUTE FUNCTION product_search_mark();

CREATE FUNCTION product_remark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN UPDATE product_search SET grams = grams WHERE product = NEW.id; RETURN NULL; END
$$;

CREATE TRIGGER product_remarked AFTER UPDATE OF currency, price, discount ON product
FOR EACH ROW WHEN (price_mark(OLD.currency, OLD.to_pay) <> price_mark(NEW.currency, NEW.to_pay))
EXECUTE FUNCTION product_remark();

-- Rows that were written before there were marks; servers mark them while they serve.
CREATE INDEX product_search_unmarked ON product_search (product)
  WHERE NOT grams @> '{1699999999}'::integer[];

-- The indexes of orders and sellers with what lists are narrowed down by, so that products are passed over
-- without being read.
CREATE INDEX product_by_newest ON product (state, newness, id)
  INCLUDE (currency, to_pay, seller, created);
CREATE INDEX product_by_cheapest ON product (state, currency, to_pay, newness, id)
  INCLUDE (seller, created);
CREATE INDEX product_by_dearest ON product (state, currency, dearness, newness, id)
  INCLUDE (to_pay, seller, created);
CREATE INDEX product_by_reduced ON product (state, reduction, newness, id)
  INCLUDE (currency, to_pay, seller, created);
CREATE INDEX product_by_seller ON product (seller, newness)
  INCLUDE (id, state, currency, to_pay, dearness, reduction, created);
DROP INDEX product_newest;
DROP INDEX product_cheapest;
DROP INDEX product_dearest;
DROP INDEX product_reduced;
DROP INDEX product_of_seller;
