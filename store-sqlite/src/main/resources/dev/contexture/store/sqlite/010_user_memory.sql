-- A memory block or archival entry may belong to a user of its agent; empty: it is the agent's, for all users.
ALTER TABLE memory_blocks ADD COLUMN of_user TEXT NOT NULL DEFAULT '';
DROP INDEX memory_blocks_by_owner;
CREATE UNIQUE INDEX memory_blocks_by_owner
  ON memory_blocks (tenant, project, owner, of_user, label) WHERE deleted = 0;
DROP INDEX memory_blocks_by_label;
CREATE INDEX memory_blocks_by_label
  ON memory_blocks (tenant, project, label, owner, of_user) WHERE deleted = 0;
CREATE INDEX memory_blocks_by_user ON memory_blocks (tenant, project, of_user) WHERE of_user <> '';

ALTER TABLE archival ADD COLUMN of_user TEXT NOT NULL DEFAULT '';
CREATE INDEX archival_by_user ON archival (tenant, project, of_user) WHERE of_user <> '';

ALTER TABLE memory_events ADD COLUMN of_user TEXT NOT NULL DEFAULT '';
CREATE INDEX memory_events_by_user ON memory_events (tenant, project, of_user) WHERE of_user <> '';
