package dev.contexture.turn;

import dev.contexture.block.BlockPath;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * A path that stays in context.
 *
 * @param path what was pinned
 * @param tokens what it costs where it stands behind a summary
 * @param at when it was pinned
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public record PinnedPath(BlockPath path, long tokens, Instant at) {}
