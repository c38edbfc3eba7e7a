-- What has come in from files: hashes of what each product was read from, so that a run that was cut
-- short can be repeated. They stay when a product goes: deleting is final.

CREATE TABLE arrival (
  key BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;
