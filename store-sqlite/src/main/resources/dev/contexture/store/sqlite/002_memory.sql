-- The key of an update is block * 2^32 + seq: the updates of a block lie next to each other.

CREATE TABLE agents (
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  UNIQUE (tenant, project, agent)
);

CREATE TABLE memory_blocks (
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  block TEXT NOT NULL,
  owner TEXT NOT NULL,
  label TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  settings TEXT NOT NULL,
  settings_version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  checkpoint_seq INTEGER NOT NULL,
  size INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  stamp INTEGER NOT NULL,
  UNIQUE (tenant, project, block)
);
CREATE UNIQUE INDEX memory_blocks_by_owner
  ON memory_blocks (tenant, project, owner, label) WHERE deleted = 0;
CREATE INDEX memory_blocks_by_label
  ON memory_blocks (tenant, project, label, owner) WHERE deleted = 0;

-- An update that the checkpoint contains keeps its row without its delta.
CREATE TABLE memory_updates (
  id INTEGER PRIMARY KEY,
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  delta BLOB,
  note TEXT NOT NULL,
  stamp INTEGER NOT NULL
);

CREATE TABLE memory_checkpoints (
  mem INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  content BLOB NOT NULL
);

CREATE TABLE memory_previews (
  mem INTEGER PRIMARY KEY,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL
);

-- A removed share keeps its row, without a level, so that its version never comes back.
CREATE TABLE memory_shares (
  id INTEGER PRIMARY KEY,
  mem INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  agent TEXT NOT NULL,
  level TEXT,
  pinned INTEGER NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (mem, agent)
);
CREATE INDEX memory_shares_by_agent
  ON memory_shares (tenant, project, agent) WHERE level IS NOT NULL;

CREATE TABLE archival (
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  entry TEXT NOT NULL,
  agent TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  UNIQUE (tenant, project, entry)
);
CREATE INDEX archival_by_agent ON archival (tenant, project, agent, entry);

CREATE TABLE consents (
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  consent TEXT NOT NULL,
  block TEXT,
  asked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  request TEXT NOT NULL,
  answer TEXT,
  stamp INTEGER NOT NULL,
  UNIQUE (tenant, project, consent)
);
CREATE INDEX consents_open ON consents (tenant, project) WHERE answer IS NULL;
CREATE INDEX consents_by_block ON consents (tenant, project, block) WHERE block IS NOT NULL;

CREATE TABLE memory_events (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  at INTEGER NOT NULL,
  agent TEXT,
  block TEXT,
  importance TEXT,
  type TEXT NOT NULL,
  details TEXT NOT NULL,
  stamp INTEGER NOT NULL
);
CREATE INDEX memory_events_by_scope ON memory_events (tenant, project, number);
CREATE INDEX memory_events_by_time
  ON memory_events (tenant, project, at) WHERE importance IS NOT NULL;
CREATE INDEX memory_events_by_block
  ON memory_events (tenant, project, block) WHERE block IS NOT NULL;
