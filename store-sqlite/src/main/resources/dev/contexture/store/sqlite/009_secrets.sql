-- What the engine keeps to itself, the same for all who use this store. Never shown.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL
);
