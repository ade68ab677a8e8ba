package dev.contexture.store;

import dev.contexture.block.TurnId;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a conversation, in numbers.
 *
 * @param version how many commits it had; 0 if it only has touch state or request records
 * @param nextSeq what the next block gets
 * @param nextSid what the next source gets
 * @param title if it has one
 * @param openTurn the turn that is open, if one is; the one put last if there are several
 * @param agent of the turn put last that names one
 * @param turns how many turns it has
 * @param keptTurns how many of them are complete or interrupted
 * @param blocks how many stored blocks it has
 * @param touch the state of the prompt cache, if any
 * @param createdAt when it was first written
 * @param lastActivityAt the time of the latest commit that raised the version; at first the time of
 *     its creation
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Head(
    long version,
    long nextSeq,
    long nextSid,
    @Nullable String title,
    @Nullable TurnId openTurn,
    @Nullable String agent,
    long turns,
    long keptTurns,
    long blocks,
    @Nullable CacheTouch touch,
    Instant createdAt,
    Instant lastActivityAt) {}
