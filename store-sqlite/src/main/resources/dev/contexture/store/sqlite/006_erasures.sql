-- What is still being erased. kind log: its rows are gone, but copies may be in the log. The others are
-- removed in steps: kind user, agent or project, named by subject. A row goes with the last byte of it.
CREATE TABLE erasures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  subject TEXT NOT NULL
);

-- Which memory a block of a conversation repeats: it goes with it. Empty: that is not known.
CREATE TABLE block_memory (
  memory TEXT NOT NULL,
  block INTEGER NOT NULL,
  PRIMARY KEY (memory, block)
) WITHOUT ROWID;
CREATE INDEX block_memory_by_block ON block_memory (block);

INSERT INTO block_memory (memory, block)
  SELECT '', id FROM blocks WHERE type = 'context.tail';
