-- Which memory blocks the content of a request record holds: it goes with each of them.
CREATE TABLE request_memory (
  conv INTEGER NOT NULL,
  request TEXT NOT NULL,
  block TEXT NOT NULL,
  PRIMARY KEY (conv, request, block)
) WITHOUT ROWID;
CREATE INDEX request_memory_by_block ON request_memory (block);
CREATE INDEX binary_refs_by_holder ON binary_refs (conv, holder);

-- Records made before do not say what they hold.
DELETE FROM requests;
DELETE FROM binary_refs WHERE holder LIKE 'r%';
DELETE FROM binaries WHERE NOT EXISTS (
  SELECT 1 FROM binary_refs r JOIN conversations c ON c.id = r.conv
  WHERE r.sha = binaries.sha AND c.tenant = binaries.tenant);
