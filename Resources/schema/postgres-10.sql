-- Pictures may be outside of the database. Hash of the thumbnail then, by which it is checked; null
-- where picture_file has the files.
ALTER TABLE picture ADD COLUMN outside bytea;

-- Pictures outside that no product refers to: those that are about to be written for one, and those
-- that the last product has let go of. What a sweep deletes is written here first.
CREATE TABLE picture_lease (
  -- Hash of the picture.
  hash bytea PRIMARY KEY,
  -- When it was let go of, or was to be written, by the database's clock.
  at bigint NOT NULL,
  -- When a sweep has begun to delete its files; null where none has.
  swept bigint
);

-- By which the oldest are found.
CREATE INDEX picture_lease_at ON picture_lease (at);
