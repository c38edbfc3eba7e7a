-- What a product is and how much it was used, by the names of the API; null where the seller has not said
-- it. Its index holds a product only where it was said.
ALTER TABLE product ADD COLUMN category TEXT;
ALTER TABLE product ADD COLUMN condition TEXT;

CREATE INDEX product_of_category ON product (category, state, newness) WHERE category IS NOT NULL;
CREATE INDEX product_of_condition ON product (condition, state, newness) WHERE condition IS NOT NULL;
