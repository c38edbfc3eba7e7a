-- What a product is, how much it was used, where it is and whether it is reserved (1); null where the seller has not said
-- it, which servers of earlier versions leave as it is. Its index holds a product only where it was said, with all that
-- orders and the other three ask for.
ALTER TABLE product ADD COLUMN category text;
ALTER TABLE product ADD COLUMN condition text;
ALTER TABLE product ADD COLUMN place text;
ALTER TABLE product ADD COLUMN place_key text COLLATE "C";
ALTER TABLE product ADD COLUMN reserved smallint;

-- What is sold is not reserved, and is not again once there is more: servers of earlier versions set the stock alone.
CREATE FUNCTION product_end_reservation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.reserved := NULL; RETURN NEW; END
$$;

CREATE TRIGGER product_reservation_ended BEFORE UPDATE OF stock ON product
FOR EACH ROW WHEN (NEW.stock = 0) EXECUTE FUNCTION product_end_reservation();

CREATE INDEX product_of_category ON product (category, state, newness)
  INCLUDE (id, currency, to_pay, dearness, reduction, condition, place_key, reserved)
  WHERE category IS NOT NULL;
CREATE INDEX product_of_condition ON product (condition, state, newness)
  INCLUDE (id, currency, to_pay, dearness, reduction, category, place_key, reserved)
  WHERE condition IS NOT NULL;
CREATE INDEX product_of_place ON product (place_key, state, newness)
  INCLUDE (id, currency, to_pay, dearness, reduction, category, condition, reserved)
  WHERE place_key IS NOT NULL;
CREATE INDEX product_of_reserved ON product (reserved, state, newness)
  INCLUDE (id, currency, to_pay, dearness, reduction, category, condition, place_key)
  WHERE reserved IS NOT NULL;
