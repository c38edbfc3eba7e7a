-- Whether the product was reserved when its alert fired.
ALTER TABLE hit ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;

-- What a product of the wish list is, how much it was used, where it is and whether it is reserved.
ALTER TABLE kept_product ADD COLUMN category TEXT;
ALTER TABLE kept_product ADD COLUMN condition TEXT;
ALTER TABLE kept_product ADD COLUMN place TEXT;
ALTER TABLE kept_product ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;
