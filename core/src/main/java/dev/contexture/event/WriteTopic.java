package dev.contexture.event;

import dev.contexture.block.Scope;
import org.apiguardian.api.API;

/**
 * Names a part of a store whose writes somebody waits for, also those of other processes.
 * Immutable.
 *
 * @param name by which all processes know it; no id can make two topics equal
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record WriteTopic(String name) {
  /** Something was erased, in any project. */
  public static final WriteTopic ERASURES = new WriteTopic("erasures");

  /** What was written last may be gone, since another copy of the store took its place. */
  public static final WriteTopic TAKEN_OVER = new WriteTopic("taken over");

  private static final String SEPARATOR = "\n";

  /** A conversation got another version. */
  public static WriteTopic of(Scope.OfConversation conversation) {
    return new WriteTopic(
        String.join(
            SEPARATOR,
            "conversation",
            conversation.tenant(),
            conversation.owner().scope().project(),
            conversation.user(),
            conversation.conversation()));
  }

  /** Something of a project was written, in whatever conversation or memory. */
  public static WriteTopic of(Scope project) {
    return new WriteTopic(String.join(SEPARATOR, "project", project.tenant(), project.project()));
  }

  /** The memory of a project was written. */
  public static WriteTopic memory(Scope project) {
    return new WriteTopic(String.join(SEPARATOR, "memory", project.tenant(), project.project()));
  }
}
