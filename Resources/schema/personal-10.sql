-- How far a person was told of the questions of a market; without a row before the first look.
CREATE TABLE told_question (
  market INTEGER PRIMARY KEY REFERENCES market ON DELETE CASCADE,
  -- The highest number of the questions about what is sold from here.
  question INTEGER NOT NULL,
  -- When the latest answer to what was asked from here was given.
  answered INTEGER NOT NULL,
  -- Numbers, with spaces between them, of the latest questions that were told, and of the questions
  -- whose answers were told: what becomes visible after a later one is told as well.
  questions TEXT NOT NULL,
  answers TEXT NOT NULL,
  -- The id of the market that this is known of; null where it has not said one.
  market_id TEXT
) STRICT;

-- Who asked, where the condition is "asked"; null where no name was said, and for others.
ALTER TABLE hit ADD COLUMN asker TEXT;
