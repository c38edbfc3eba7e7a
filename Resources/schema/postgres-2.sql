-- What has come in from files: hashes of what each product was read from, so that a run that was cut
-- short can be repeated. They stay when a product goes: deleting is final.
CREATE TABLE arrival (
  key bytea PRIMARY KEY
);

-- By which the oldest keys are found, to forget them.
CREATE INDEX idempotency_created ON idempotency (created);
