-- Whether the market takes nothing from a seller any more: 1 where an operator has said so.
ALTER TABLE seller ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;

-- What a key came with, so that it is never taken for another registration, and what its answer
-- needs when the product is gone. Null for keys that are older than these columns.
-- Digest of the registration without its password.
ALTER TABLE idempotency ADD COLUMN digest BLOB;
-- Number (8 bytes) and hash (32 bytes) of each picture, in order.
ALTER TABLE idempotency ADD COLUMN pictures BLOB;
