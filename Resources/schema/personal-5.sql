-- A market's number is given once for its place: the real path of a file, or scheme, host and port of a
-- server, each text of ASCII letter by letter; "local" for the local market.
--
-- Rows that begin with "file-" or "server-" are of earlier versions, which put "-" for most letters of a
-- place. They get the place that they belong to once it is known.
ALTER TABLE market RENAME COLUMN key TO place;
