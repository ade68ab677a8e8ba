package dev.contexture.bench.replay;

import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.simulator.replay.RecordedBlocks;
import dev.contexture.simulator.replay.RecordedSession;
import dev.contexture.simulator.replay.SessionReplay;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Replays recorded sessions through the engine over SQLite in memory, for one model. */
public final class EngineReplay {
  private static final BuiltInProviders PROVIDERS = BuiltInProviders.of(ModelCatalogue.shipped());
  private static final ModelRef MODEL = new ModelRef("anthropic", "claude-sonnet-4-5");
  private static final TokenMeter METER =
      new TokenMeter(
          TokenCounter.O200K_BASE, ModelCatalogue.shipped().profile(MODEL).tokenizer().ratio());

  private EngineReplay() {}

  public static SessionReplay.Settings settings(long limit, CompactionPolicy policy) {
    return SessionReplay.Settings.of(MODEL.provider(), MODEL.model(), limit, policy);
  }

  /** The tokens of a text as the engine counts them for the model. */
  public static long tokens(String text) {
    return METER.texts(List.of(text));
  }

  /** Tells of the parts of every request. */
  public static void run(
      RecordedSession session, SessionReplay.Settings settings, Consumer<List<SentPart>> out) {
    runWhile(
        session,
        settings,
        request -> {
          out.accept(parts(request.request()));
          return true;
        });
  }

  /** Tells of every request until one is enough. */
  public static void runWhile(
      RecordedSession session, SessionReplay.Settings settings, Predicate<ContextRequest> goOn) {
    SessionReplay.runWhile(
        folder -> Contexture.builder(new InMemoryStore()).providers(PROVIDERS),
        session,
        settings,
        goOn);
  }

  /** The parts in the order of the messages, to which late results may have been added. */
  public static List<SentPart> parts(ProviderRequest request) {
    List<SentPart> parts = new ArrayList<>();
    for (int i = 0; i < request.blocks().size(); i++) {
      JsonObject json = (JsonObject) JsonValue.parse(request.text(i));
      parts.add(new SentPart(request.blocks().get(i), json));
    }
    parts.sort(Comparator.comparingInt(part -> part.block().message()));
    return parts;
  }

  /**
   * A part of a request as it was sent.
   *
   * @param json without its mark
   */
  public record SentPart(RequestBlock block, JsonObject json) {
    /** What it says, without the JSON around it, as it was recorded. */
    public String text() {
      return switch (block.kind()) {
        case "text" -> json.string("text").orElse("");
        case "tool_use" ->
            RecordedBlocks.said(json.find("input").map(JsonValue::toJson).orElse("{}"));
        case "tool_result" ->
            json.array("content").orElse(JsonArray.of()).items().stream()
                .map(part -> ((JsonObject) part).string("text").orElse(""))
                .collect(Collectors.joining("\n"));
        default -> json.toJson();
      };
    }

    /** The id of a call, or of the call that a result answers. */
    Optional<String> callId() {
      return json.string("tool_use_id").or(() -> json.string("id"));
    }
  }
}
