package dev.contexture.bench;

import dev.contexture.bench.support.Bench;
import dev.contexture.bench.support.UsageException;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.replay.RecordedSession;
import dev.contexture.provider.replay.ReplayedTimeline;
import dev.contexture.provider.replay.SessionReplay;
import dev.contexture.render.Message;
import dev.contexture.request.CachePolicy;
import dev.contexture.view.Part;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Replays a recorded session through timeline, compaction and render, and prints the request of
 * every model call as one line of JSON: what an agent would have sent.
 */
final class ReplayBench implements Bench {
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
    RecordedSession session = RecordedSession.read(options.events);
    SessionReplay.run(
        session, options.settings, sent -> out.println(request(session, sent).toJson()));
    return 0;
  }

  private static JsonObject request(RecordedSession session, SessionReplay.Sent sent) {
    List<JsonValue> messages = new ArrayList<>();
    for (int m = 0; m < sent.messages().size(); m++) {
      Message message = sent.messages().get(m);
      List<JsonValue> content = new ArrayList<>();
      for (int p = 0; p < message.parts().size(); p++) {
        JsonObject part = part(message.parts().get(p));
        content.add(sent.isMarked(m, p) ? part.with("cache", JsonValue.of(true)) : part);
      }
      messages.add(
          JsonObject.builder()
              .put("role", message.role().wireName())
              .put("content", new JsonArray(content))
              .build());
    }
    JsonObject.Builder system = JsonObject.builder().put("text", sent.system());
    if (sent.isSystemMarked()) {
      system.put("cache", true);
    }
    return JsonObject.builder()
        .put("tools", session.tools())
        .put("system", JsonArray.of(system.build()))
        .put("messages", new JsonArray(messages))
        .build();
  }

  /** A part with its text, as programs that price requests read it. */
  static JsonObject part(Part part) {
    JsonObject.Builder json = JsonObject.builder();
    switch (part) {
      case Part.Text text -> json.put("type", "text").put("text", text.text());
      case Part.ToolCall call ->
          json.put("type", "tool_use")
              .put("id", call.id().value())
              .put("text", ReplayedTimeline.said(call.arguments()));
      case Part.ToolResult result ->
          json.put("type", "tool_result")
              .put("id", result.id().value())
              .put("text", texts(result.content()));
      case Part.Image image -> json.put("type", "image").put("text", image.mediaType());
      case Part.Document document -> json.put("type", "document").put("text", document.mediaType());
      case Part.Opaque opaque -> json.put("type", "opaque").put("text", opaque.raw());
    }
    return json.build();
  }

  private static String texts(List<Part> content) {
    return content.stream()
        .filter(Part.Text.class::isInstance)
        .map(text -> ((Part.Text) text).text())
        .collect(Collectors.joining("\n"));
  }

  /** What follows the name on the command line. */
  private record Options(Path events, SessionReplay.Settings settings) {
    private static final String USAGE =
        "replay takes EVENTS --limit N [--policy standard|economical] and single settings of the"
            + " policy: [--trigger RATIO] [--keep RATIO] [--keep-turns N] [--keep-rounds N]"
            + " [--summary-tokens N]; of marks: [--marks points|anchored|spaced]; of the situation:"
            + " [--every CALLS] [--hide-every REQUESTS] [--memory TOKENS]";

    static Options parse(List<String> args) {
      Path events = null;
      long limit = 0;
      CompactionPolicy policy = CompactionPolicy.STANDARD;
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
      return new Options(events, situation.apply(SessionReplay.Settings.of(limit, policy)));
    }

    private static SessionReplay.Settings situation(
        String option, String value, SessionReplay.Settings all) {
      return switch (option) {
        case "--marks" -> all.withPlacement(placement(value));
        case "--every" -> all.withEvery(Math.toIntExact(Math.max(1, number(option, value))));
        case "--hide-every" -> all.withHideEvery(Math.toIntExact(number(option, value)));
        default -> all.withMemory(Math.toIntExact(number(option, value)));
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

    private static UnaryOperator<CompactionPolicy> setting(String option, String value) {
      return switch (option) {
        case "--trigger" -> policy -> policy.withTriggerRatio(ratio(option, value));
        case "--keep" -> policy -> policy.withKeepRatio(ratio(option, value));
        case "--keep-turns" ->
            policy -> policy.withKeepRecentTurns(Math.toIntExact(number(option, value)));
        case "--keep-rounds" ->
            policy -> policy.withKeepRecentRounds(Math.toIntExact(number(option, value)));
        case "--summary-tokens" -> policy -> policy.withSummaryTokens(number(option, value));
        default -> throw new UsageException("unknown option '" + option + "'; " + USAGE);
      };
    }

    private static String value(List<String> args, int index, String option) {
      if (index >= args.size()) {
        throw new UsageException(option + " needs a value");
      }
      return args.get(index);
    }

    private static long number(String option, String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException notOne) {
        throw new UsageException(option + " is '" + text + "'; it takes a whole number");
      }
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
