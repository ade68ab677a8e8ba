-- What lists are ordered by: the time of the last activity, moved behind that of every other
-- conversation of the user where a clock went back. It never falls.
ALTER TABLE conversations ADD COLUMN activity INTEGER NOT NULL DEFAULT 0;
UPDATE conversations SET activity = last_activity;
DROP INDEX conversations_by_activity;
CREATE INDEX conversations_by_activity
  ON conversations (tenant, project, owner, activity DESC, conversation);
