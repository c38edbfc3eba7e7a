-- Pictures may be outside of this file. Hash of the thumbnail then, by which it is checked; null where
-- picture_file has the files.
ALTER TABLE picture ADD COLUMN outside BLOB;

-- Pictures outside that no product refers to: those that are about to be written for one, and those
-- that the last product has let go of. What a sweep deletes is written here first.
CREATE TABLE picture_lease (
  -- Hash of the picture.
  hash BLOB PRIMARY KEY,
  -- When it was let go of, or was to be written.
  at INTEGER NOT NULL,
  -- When a sweep has begun to delete its files; null where none has.
  swept INTEGER
) STRICT, WITHOUT ROWID;

-- By which the oldest are found.
CREATE INDEX picture_lease_at ON picture_lease (at);
