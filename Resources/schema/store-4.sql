-- By which the oldest keys are found, to forget them.
CREATE INDEX idempotency_created ON idempotency (created);
