package dev.contexture.engine.ledger;

import dev.contexture.prompt.Omission;

/** Advice to a person on how to make a request show something that was left out. */
final class OmissionAdvice {
  private OmissionAdvice() {}

  static String of(Omission.Reason reason) {
    return switch (reason) {
      case OVER_MEMORY_BUDGET -> "raise memory_tokens, shorten its content, or attach fewer blocks";
      case UNKNOWN_BLOCK -> "create the block, or name one that exists in batch_blocks";
      case NO_ACCESS -> "share the block with the agent";
      case READ_FAILED -> "see the server's log; the next request reads it again";
      case TYPE_NOT_IN_CONTEXT ->
          "prompts show core and working blocks; agents read others with their tools";
      case INCOMPLETE_TURN -> "finish or interrupt a turn that is to stay in context";
      case ARCHIVED -> "the turn left the window for good; raise history_tokens to keep more";
      case ACTIVITY_FAILED -> "see the server's log; the next request reads it again";
      case UNKNOWN_TOOL -> "offer the tool, or remove the rule about it";
      case EMPTY_MESSAGE, EMPTY -> "";
      case OVER_BUDGET -> "raise max_tokens, or shorten instructions, tools or memory";
      case TURN_LIMIT -> "raise limit or days of the request";
      case NOT_TAKEN -> "see repairs; choose a model that takes it";
      case FILTERED -> "contribute it with a type that the filters let through";
      case HIDDEN -> "unhide its path";
      case UNREADABLE -> "only the model that made it can read it";
      case PENDING_CALL, UNANSWERED_CALL -> "give the result of the call";
      case ORPHAN_RESULT -> "its call is not in context";
      case PIN_OVER_SHARE -> "unpin something else, or pin it with max_tokens";
      case REPLACED, CUT_OFF, EXTRA_CHOICE -> "";
      case OVERSIZE -> "raise max_tokens; the agent can read the rest by its path";
      case TTL -> "it was pruned when the cache had expired; the agent can read it by its path";
      case ARGUMENTS -> "raise max_tokens; the call itself is stored whole";
    };
  }
}
