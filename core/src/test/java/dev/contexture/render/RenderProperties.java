package dev.contexture.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Limits;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineCodec;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.timeline.Timelines;
import dev.contexture.timeline.Timelines.Script;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.DroppedBlock;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import dev.contexture.view.StreamItem;
import dev.contexture.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every conversation (T-30, T-40, T-41, T-43, T-46). */
class RenderProperties {
  private static final RenderOptions OPTIONS =
      RenderOptions.defaults().withMeter(TokenMeter.of(TokenCounter.CHARS4));
  private static final RenderOptions NATIVE = OPTIONS.withDialect(Dialect.NATIVE);
  private static final RenderOptions NATIVE_WITH_TAIL = NATIVE.withSources(true).withAnnounce(true);

  private static final Part HIDDEN = new Part.Text("(hidden)");

  @Provide
  Arbitrary<Script> scripts() {
    return Timelines.scripts();
  }

  @Provide
  Arbitrary<ContributionFilters> filters() {
    Arbitrary<Set<BlockType>> types =
        Arbitraries.of(
                BlockType.REACT_TOOL_CALL,
                BlockType.REACT_TOOL_RESULT,
                BlockType.REACT_NOTES,
                BlockType.REACT_NOTICE,
                BlockType.STAGE_GATE,
                BlockType.MODEL_OPAQUE,
                BlockType.of("custom.step"))
            .set()
            .ofMaxSize(4);
    return Arbitraries.oneOf(
        Arbitraries.just(ContributionFilters.NONE),
        types.map(set -> new ContributionFilters(Set.of(), set)),
        types.map(set -> new ContributionFilters(set, Set.of())));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void messagesAreAlwaysALegalSequenceWithoutOrphans(
      @ForAll("scripts") Script script, @ForAll("filters") ContributionFilters filters) {
    // T-39, T-40, T-41
    Timeline active = script.timeline();
    for (Timeline timeline : List.of(active, script.closed())) {
      RenderedContext context =
          new Renderer()
              .render(Timelines.withTail(timeline), NATIVE_WITH_TAIL.withFilters(filters));
      assertLegal(context.messages());
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void renderingTwiceIsByteIdenticalWithFreshAndWarmRenderers(@ForAll("scripts") Script script) {
    // T-30
    for (RenderOptions options : List.of(OPTIONS, NATIVE)) {
      Renderer warm = new Renderer();
      for (int appended = 0; appended <= script.after().size(); appended++) {
        String again = json(warm, script.timeline(appended), options);
        assertThat(again).isEqualTo(json(new Renderer(), script.timeline(appended), options));
      }
      Timeline timeline = script.timeline();
      String first = json(warm, timeline, options);
      assertThat(json(warm, timeline, options)).isEqualTo(first);
      assertThat(json(warm, timeline.withActiveTurn(null), options))
          .isEqualTo(json(new Renderer(), timeline.withActiveTurn(null), options));
    }
  }

  private static String json(Renderer renderer, Timeline timeline, RenderOptions options) {
    RenderedContext context = renderer.render(timeline, options);
    return RenderCodec.write(context, JsonObject.EMPTY).without("prefix_changed_at").toJson();
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void appendingToTheActiveTurnChangesNothingThatWasSent(@ForAll("scripts") Script script) {
    // T-30, T-41
    Renderer renderer = new Renderer();
    RenderedContext text = renderer.render(script.timeline(0), OPTIONS);
    RenderedContext messages = new Renderer().render(script.timeline(0), NATIVE);
    for (int appended = 1; appended <= script.after().size(); appended++) {
      Timeline timeline = script.timeline(appended);
      RenderedContext nextText = renderer.render(timeline, OPTIONS);
      assertThat(nextText.text()).startsWith(text.text());
      assertThat(nextText.report().prefixChangedAt()).isEmpty();
      RenderedContext nextMessages = new Renderer().render(timeline, NATIVE);
      assertGrown(messages.messages(), nextMessages.messages());
      text = nextText;
      messages = nextMessages;
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void everyBlockOfTheWindowIsShownOnceOrReported(
      @ForAll("scripts") Script script, @ForAll("filters") ContributionFilters filters) {
    // T-31, T-58
    for (RenderOptions options : List.of(OPTIONS, NATIVE)) {
      View view = new Renderer().view(script.timeline(), options.withFilters(filters));
      List<TimelineEntry> seen = new ArrayList<>();
      view.items().stream()
          .filter(item -> !item.carried())
          .forEach(item -> item.entry().ifPresent(seen::add));
      view.dropped().stream().map(DroppedBlock::entry).forEach(seen::add);
      List<TimelineEntry> expected =
          view.window().entries().stream()
              .filter(entry -> !entry.block().type().has(BlockType.Flag.QUIET))
              .filter(
                  entry ->
                      options == NATIVE
                          || !entry.block().type().has(BlockType.Flag.NATIVE_ONLY)
                          || !filters.exclude().isEmpty()
                          || !filters.includeOnly().isEmpty())
              .toList();
      if (filters.equals(ContributionFilters.NONE) || options == NATIVE) {
        assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
      }
      assertThat(view.cost()).isEqualTo(view.items().stream().mapToLong(StreamItem::cost).sum());
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void atMostThreeCachePointsAndNeverOnTheTail(@ForAll("scripts") Script script) {
    // T-43, T-46
    Timeline timeline = Timelines.withTail(script.timeline());
    RenderedContext text =
        new Renderer().render(timeline, OPTIONS.withSources(true).withAnnounce(true));
    assertThat(text.points()).hasSizeLessThanOrEqualTo(3);
    int stable = text.view().items().stream().mapToInt(i -> i.emission().parts().size()).sum();
    assertThat(text.points()).allMatch(point -> point.part() < stable);
    assertThat(text.transcript().subList(stable, stable + 2)).noneMatch(RenderedPart::cache);
    RenderedContext plain = new Renderer().render(timeline, NATIVE);
    RenderedContext messages = new Renderer().render(timeline, NATIVE_WITH_TAIL);
    assertThat(messages.points()).isEqualTo(plain.points()).hasSizeLessThanOrEqualTo(3);
    assertThat(plain.points())
        .allMatch(point -> point.part() < plain.messages().get(point.message()).parts().size());
    assertThat(plain.points().stream().map(p -> p.point().index())).doesNotHaveDuplicates();
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void aTimelineComesBackFromItsJson(@ForAll("scripts") Script script) {
    // T-8, T-20
    Timeline timeline = Timelines.withTail(script.timeline());
    String written = TimelineCodec.write(timeline).toJson();
    Timeline read = TimelineCodec.read((JsonObject) JsonValue.parse(written), Limits.DEFAULT);
    assertThat(TimelineCodec.write(read).toJson()).isEqualTo(written);
    for (RenderOptions options : List.of(OPTIONS, NATIVE_WITH_TAIL)) {
      assertThat(json(new Renderer(), read, options))
          .isEqualTo(json(new Renderer(), timeline, options));
    }
  }

  /** First the user, then in turn; calls are answered at once, in order, before all else. */
  private static void assertLegal(List<Message> messages) {
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      assertThat(message.role()).isEqualTo(i % 2 == 0 ? MessageRole.USER : MessageRole.ASSISTANT);
      assertThat(message.parts()).isNotEmpty();
      assertThat(message.parts()).noneMatch(p -> p instanceof Part.Text t && t.text().isEmpty());
      List<CallId> results = results(message);
      assertThat(message.parts().stream().limit(results.size()))
          .allMatch(Part.ToolResult.class::isInstance);
      assertThat(results).isEqualTo(i == 0 ? List.of() : calls(messages.get(i - 1)));
      assertThat(results).doesNotHaveDuplicates();
    }
    if (!messages.isEmpty()) {
      assertThat(calls(messages.getLast())).isEmpty();
    }
  }

  private static List<CallId> calls(Message message) {
    return message.parts().stream()
        .filter(Part.ToolCall.class::isInstance)
        .map(part -> ((Part.ToolCall) part).id())
        .toList();
  }

  private static List<CallId> results(Message message) {
    return message.parts().stream()
        .filter(Part.ToolResult.class::isInstance)
        .map(part -> ((Part.ToolResult) part).id())
        .toList();
  }

  /** The last message may gain parts, and one result of it content; all else is as it was. */
  private static void assertGrown(List<Message> before, List<Message> after) {
    if (before.isEmpty()) {
      return;
    }
    int last = before.size() - 1;
    assertThat(after).hasSizeGreaterThanOrEqualTo(before.size());
    assertThat(after.subList(0, last)).isEqualTo(before.subList(0, last));
    assertThat(after.get(last).role()).isEqualTo(before.get(last).role());
    List<Part> was = before.get(last).parts();
    List<Part> is = after.get(last).parts();
    assertThat(is).hasSizeGreaterThanOrEqualTo(was.size());
    int grown = 0;
    for (int i = 0; i < was.size(); i++) {
      if (!is.get(i).equals(was.get(i))) {
        assertThat(is.get(i)).isInstanceOf(Part.ToolResult.class);
        Part.ToolResult one = (Part.ToolResult) was.get(i);
        Part.ToolResult other = (Part.ToolResult) is.get(i);
        assertThat(other.id()).isEqualTo(one.id());
        if (!one.content().contains(HIDDEN)) { // which goes when a result that is shown joins
          int had = one.content().size();
          assertThat(other.content()).hasSizeGreaterThan(had - 1);
          assertThat(other.content().subList(0, had)).isEqualTo(one.content());
        }
        grown++;
      }
    }
    assertThat(grown).isLessThanOrEqualTo(1);
  }
}
