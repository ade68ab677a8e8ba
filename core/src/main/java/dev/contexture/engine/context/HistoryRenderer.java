package dev.contexture.engine.context;

import dev.contexture.compaction.CompactionOutcome;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.compaction.CompressionStrategy;
import dev.contexture.compaction.HistoryLimits;
import dev.contexture.engine.conversation.BoundConversation;
import dev.contexture.engine.conversation.RenderResult;
import dev.contexture.render.RenderOptions;
import dev.contexture.render.Renderer;
import dev.contexture.request.ContextConfig;
import dev.contexture.request.ContextMetadata;
import dev.contexture.timeline.Summary;
import dev.contexture.view.StreamItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Renders the conversation of a request within its budget (M-96). Which turns are sent is decided
 * by the configured strategy, through the one mechanism of the timeline: {@link
 * RenderOptions#withStrategy} is the seam. Used for one request, by one thread.
 */
final class HistoryRenderer {
  private static final int MAX_FORCED = 3;

  private final BoundConversation conversation;
  private final ContextConfig config;
  private final RenderOptions base;
  private int forced;
  private int messagesBefore = -1;
  private @Nullable CompactionReport applied;
  private final List<String> warnings = new ArrayList<>();

  HistoryRenderer(BoundConversation conversation, ContextConfig config, RenderOptions base) {
    this.conversation = conversation;
    this.config = config;
    this.base = base.withStrategy(config.compressionStrategy());
  }

  /**
   * Renders.
   *
   * @param before tokens of system and tools
   * @param room what is left of the whole request
   * @param budget what the history may have of it
   */
  RenderResult render(long before, long room, long budget) {
    RenderOptions options =
        base.withSystemTokens(before)
            .withMaxTokens(Math.max(1, before + budget))
            .withHistory(
                new HistoryLimits(Math.max(1, budget), Math.max(1, room), config.maxMessagesCap()));
    if (messagesBefore < 0) {
      messagesBefore = conversation.messages(options);
    }
    RenderResult rendered = note(conversation.render(options));
    while (cuts() && messages(rendered) > config.maxMessagesCap() && forced < MAX_FORCED) {
      forced++;
      rendered = note(conversation.render(options.withForceSanitize(true)));
    }
    return rendered;
  }

  private boolean cuts() {
    return config.compressionStrategy() instanceof CompressionStrategy.Compaction;
  }

  private RenderResult note(RenderResult rendered) {
    CompactionReport report = rendered.compaction().report();
    if (shortened(rendered.compaction())) {
      applied = report;
    }
    report
        .archiving()
        .ifPresent(
            facts ->
                facts.warnings().stream()
                    .map(warning -> warning.toUpperCase(Locale.ROOT))
                    .filter(warning -> !warnings.contains(warning))
                    .forEach(warnings::add));
    return rendered;
  }

  private static boolean shortened(CompactionOutcome outcome) {
    return outcome.summary().isPresent() || !outcome.archived().isEmpty();
  }

  /** Whether something was summarised or archived for this request. */
  boolean applied() {
    return applied != null;
  }

  /** What the strategy warned of, and that there are still too many messages. */
  List<String> warnings(RenderResult rendered) {
    boolean over = cuts() && messages(rendered) > config.maxMessagesCap();
    return over
        ? Stream.concat(warnings.stream(), Stream.of("MESSAGES_OVER_CAP")).toList()
        : warnings;
  }

  static int messages(RenderResult rendered) {
    return Renderer.messages(rendered.context().view());
  }

  static int turns(RenderResult rendered) {
    return (int)
        rendered.context().view().items().stream()
            .filter(item -> item.summary().isEmpty())
            .map(StreamItem::turn)
            .distinct()
            .count();
  }

  static long summaryTokens(RenderResult rendered) {
    return rendered.context().view().items().stream()
        .filter(item -> item.summary().isPresent())
        .mapToLong(StreamItem::cost)
        .sum();
  }

  ContextMetadata.Compression report(RenderResult rendered) {
    CompactionReport last = rendered.compaction().report();
    CompactionReport shown = applied == null ? last : applied;
    CompactionReport.Archiving facts = shown.facts();
    return new ContextMetadata.Compression(
        facts == null ? config.compressionStrategy().wireName() : facts.strategy(),
        applied != null,
        messagesBefore,
        messages(rendered),
        shown.tokensBefore(),
        shown.tokensAfter(),
        facts == null ? List.of() : facts.archived().stream().map(turn -> turn.value()).toList(),
        rendered.context().view().window().summary().map(Summary::id).orElse(null),
        cuts() ? shown.toJson() : null);
  }
}
