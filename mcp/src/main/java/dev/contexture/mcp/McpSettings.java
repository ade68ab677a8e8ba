package dev.contexture.mcp;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a session: what it may see and do. Immutable.
 *
 * @param agent whose memory it is; everything is done as this agent
 * @param user for whom the agent works; null: nobody, so that there are no conversations and memory
 *     is what the agent has for all
 * @param profiles which tools there are
 * @param resultBytes the most bytes of JSON of one result of a tool
 * @param readOnly whether tools that change something are left out
 * @param byRank whether scores of searches tell nothing but the rank
 * @param keepsForAll whether blocks that are for all users of the agent cannot be deleted
 * @param ownConversations whether conversations in which another agent took part are left out
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record McpSettings(
    String agent,
    @Nullable String user,
    Set<McpProfile> profiles,
    int resultBytes,
    boolean readOnly,
    boolean byRank,
    boolean keepsForAll,
    boolean ownConversations) {
  /** The agent of a host that names none. */
  public static final String DEFAULT_AGENT = "default";

  /** The user of a host on one's own machine that names none. */
  public static final String DEFAULT_USER = "local";

  /** About 10,000 tokens of English text, which hosts take without a warning. */
  public static final int DEFAULT_RESULT_BYTES = 40_000;

  /** Less could not hold an error with its hint. */
  public static final int LEAST_RESULT_BYTES = 4_000;

  /** More would fill the context of most models. */
  public static final int MOST_RESULT_BYTES = 1_000_000;

  /**
   * @throws ContextureException {@code invalid_argument} if the size of results is out of range
   */
  public McpSettings {
    profiles = Set.copyOf(profiles);
    if (resultBytes < LEAST_RESULT_BYTES || resultBytes > MOST_RESULT_BYTES) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "max_result",
          resultBytes,
          LEAST_RESULT_BYTES + " to " + MOST_RESULT_BYTES + " bytes");
    }
  }

  /** For an agent: the tools of memory, everything allowed, no user. */
  public static McpSettings of(String agent) {
    return new McpSettings(
        agent, null, Set.of(McpProfile.MEMORY), DEFAULT_RESULT_BYTES, false, false, false, false);
  }

  public McpSettings withUser(@Nullable String one) {
    return new McpSettings(
        agent, one, profiles, resultBytes, readOnly, byRank, keepsForAll, ownConversations);
  }

  public McpSettings withProfiles(Set<McpProfile> some) {
    return new McpSettings(
        agent, user, some, resultBytes, readOnly, byRank, keepsForAll, ownConversations);
  }

  public McpSettings withResultBytes(int most) {
    return new McpSettings(
        agent, user, profiles, most, readOnly, byRank, keepsForAll, ownConversations);
  }

  /** For a caller that may only read. */
  public McpSettings reading() {
    return new McpSettings(
        agent, user, profiles, resultBytes, true, byRank, keepsForAll, ownConversations);
  }

  /**
   * For a caller that may not see everything.
   *
   * @param toUser whether it is bound to the user
   * @param toAgent whether it is bound to the agent
   */
  public McpSettings bound(boolean toUser, boolean toAgent) {
    return new McpSettings(agent, user, profiles, resultBytes, readOnly, true, toUser, toAgent);
  }
}
