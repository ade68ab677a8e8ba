package dev.contexture.engine.retention;

import dev.contexture.block.Durations;
import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Rules by which things are erased for good once they are old, or too many.
 *
 * <p>As text: {@code conversations=180d,requests=30d,requests=100,events=90d}; each part names a
 * kind and how old it may become, or how many there may be.
 *
 * @param rules by kind; a kind without one is kept for ever
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RetentionRules(Map<Kind, Rule> rules) {
  /** Everything is kept for ever. */
  public static final RetentionRules NONE = new RetentionRules(Map.of());

  /** The kind of thing that a rule is about. */
  public enum Kind {
    /** Conversations with everything in them: by their last activity, and how many a user has. */
    CONVERSATIONS,
    /** Records of requests: by when they were made, and how many a conversation has. */
    REQUESTS,
    /** Events of memory and activity: by when they happened, and how many a project has. */
    EVENTS;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Kind named(String name) {
      for (Kind kind : values()) {
        if (kind.wireName().equals(name)) {
          return kind;
        }
      }
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "retain", name, Choices.inWords(values()));
    }
  }

  /**
   * A rule that says how long one kind is kept.
   *
   * @param age what is older goes; null: no age is too old
   * @param most of more, the oldest go; null: no number is too large
   */
  public record Rule(@Nullable Duration age, @Nullable Long most) {
    private static final Rule NONE = new Rule(null, null);

    /** From when on things are kept. */
    Instant cutoff(Instant now) {
      return age == null ? Instant.EPOCH : now.minus(age);
    }

    /** How many are kept at most. */
    long number() {
      return most == null ? Long.MAX_VALUE : most;
    }
  }

  private static final int MAX_DIGITS = 12;

  public RetentionRules {
    rules = Map.copyOf(rules);
  }

  /**
   * Reads rules.
   *
   * @throws ContextureException {@code invalid_argument} that says what a rule looks like
   */
  public static RetentionRules parse(String text) {
    Map<Kind, Rule> rules = new EnumMap<>(Kind.class);
    for (String part : text.split(",", -1)) {
      String rule = part.strip();
      int equals = rule.indexOf('=');
      if (equals < 0) {
        throw refused(rule);
      }
      Kind kind = Kind.named(rule.substring(0, equals).strip());
      String bound = rule.substring(equals + 1).strip();
      Rule before = rules.getOrDefault(kind, Rule.NONE);
      rules.put(kind, with(before, bound, rule));
    }
    return new RetentionRules(rules);
  }

  private static Rule with(Rule before, String bound, String rule) {
    boolean number = bound.matches("[1-9][0-9]*") && bound.length() <= MAX_DIGITS;
    boolean twice = number ? before.most != null : before.age != null;
    if (twice) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "retain", rule, "one age and one number for each kind");
    }
    if (number) {
      return new Rule(before.age, Long.valueOf(bound));
    }
    if (!Durations.isDuration(bound)) {
      throw refused(rule);
    }
    return new Rule(Durations.read(bound, "retain"), before.most);
  }

  private static ContextureException refused(String rule) {
    return ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT,
        "retain",
        rule,
        "KIND=AGE or KIND=NUMBER, such as conversations=180d,requests=100; an age is "
            + Durations.FORM);
  }

  public boolean isEmpty() {
    return rules.isEmpty();
  }

  /** The rule of a kind; one that keeps everything, if there is none. */
  Rule of(Kind kind) {
    return Objects.requireNonNullElse(rules.get(kind), Rule.NONE);
  }

  /** As it is read. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(",");
    for (Kind kind : Kind.values()) {
      Rule rule = of(kind);
      if (rule.age != null) {
        text.add(kind.wireName() + "=" + rule.age.toMinutes() + "m");
      }
      if (rule.most != null) {
        text.add(kind.wireName() + "=" + rule.most);
      }
    }
    return text.toString();
  }
}
