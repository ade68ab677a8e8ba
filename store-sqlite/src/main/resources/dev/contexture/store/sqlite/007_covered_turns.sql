-- The turns of a conversation in their order: summaries name those that they cover by ranges of it.
CREATE INDEX turns_by_first_seq ON turns (conv, first_seq, turn) WHERE first_seq > 0;
