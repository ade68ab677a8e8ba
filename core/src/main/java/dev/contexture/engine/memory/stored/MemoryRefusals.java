package dev.contexture.engine.memory.stored;

import dev.contexture.engine.memory.PendingConsent;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.OperationClass;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The refusals of a memory store, each made in one place. */
final class MemoryRefusals {
  private MemoryRefusals() {}

  /**
   * @param user for whom it was looked for; null: for nobody
   */
  static ContextureException notFound(String agent, @Nullable String user, String address) {
    return new ContextureException(
        ErrorCode.BLOCK_NOT_FOUND,
        "agent \""
            + agent
            + "\" has no block \""
            + address
            + "\""
            + (user == null ? "" : ", neither for all nor for user \"" + user + "\"")
            + "; create it, or ask its owner to share it",
        about(agent, user, address),
        null);
  }

  /**
   * @param user whose block has the label; null: it is the agent's
   */
  static ContextureException labelTaken(String agent, @Nullable String user, String label) {
    return new ContextureException(
        ErrorCode.LABEL_TAKEN,
        "agent \""
            + agent
            + "\" has a block \""
            + label
            + (user == null ? "\"" : "\" for user \"" + user + "\"")
            + "; choose another label or delete it",
        about(agent, user, label),
        null);
  }

  /** An agent that would hide a block from a user that it may not write. */
  static ContextureException hides(String agent, String user, String label, String level) {
    return new ContextureException(
        ErrorCode.LABEL_TAKEN,
        "agent \""
            + agent
            + "\" has a block \""
            + label
            + "\" for all users at level "
            + level
            + ", which one for user \""
            + user
            + "\" would hide; choose another label, or let a person or the system make it",
        about(agent, user, label),
        null);
  }

  /** A template whose blocks would hide one that is for all. */
  static ContextureException templateHides(String agent, String label) {
    return new ContextureException(
        ErrorCode.LABEL_TAKEN,
        "agent \""
            + agent
            + "\" has a block \""
            + label
            + "\" for all users, which the blocks of the template would hide; choose another label"
            + " or delete it",
        about(agent, null, label),
        null);
  }

  private static Map<String, Object> about(String agent, @Nullable String user, String label) {
    Map<String, Object> details = details("agent", agent, "label", label);
    if (user != null) {
      details.put("user", user);
    }
    return details;
  }

  /** An agent in another's namespace. */
  static ContextureException foreign(Actor actor, String agent) {
    return new ContextureException(
        ErrorCode.ACCESS_DENIED,
        actor + " may not write in the memory of agent \"" + agent + "\"; ask it to share a block",
        details("actor", actor.toString(), "agent", agent),
        null);
  }

  /** An agent that writes for another user than the one it works for. */
  static ContextureException foreignUser(Actor actor, @Nullable String user) {
    return new ContextureException(
        ErrorCode.ACCESS_DENIED,
        actor
            + " may not write into the memory of user \""
            + user
            + "\", for whom it does not work",
        details("actor", actor.toString(), "user", String.valueOf(user)),
        null);
  }

  /** A call that is kept for others. */
  static ContextureException notFor(Actor actor, String call, String who) {
    return new ContextureException(
        ErrorCode.ACCESS_DENIED,
        call + " is not for " + actor + "; it is for " + who,
        details("actor", actor.toString(), "operation", call),
        null);
  }

  static ContextureException denied(
      Actor actor, BlockAccess target, String operation, String needed, String hint) {
    return denied(
        actor,
        target.row().label(),
        target.row().owner(),
        operation,
        needed,
        target.level().identifier(),
        hint);
  }

  /** A share that was revoked while somebody held a handle. */
  static ContextureException revoked(Actor actor, String label, String owner) {
    return denied(
        actor,
        label,
        owner,
        OperationClass.OVERWRITE.wireName(),
        "a share",
        "none",
        "ask the owner to share it again");
  }

  private static ContextureException denied(
      Actor actor,
      String label,
      String owner,
      String operation,
      String needed,
      String actual,
      String hint) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("operation", operation);
    details.put("required", needed);
    details.put("actual", actual);
    details.put("actor", actor.toString());
    return new ContextureException(
        ErrorCode.PERMISSION_DENIED,
        "cannot "
            + operation
            + " block \""
            + label
            + "\" of agent \""
            + owner
            + "\": permission is "
            + actual
            + ", needed "
            + needed
            + "; "
            + hint,
        details,
        null);
  }

  /** A grant of a change that was shown for another version of the block. */
  static ContextureException moved(PendingConsent consent) {
    return new ContextureException(
        ErrorCode.VERSION_CONFLICT,
        "block \""
            + consent.subject().label()
            + "\" is no longer at version "
            + consent.subject().version()
            + ", for which consent "
            + consent.id()
            + " was asked; it is withdrawn and asked anew: look at its preview and decide again",
        details("consent", consent.id(), "block", consent.subject().label()),
        null);
  }

  static ContextureException argument(String what, @Nullable Object actual, String allowed) {
    return ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, what, actual, allowed);
  }

  static void atMost(String what, long limit, long actual, String unit) {
    if (actual > limit) {
      throw ContextureException.limit(ErrorCode.LIMIT_EXCEEDED, what, limit, actual, unit);
    }
  }

  static ContextureException tooManyConflicts(String what, int attempts) {
    return new ContextureException(
        ErrorCode.STORE_UNAVAILABLE,
        what
            + " was changed by others during each of "
            + attempts
            + " attempts to write; nothing was changed, try again",
        details("block", what, "attempts", Integer.toString(attempts)),
        null);
  }

  private static Map<String, Object> details(String... pairs) {
    Map<String, Object> details = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      details.put(pairs[i], pairs[i + 1]);
    }
    return details;
  }
}
