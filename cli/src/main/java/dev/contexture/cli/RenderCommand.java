package dev.contexture.cli;

import dev.contexture.block.Limits;
import dev.contexture.cli.support.JsonFile;
import dev.contexture.cli.support.RenderFlags;
import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.Compactor;
import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.render.RenderCall;
import dev.contexture.render.RenderCodec;
import dev.contexture.render.RenderedContext;
import dev.contexture.render.Renderer;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineCodec;
import dev.contexture.view.Dialect;
import dev.contexture.view.TtlPruner;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Renders a timeline from a file: what a model would get, without storing anything. */
@Command(
    name = "render",
    description = {
      "Renders a timeline file as what a model would get.",
      "FILE holds {\"blocks\": [...], \"active_turn\", \"turns\", \"archived\", \"visibility\","
          + " \"sources\", \"announce\"}; only blocks are required. The answer is JSON; with --text"
          + " the flat transcript."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture render timeline.json --text",
      "  contexture render - --max-tokens 8000 --dialect native"
    })
final class RenderCommand implements Callable<Integer> {
  private static final String SUMMARY_ID = "su_1";

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RenderFlags flags = new RenderFlags();

  @Option(names = "--text", description = "Print the transcript as plain text instead of JSON.")
  private boolean text;

  @Parameters(paramLabel = "FILE", description = "The timeline as JSON; - is standard input.")
  private @Nullable Path file;

  private final InstantSource clock = InstantSource.system();

  @Override
  public Integer call() {
    RenderCall call = RenderCall.read(flags.toOptions());
    if (text && call.options().dialect() == Dialect.NATIVE) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--text",
          "with --dialect native",
          "the transcript only; leave one of the two out");
    }
    JsonObject json = JsonFile.read(Objects.requireNonNull(file));
    Timeline timeline = TimelineCodec.read(json, Limits.DEFAULT);
    print(render(timeline, call, clock.instant()));
    return Main.DONE;
  }

  private Rendering render(Timeline loaded, RenderCall call, Instant now) {
    Renderer renderer = new Renderer();
    Timeline timeline = call.turnLimit().apply(loaded, now);
    TtlPruner.Outcome pruned =
        new TtlPruner(
                renderer.view(timeline, call.options()),
                renderer.emitter(call.options()),
                call.pruning())
            .plan(null, call.pruning().ttlSeconds(), now);
    timeline = timeline.withVisibility(pruned.records());
    Compactor compactor = renderer.compactor(timeline, call.options());
    boolean due = compactor.plan(timeline, now).isAttempt();
    Timeline planned = due ? loaded.withVisibility(pruned.records()) : timeline;
    CompactionOutcome compacted =
        compactor.compact(planned, new ExtractiveSummarizer(), SUMMARY_ID, now);
    timeline = compacted.applyTo(timeline);
    return new Rendering(renderer.render(timeline, call.options()), pruned, compacted);
  }

  private void print(Rendering rendering) {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (text) {
      out.print(rendering.context.text());
      return;
    }
    JsonObject pruning =
        JsonObject.builder()
            .put("status", rendering.pruned.status().wireName())
            .put("replaced", rendering.pruned.records().size())
            .build();
    JsonObject extra =
        JsonObject.builder()
            .putAll(
                RenderCodec.compaction(rendering.compacted, rendering.context.view().timeline()))
            .put("pruning", pruning)
            .build();
    out.println(RenderCodec.write(rendering.context, extra).toPrettyJson());
  }

  private record Rendering(
      RenderedContext context, TtlPruner.Outcome pruned, CompactionOutcome compacted) {}
}
