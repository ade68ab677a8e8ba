-- What the prompts of an agent repeat; body {} once a memory block that it shows was erased.
CREATE TABLE epochs (
  conv INTEGER NOT NULL,
  agent TEXT NOT NULL,
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  built_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  PRIMARY KEY (conv, agent)
);

CREATE TABLE epoch_blocks (
  conv INTEGER NOT NULL,
  agent TEXT NOT NULL,
  block TEXT NOT NULL,
  PRIMARY KEY (conv, agent, block)
) WITHOUT ROWID;
CREATE INDEX epoch_blocks_by_block ON epoch_blocks (block);
