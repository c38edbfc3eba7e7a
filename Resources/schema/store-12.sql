-- What a product is, how much it was used, where it is and whether it is reserved (1); null where the seller has not said
-- it. Its index holds a product only where it was said.
ALTER TABLE product ADD COLUMN category TEXT;
ALTER TABLE product ADD COLUMN condition TEXT;
ALTER TABLE product ADD COLUMN place TEXT;
ALTER TABLE product ADD COLUMN place_key TEXT;
ALTER TABLE product ADD COLUMN reserved INTEGER;

CREATE INDEX product_of_category ON product (category, state, newness) WHERE category IS NOT NULL;
CREATE INDEX product_of_condition ON product (condition, state, newness) WHERE condition IS NOT NULL;
CREATE INDEX product_of_place ON product (place_key, state, newness) WHERE place_key IS NOT NULL;
CREATE INDEX product_of_reserved ON product (reserved, state, newness) WHERE reserved IS NOT NULL;
