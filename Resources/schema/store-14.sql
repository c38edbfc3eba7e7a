-- A picture is kept while a product names it: its uses are no longer counted.
CREATE INDEX product_picture_by_picture ON product_picture (picture);
ALTER TABLE picture DROP COLUMN uses;
