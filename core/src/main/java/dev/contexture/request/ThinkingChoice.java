package dev.contexture.request;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.Set;
import org.apiguardian.api.API;

/** A choice whether a model thinks before it answers. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface ThinkingChoice {
  /** It does not. */
  ThinkingChoice OFF = Mode.OFF;

  /** As much as it finds right. */
  ThinkingChoice ADAPTIVE = Mode.ADAPTIVE;

  /** At most so many tokens, where the model takes such a limit. */
  static ThinkingChoice budget(int tokens) {
    return new Budget(tokens);
  }

  /** The word or the object for it, as {@link #read} takes it. */
  JsonValue toJson();

  /**
   * Reads {@code "off"}, {@code "adaptive"} or {@code {"budget_tokens":4096}}.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  static ThinkingChoice read(JsonValue value) {
    if (value instanceof JsonString word) {
      for (Mode mode : Mode.values()) {
        if (mode.word.equals(word.value())) {
          return mode;
        }
      }
    } else if (value instanceof JsonObject object) {
      long tokens =
          JsonFields.of(object, Set.of(Budget.TOKENS))
              .number(Budget.TOKENS)
              .orElseThrow(
                  () ->
                      ContextureException.invalid(
                          ErrorCode.FIELD_REQUIRED, Budget.FIELD, null, Budget.ALLOWED));
      return new Budget(Budget.checked(tokens));
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT,
        "thinking",
        value.toJson(),
        "\"off\", \"adaptive\" or {\"budget_tokens\":NUMBER}");
  }

  /** A choice without a limit. */
  enum Mode implements ThinkingChoice {
    OFF("off"),
    ADAPTIVE("adaptive");

    private final String word;

    Mode(String word) {
      this.word = word;
    }

    @Override
    public JsonValue toJson() {
      return JsonValue.of(word);
    }
  }

  /**
   * A limit.
   *
   * @param tokens at most so many, at least 1
   */
  record Budget(int tokens) implements ThinkingChoice {
    private static final String TOKENS = "budget_tokens";
    private static final String FIELD = "thinking." + TOKENS;
    private static final String ALLOWED = "1 to " + Integer.MAX_VALUE;

    public Budget {
      tokens = checked(tokens);
    }

    private static int checked(long tokens) {
      if (tokens < 1 || tokens > Integer.MAX_VALUE) {
        throw ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, FIELD, tokens, ALLOWED);
      }
      return (int) tokens;
    }

    @Override
    public JsonValue toJson() {
      return JsonObject.builder().put(TOKENS, tokens).build();
    }
  }
}
