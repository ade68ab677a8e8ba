package dev.contexture.simulator;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.model.ModelProfile;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** An alternative choice for requests, as people write it. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.3")
public sealed interface WhatIfChoice {
  /** How choices are written. */
  String FORM = "ttl=5m, ttl=1h, k=ROUNDS, model=NAME or provider=PROVIDER/MODEL";

  /** Marks with another life. */
  record Life(SentBlock.Ttl ttl) implements WhatIfChoice {}

  /** The mark so many rounds from the end. */
  record Rounds(int rounds) implements WhatIfChoice {}

  /**
   * Another model.
   *
   * @param provider null: the same one
   */
  record Model(@Nullable String provider, String model) implements WhatIfChoice {}

  /** A source of profiles. */
  @FunctionalInterface
  interface Profiles {
    /**
     * @param provider null: that of the requests
     */
    ModelProfile find(@Nullable String provider, String model);
  }

  /**
   * Reads a choice.
   *
   * @param field what it is called where it was given
   * @throws ContextureException {@code invalid_argument} if it is none
   */
  static WhatIfChoice parse(String field, String text) {
    int equals = text.indexOf('=');
    String value = text.substring(equals + 1);
    return switch (text.substring(0, Math.max(0, equals))) {
      case "ttl" -> life(field, text, value);
      case "k" -> rounds(field, text, value);
      case "model" -> model(field, text, null, value);
      case "provider" -> {
        int slash = value.indexOf('/');
        if (slash < 1) {
          throw unknown(field, text);
        }
        yield model(field, text, value.substring(0, slash), value.substring(slash + 1));
      }
      default -> throw unknown(field, text);
    };
  }

  private static WhatIfChoice life(String field, String text, String value) {
    return switch (value) {
      case "5m" -> new Life(SentBlock.Ttl.FIVE_MINUTES);
      case "1h" -> new Life(SentBlock.Ttl.ONE_HOUR);
      default -> throw unknown(field, text);
    };
  }

  private static WhatIfChoice rounds(String field, String text, String value) {
    if (!value.matches("[1-9][0-9]{0,5}")) {
      throw unknown(field, text);
    }
    return new Rounds(Integer.parseInt(value));
  }

  private static WhatIfChoice model(
      String field, String text, @Nullable String provider, String name) {
    if (name.isBlank()) {
      throw unknown(field, text);
    }
    return new Model(provider, name);
  }

  private static ContextureException unknown(String field, String text) {
    return ContextureException.invalid(ErrorCode.INVALID_ARGUMENT, field, text, FORM);
  }

  /** What the requests would have cost with it. */
  default WhatIf of(Trace trace, ModelProfile profile, Profiles profiles) {
    return switch (this) {
      case Life life -> WhatIf.withLife(trace, profile, life.ttl());
      case Rounds rounds -> WhatIf.withOffset(trace, profile, rounds.rounds());
      case Model model ->
          WhatIf.withModel(trace, profile, profiles.find(model.provider(), model.model()));
    };
  }
}
