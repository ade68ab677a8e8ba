-- A stamp holds the format of its row (upper half) and a CRC-32C of what the row says (lower half).
-- The key of a block, and of what belongs to one block, is conversation * 2^32 + seq: the blocks of
-- a conversation lie next to each other.

CREATE TABLE conversations (
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  owner TEXT NOT NULL,
  conversation TEXT NOT NULL,
  version INTEGER NOT NULL,
  erased_version INTEGER NOT NULL,
  next_seq INTEGER NOT NULL,
  next_sid INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  kept_turns INTEGER NOT NULL,
  blocks INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_activity INTEGER NOT NULL,
  title TEXT,
  agent TEXT,
  touch_at TEXT,
  touch_ttl INTEGER,
  UNIQUE (tenant, project, owner, conversation)
);
CREATE INDEX conversations_by_activity
  ON conversations (tenant, project, owner, last_activity DESC, conversation);

CREATE TABLE turns (
  id INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  turn TEXT NOT NULL,
  status INTEGER NOT NULL,
  opened_version INTEGER NOT NULL,
  status_version INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  blocks INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  UNIQUE (conv, turn)
);
CREATE INDEX turns_open ON turns (conv) WHERE status = 0;
CREATE INDEX turns_excluded ON turns (conv) WHERE status >= 3;

CREATE TABLE blocks (
  id INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  version INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  type TEXT NOT NULL,
  path TEXT,
  artifact TEXT,
  caller_id TEXT,
  sha TEXT,
  wire TEXT NOT NULL,
  stamp INTEGER NOT NULL
);
CREATE UNIQUE INDEX blocks_by_caller_id ON blocks (conv, caller_id) WHERE caller_id IS NOT NULL;
CREATE INDEX blocks_by_path ON blocks (conv, path) WHERE path IS NOT NULL;
CREATE INDEX blocks_by_artifact ON blocks (conv, artifact) WHERE artifact IS NOT NULL;

CREATE TABLE summaries (
  id INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  summary TEXT NOT NULL,
  cut_seq INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  withdrawn INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  UNIQUE (conv, summary)
);
CREATE INDEX summaries_by_cut ON summaries (conv, cut_seq DESC, created_at DESC);

CREATE TABLE ranges (
  id INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  range TEXT NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  UNIQUE (conv, range)
);

-- A dropped record keeps its row with an empty body, so that a change of a range can be noticed.
CREATE TABLE visibility (
  id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL
);

CREATE TABLE sources (
  conv INTEGER NOT NULL,
  sid INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  PRIMARY KEY (conv, sid)
);

-- What is kept with an open turn; kind: 0 announce, 1 transient block, 2 pending answer.
CREATE TABLE kept (
  id INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  turn TEXT NOT NULL,
  kind INTEGER NOT NULL,
  after_seq INTEGER NOT NULL,
  caller_id TEXT,
  sha TEXT,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL
);
CREATE INDEX kept_by_turn ON kept (conv, turn);
CREATE UNIQUE INDEX kept_by_caller_id ON kept (conv, caller_id) WHERE caller_id IS NOT NULL;

CREATE TABLE feedback (
  id INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  turn TEXT NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  UNIQUE (conv, turn, key)
);

CREATE TABLE outcomes (
  conv INTEGER NOT NULL,
  key TEXT NOT NULL,
  turn TEXT NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  PRIMARY KEY (conv, key)
);

CREATE TABLE requests (
  id INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  request TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  UNIQUE (conv, request)
);

CREATE TABLE notes (
  conv INTEGER NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  PRIMARY KEY (conv, version)
);

CREATE TABLE binaries (
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  sha TEXT NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (tenant, sha)
);

-- holder: b + seq, k + id of a kept row, r + request id.
CREATE TABLE binary_refs (
  conv INTEGER NOT NULL,
  sha TEXT NOT NULL,
  holder TEXT NOT NULL,
  PRIMARY KEY (conv, sha, holder)
) WITHOUT ROWID;
CREATE INDEX binary_refs_by_sha ON binary_refs (sha, conv);

-- entry: owner/conversation/turn, owner/conversation, or empty for the whole scope.
CREATE TABLE outbox (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  entry TEXT NOT NULL,
  erased INTEGER NOT NULL,
  UNIQUE (tenant, project, entry)
);
CREATE INDEX outbox_by_scope ON outbox (tenant, project, number);
