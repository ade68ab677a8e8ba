-- Paths that stay in context, in the order of id; each goes with the turn that its path names.
CREATE TABLE pins (
  id INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  path TEXT NOT NULL,
  turn TEXT NOT NULL,
  body TEXT NOT NULL,
  stamp INTEGER NOT NULL,
  UNIQUE (conv, path)
);
