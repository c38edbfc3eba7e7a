-- Whether the product was reserved when its alert fired.
ALTER TABLE hit ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;
