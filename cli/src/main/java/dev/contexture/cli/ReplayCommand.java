package dev.contexture.cli;

import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.output.Progress;
import dev.contexture.cli.support.CatalogueFlags;
import dev.contexture.cli.support.Names;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelPrice;
import dev.contexture.model.ModelProfile;
import dev.contexture.prompt.ContextMetadata;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.request.Providers;
import dev.contexture.simulator.CacheModel;
import dev.contexture.simulator.CacheReport;
import dev.contexture.simulator.CacheSimulator;
import dev.contexture.simulator.CacheUse;
import dev.contexture.simulator.SentBlock;
import dev.contexture.simulator.SentRequest;
import dev.contexture.simulator.TraceReader;
import dev.contexture.simulator.replay.RecordedSession;
import dev.contexture.simulator.replay.SessionReplay;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows how the context of a recorded session would have evolved. */
@Command(
    name = "replay",
    description = {
      "Replays a recorded session of an agent, and shows how its context evolves.",
      "TRACE holds events as JSON lines, and may be compressed (.gz). For each call of the model:"
          + " its tokens by section, what a prompt cache makes of it, and compactions. Nothing is"
          + " sent or stored, so no server is needed."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  contexture replay session.events.jsonl --max-tokens 16000 --policy economical"})
final class ReplayCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private CatalogueFlags catalogue = new CatalogueFlags();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "contexture-data",
      description = "Directory with facts of 'models --update' (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("contexture-data");

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
      defaultValue = "balanced",
      completionCandidates = Names.Policies.class,
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private String policy = "balanced";

  @Option(
      names = "--model",
      paramLabel = "NAME",
      defaultValue = "claude-sonnet-4-5",
      description = "Whose cache and tokens are counted (default: ${DEFAULT-VALUE}).")
  private String model = "claude-sonnet-4-5";

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      completionCandidates = Names.Providers.class,
      description = "${COMPLETION-CANDIDATES}, all but gemini; by default the model's first.")
  private @Nullable String provider;

  @Option(
      names = "--gap",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Time between two requests (default: ${DEFAULT-VALUE}).")
  private double gapSeconds;

  /** A request, without the body that it had. */
  private record Shown(ContextMetadata metadata, int marks) {}

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
    Providers providers = BuiltInProviders.of(catalogue.open(data));
    ModelProfile profile = providers.resolve(provider, model).profile();
    try (Progress progress = printer.progress("replay")) {
      TraceReader reader =
          new TraceReader(new TokenMeter(TokenCounter.O200K_BASE, profile.tokenizer().ratio()));
      SessionReplay.run(
          folder -> Contexture.builder(SqliteStore.open(folder)).providers(providers),
          session,
          settings,
          each -> {
            add(reader, each);
            progress.at(shown.size(), calls);
          });
    }
    CacheReport cache =
        CacheSimulator.simulate(CacheModel.of(profile.cache()), sent)
            .at(profile.newestPrice().orElse(null));
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
          "a provider whose cache can be told from requests");
    }
    SessionReplay.Situation situation =
        SessionReplay.Situation.PLAIN.withGap(Duration.ofMillis(Math.round(1_000 * gapSeconds)));
    return SessionReplay.Settings.of(provider, model, maxTokens, CompactionPolicy.named(policy))
        .with(situation);
  }

  private static boolean isCall(RecordedSession.Event event) {
    return event instanceof RecordedSession.Event.Request;
  }

  /** Keeps what the cache sees of it; equal blocks of many requests only once. */
  private void add(TraceReader reader, ContextRequest each) {
    JsonObject body = (JsonObject) JsonValue.parse(each.body());
    SentRequest read = reader.read(model, shown.size() * gapSeconds, body);
    List<SentBlock> blocks =
        read.blocks().stream().map(block -> known.computeIfAbsent(block, first -> first)).toList();
    sent.add(
        new SentRequest(read.scope(), read.start(), read.start(), read.explicitOnly(), blocks));
    shown.add(new Shown(each.metadata(), each.request().marks().size()));
  }

  private List<ReplayChart.Row> rows(CacheReport cache) {
    List<ReplayChart.Row> rows = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      rows.add(new ReplayChart.Row(shown.get(i).metadata, cache.requests().get(i)));
    }
    return rows;
  }

  /**
   * What a cache makes of a request; the cost in plain input tokens, and in money if it is known.
   */
  private static JsonObject cache(CacheUse use, int marks, @Nullable ModelPrice price) {
    JsonObject.Builder json =
        JsonObject.builder()
            .put("read", use.read())
            .put("written", use.write() + use.write5m() + use.write1h())
            .put("uncached", use.uncached())
            .put("cost", Math.round(use.cost()))
            .put("rewritten", use.rewritten())
            .put("marks", marks);
    if (price != null) {
      double money = price.inputCost(use.cost(), use.inputTokens());
      json.put("money", JsonValue.parse(String.format(Locale.ROOT, "%.8f", money)))
          .put("currency", ModelPrice.CURRENCY);
    }
    return json.build();
  }

  private JsonObject json(int index, CacheReport cache) {
    Shown each = shown.get(index);
    ReplayChart.Row row = new ReplayChart.Row(each.metadata, cache.requests().get(index));
    JsonObject.Builder json =
        JsonObject.builder()
            .put("request", index + 1)
            .put(
                "tokens",
                JsonObject.builder()
                    .put("system", row.system())
                    .put("tools", row.tools())
                    .put("summary", row.summary())
                    .put("history", row.history())
                    .put("total", row.total())
                    .put("limit", maxTokens)
                    .build())
            .put("cache", cache(row.cache(), each.marks, cache.price()));
    if (row.compacted()) {
      json.put(
          "compaction",
          JsonObject.builder()
              .put("tokens_before", each.metadata.compression().tokensBefore())
              .put("tokens_after", each.metadata.compression().tokensAfter())
              .put("compacted_blocks", row.compactedBlocks())
              .build());
    }
    return json.build();
  }
}
