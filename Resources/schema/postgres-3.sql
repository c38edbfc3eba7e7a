-- By which an import finds sellers that nobody can sign in as.
CREATE INDEX seller_of_name ON seller (name) WHERE identifier IS NULL;
