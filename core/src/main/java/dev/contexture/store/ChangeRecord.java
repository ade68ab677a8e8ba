package dev.contexture.store;

import dev.contexture.json.JsonObject;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A record of one commit, for those who follow a conversation.
 *
 * @param version the commit
 * @param at its time; null for one that only appended blocks and carried no note
 * @param firstSeq the first block that it appended and that is still stored; 0 if there is none
 * @param lastSeq the last one; 0 if there is none
 * @param note the description that came with the write set, if any
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ChangeRecord(
    long version, @Nullable Instant at, long firstSeq, long lastSeq, @Nullable JsonObject note) {}
