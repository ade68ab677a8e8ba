package dev.contexture.cli;

import dev.contexture.cli.support.Progress;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelProfile;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.cache.CacheModel;
import dev.contexture.provider.cache.CacheReport;
import dev.contexture.provider.cache.CacheSimulator;
import dev.contexture.provider.cache.SentBlock;
import dev.contexture.provider.cache.SentRequest;
import dev.contexture.provider.cache.TraceReader;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.provider.replay.RecordedSession;
import dev.contexture.provider.replay.SessionReplay;
import dev.contexture.request.Providers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** How the context of a recorded session would have evolved. */
@Command(
    name = "replay",
    description = {
      "Replays a recorded session of an agent, and shows how its context evolves.",
      "TRACE holds events as JSON lines, and may be compressed (.gz). For each call of the model:"
          + " its tokens by section, what a prompt cache makes of it, and compactions. Nothing is"
          + " sent or stored, so no server is needed."
    })
final class ReplayCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "TRACE", description = "The recorded session: *.events.jsonl[.gz].")
  private Path file = Path.of("");

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      defaultValue = "32000",
      description = "What a request must not exceed (default: ${DEFAULT-VALUE}).")
  private long maxTokens = 32_000;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "standard",
      description = "standard or economical (default: ${DEFAULT-VALUE}).")
  private String policy = "standard";

  @Option(
      names = "--model",
      paramLabel = "NAME",
      defaultValue = "claude-sonnet-4-5",
      description = "Whose cache and tokens are counted (default: ${DEFAULT-VALUE}).")
  private String model = "claude-sonnet-4-5";

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "anthropic, openai_chat or openai_responses; by default the model's first.")
  private @Nullable String provider;

  @Option(
      names = "--gap",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Time between two requests (default: ${DEFAULT-VALUE}).")
  private double gapSeconds;

  /** A request, without the body that it had. */
  private record Shown(SessionReplay.Tokens tokens, CompactionReport compaction, int marks) {}

  private final List<Shown> shown = new ArrayList<>();
  private final List<SentRequest> sent = new ArrayList<>();
  private final Map<SentBlock, SentBlock> known = new HashMap<>();

  @Override
  public Integer call() {
    SessionReplay.Settings settings = settings();
    RecordedSession session = RecordedSession.read(file);
    long calls = session.events().stream().filter(ReplayCommand::isCall).count();
    if (calls == 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "TRACE", "no request", "at least one {\"ev\":\"request\"}");
    }
    Printer printer = Printer.of(spec);
    try (Progress progress = printer.progress("replay")) {
      TraceReader reader = new TraceReader(settings.whom().meter());
      SessionReplay.run(
          session,
          settings,
          each -> {
            add(session, reader, each);
            progress.at(shown.size(), calls);
          });
    }
    ModelProfile profile = settings.whom().target().profile();
    CacheReport cache = CacheSimulator.simulate(CacheModel.of(profile.cache()), sent);
    if (printer.json()) {
      for (int i = 0; i < shown.size(); i++) {
        printer.json(json(i, cache));
      }
    } else {
      new ReplayChart(printer, maxTokens).print(rows(cache), cache);
    }
    return Main.DONE;
  }

  private SessionReplay.Settings settings() {
    if (maxTokens < 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--max-tokens", maxTokens, "a number from 1");
    }
    if (!(gapSeconds >= 0) || Double.isInfinite(gapSeconds)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--gap", gapSeconds, "seconds from 0");
    }
    if ("gemini".equals(provider)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--provider",
          provider,
          "anthropic, openai_chat or openai_responses");
    }
    Providers.Target target =
        BuiltInProviders.of(ModelCatalogue.shipped()).resolve(provider, model);
    return SessionReplay.Settings.of(maxTokens, CompactionPolicy.named(policy)).withTarget(target);
  }

  private static boolean isCall(RecordedSession.Event event) {
    return event instanceof RecordedSession.Event.Request;
  }

  /** Keeps what the cache sees of it; equal blocks of many requests only once. */
  private void add(RecordedSession session, TraceReader reader, SessionReplay.Sent each) {
    JsonObject body = (JsonObject) JsonValue.parse(each.request().body().text());
    if (session.tools() instanceof JsonArray tools && !tools.items().isEmpty()) {
      body = body.with("tools", tools);
    }
    SentRequest read = reader.read(model, shown.size() * gapSeconds, body);
    List<SentBlock> blocks =
        read.blocks().stream().map(block -> known.computeIfAbsent(block, first -> first)).toList();
    sent.add(
        new SentRequest(read.scope(), read.start(), read.start(), read.explicitOnly(), blocks));
    shown.add(new Shown(each.tokens(), each.compaction(), each.request().marks().size()));
  }

  private List<ReplayChart.Row> rows(CacheReport cache) {
    List<ReplayChart.Row> rows = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      rows.add(
          new ReplayChart.Row(
              shown.get(i).tokens, cache.requests().get(i), shown.get(i).compaction));
    }
    return rows;
  }

  private JsonObject json(int index, CacheReport cache) {
    Shown each = shown.get(index);
    SessionReplay.Tokens tokens = each.tokens;
    ReplayChart.Row row = new ReplayChart.Row(tokens, cache.requests().get(index), each.compaction);
    JsonObject.Builder json =
        JsonObject.builder()
            .put("request", index + 1)
            .put(
                "tokens",
                JsonObject.builder()
                    .put("system", tokens.system())
                    .put("tools", tokens.tools())
                    .put("summary", tokens.summary())
                    .put("history", tokens.history())
                    .put("total", tokens.total())
                    .put("limit", maxTokens)
                    .build())
            .put(
                "cache",
                JsonObject.builder()
                    .put("read", row.cache().read())
                    .put("written", row.written())
                    .put("uncached", row.cache().uncached())
                    .put("cost", Math.round(row.cache().cost()))
                    .put("marks", each.marks)
                    .build());
    if (row.compacted()) {
      json.put(
          "compaction",
          JsonObject.builder()
              .put("tokens_before", each.compaction.tokensBefore())
              .put("tokens_after", each.compaction.tokensAfter())
              .put("compacted_blocks", each.compaction.compactedBlocks())
              .build());
    }
    return json.build();
  }
}
