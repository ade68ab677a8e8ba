package dev.contexture.provider.answer;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.Stop;

/**
 * Why a response ended (P-77).
 *
 * @param status its word for the state it is in
 * @param reason what made it incomplete; empty if nothing did
 */
record ResponsesStop(String status, String reason) {
  static ResponsesStop of(JsonObject body) {
    String reason =
        body.object("incomplete_details").flatMap(details -> details.string("reason")).orElse("");
    return new ResponsesStop(body.string("status").orElse(""), reason);
  }

  private Stop stop() {
    return switch (status) {
      case "completed" -> Stop.END;
      case "incomplete" ->
          switch (reason) {
            case "max_output_tokens" -> Stop.MAX_TOKENS;
            case "content_filter" -> Stop.CONTENT_FILTER;
            default -> Stop.OTHER;
          };
      default -> Stop.OTHER;
    };
  }

  boolean byLimit() {
    return stop() == Stop.MAX_TOKENS;
  }

  /** The reply; an end that only declines is a refusal. */
  ModelAnswer end(ReplyBuilder reply, boolean declined) {
    String words = reason.isEmpty() ? status : status + " " + reason;
    reply.stopWords(words.isEmpty() ? null : words);
    boolean refusal = stop() == Stop.END && declined && !reply.hasTexts() && !reply.hasCalls();
    return reply.build(refusal ? Stop.REFUSAL : stop(), null);
  }
}
