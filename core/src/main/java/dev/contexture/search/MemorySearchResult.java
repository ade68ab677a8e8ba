package dev.contexture.search;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One hit, with the content that the store holds now.
 *
 * @param id {@code user/conversation/seq} of a message, else the id of the block or entry
 * @param type what it is
 * @param agent whose it is: the agent of a message's turn, the owner of a block or entry
 * @param user whose conversation a message is from, or to whom memory belongs; null: to its agent
 * @param conversation which conversation a message is from; null for other types
 * @param role who speaks a message; null for other types
 * @param label of a memory block; null for other types
 * @param path where a message lies in its timeline, if it has a path
 * @param content all of it, or the excerpt if {@link SearchOptions#content} asks for that alone
 * @param excerpt the part that matches best
 * @param at when it was written
 * @param score higher is better; comparable within one result only
 * @param why the parts of the score
 * @param contentChars how many characters (code points) all of it has
 */
@API(status = API.Status.STABLE, since = "0.1")
public record MemorySearchResult(
    String id,
    SearchContentType type,
    @Nullable String agent,
    @Nullable String user,
    @Nullable String conversation,
    @Nullable String role,
    @Nullable String label,
    @Nullable String path,
    String content,
    String excerpt,
    @Nullable Instant at,
    double score,
    MatchParts why,
    int contentChars) {
  MemorySearchResult withScore(double other, MatchParts parts) {
    return new MemorySearchResult(
        id,
        type,
        agent,
        user,
        conversation,
        role,
        label,
        path,
        content,
        excerpt,
        at,
        other,
        parts,
        contentChars);
  }
}
