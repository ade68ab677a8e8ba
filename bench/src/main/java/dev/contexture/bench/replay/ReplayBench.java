package dev.contexture.bench.replay;

import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.UsageException;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.CachePolicy;
import dev.contexture.simulator.replay.RecordedSession;
import dev.contexture.simulator.replay.SessionReplay;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Replays a recorded session through the engine, and prints the request of every model call as one
 * line of JSON: what an agent would have sent.
 */
public final class ReplayBench implements Bench {
  @Override
  public String name() {
    return "replay";
  }

  @Override
  public String summary() {
    return "prints the requests of a recorded session: EVENTS --limit N [--policy P]";
  }

  @Override
  public int run(List<String> args, PrintStream out) {
    Options options = Options.parse(args);
    EngineReplay.run(
        RecordedSession.read(options.events),
        options.settings,
        request -> out.println(json(request).toJson()));
    return 0;
  }

  private static JsonObject json(List<EngineReplay.SentPart> parts) {
    List<JsonValue> tools = new ArrayList<>();
    List<JsonValue> system = new ArrayList<>();
    Map<Integer, List<JsonValue>> content = new LinkedHashMap<>();
    Map<Integer, String> roles = new HashMap<>();
    for (EngineReplay.SentPart part : parts) {
      switch (part.block().tier()) {
        case TOOLS -> tools.add(part.json());
        case SYSTEM -> system.add(shown(part).without("type"));
        case MESSAGES -> {
          int message = part.block().message();
          content.computeIfAbsent(message, unused -> new ArrayList<>()).add(shown(part));
          roles.put(message, part.block().role());
        }
      }
    }
    List<JsonValue> messages = new ArrayList<>();
    content.forEach(
        (message, shown) ->
            messages.add(
                JsonObject.builder()
                    .put("role", Objects.requireNonNull(roles.get(message)))
                    .put("content", new JsonArray(shown))
                    .build()));
    return JsonObject.builder()
        .put("tools", new JsonArray(tools))
        .put("system", new JsonArray(system))
        .put("messages", new JsonArray(messages))
        .build();
  }

  /** A part with its text, as programs that price requests read it. */
  private static JsonObject shown(EngineReplay.SentPart part) {
    JsonObject.Builder json = JsonObject.builder().put("type", part.block().kind());
    part.callId().ifPresent(id -> json.put("id", id));
    json.put("text", part.text());
    if (part.block().mark().isPresent()) {
      json.put("cache", true);
    }
    return json.build();
  }

  /** What follows the name on the command line. */
  public record Options(Path events, SessionReplay.Settings settings) {
    private static final String USAGE =
        "replay takes EVENTS --limit N [--policy "
            + String.join("|", CompactionPolicy.names())
            + "] and single settings of the"
            + " policy: [--trigger RATIO] [--keep RATIO] [--keep-turns N] [--keep-rounds N]"
            + " [--summary RATIO] [--free RATIO]; of marks: [--marks points|anchored|spaced]; of"
            + " the situation: [--every CALLS] [--hide-every REQUESTS] [--memory TOKENS]";

    static Options parse(List<String> args) {
      Path events = null;
      long limit = 0;
      CompactionPolicy policy = CompactionPolicy.DEFAULT;
      List<UnaryOperator<CompactionPolicy>> settings = new ArrayList<>();
      UnaryOperator<SessionReplay.Settings> situation = UnaryOperator.identity();
      for (int i = 0; i < args.size(); i++) {
        String arg = args.get(i);
        if (!arg.startsWith("--")) {
          events = file(arg);
          continue;
        }
        String value = value(args, ++i, arg);
        switch (arg) {
          case "--limit" -> limit = Math.max(1, number(arg, value));
          case "--policy" -> policy = read(() -> CompactionPolicy.named(value));
          case "--marks", "--every", "--hide-every", "--memory" -> {
            UnaryOperator<SessionReplay.Settings> before = situation;
            situation = all -> situation(arg, value, before.apply(all));
          }
          default -> settings.add(setting(arg, value));
        }
      }
      if (events == null || limit == 0) {
        throw new UsageException(USAGE);
      }
      for (UnaryOperator<CompactionPolicy> setting : settings) {
        CompactionPolicy before = policy;
        policy = read(() -> setting.apply(before));
      }
      return new Options(events, situation.apply(EngineReplay.settings(limit, policy)));
    }

    private static SessionReplay.Settings situation(
        String option, String value, SessionReplay.Settings all) {
      return switch (option) {
        case "--marks" -> all.with(placement(value));
        case "--every" -> all.with(all.situation().withEvery(Math.max(1, whole(option, value))));
        case "--hide-every" -> all.with(all.situation().withHideEvery(whole(option, value)));
        default -> all.with(all.situation().withMemory(whole(option, value)));
      };
    }

    private static CachePolicy.Placement placement(String name) {
      for (CachePolicy.Placement placement : CachePolicy.Placement.values()) {
        if (placement.name().toLowerCase(Locale.ROOT).equals(name)) {
          return placement;
        }
      }
      throw new UsageException("--marks is '" + name + "'; it takes points, anchored or spaced");
    }

    public static UnaryOperator<CompactionPolicy> setting(String option, String value) {
      return switch (option) {
        case "--trigger" -> policy -> policy.withTriggerRatio(ratio(option, value));
        case "--keep" -> policy -> policy.withKeepRatio(ratio(option, value));
        case "--keep-turns" ->
            policy -> policy.withKeepRecentTurns(Math.toIntExact(number(option, value)));
        case "--keep-rounds" ->
            policy -> policy.withKeepRecentRounds(Math.toIntExact(number(option, value)));
        case "--summary" -> policy -> policy.withSummaryRatio(ratio(option, value));
        case "--free" -> policy -> policy.withFreeRatio(ratio(option, value));
        default -> throw new UsageException("unknown option '" + option + "'; " + USAGE);
      };
    }

    public static String value(List<String> args, int index, String option) {
      if (index >= args.size()) {
        throw new UsageException(option + " needs a value");
      }
      return args.get(index);
    }

    public static long number(String option, String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException notOne) {
        throw new UsageException(option + " is '" + text + "'; it takes a whole number");
      }
    }

    private static int whole(String option, String text) {
      return Math.toIntExact(number(option, text));
    }

    private static BigDecimal ratio(String option, String text) {
      try {
        return new BigDecimal(text);
      } catch (NumberFormatException notOne) {
        throw new UsageException(option + " is '" + text + "'; it takes a number such as 0.9");
      }
    }

    private static CompactionPolicy read(Supplier<CompactionPolicy> policy) {
      try {
        return policy.get();
      } catch (ContextureException refused) {
        throw new UsageException(String.valueOf(refused.getMessage()));
      }
    }

    private static Path file(String arg) {
      Path file = Path.of(arg);
      if (!Files.isReadable(file)) {
        throw new UsageException("there is no readable file '" + arg + "'; " + USAGE);
      }
      return file;
    }
  }
}
