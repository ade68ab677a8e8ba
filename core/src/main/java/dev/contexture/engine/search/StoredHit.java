package dev.contexture.engine.search;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current content of a hit in the store.
 *
 * @param name what else of it can match: the label and description of a block
 * @param hash of its content, to compare with what was indexed
 */
record StoredHit(
    @Nullable String agent,
    @Nullable String user,
    @Nullable String conversation,
    @Nullable String role,
    @Nullable String label,
    @Nullable String path,
    String content,
    String name,
    @Nullable Instant at,
    String hash) {}
