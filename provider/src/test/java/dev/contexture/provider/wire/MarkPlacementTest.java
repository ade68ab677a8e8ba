package dev.contexture.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.CallId;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelRef;
import dev.contexture.prompt.SystemPart;
import dev.contexture.provider.Requests;
import dev.contexture.provider.TestFormats;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.Message;
import dev.contexture.request.CachePolicy;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.LedgerView;
import dev.contexture.request.Mark;
import dev.contexture.request.Origin;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** P-20 to P-34: which blocks are marked. */
class MarkPlacementTest {
  private static final ModelRef OPUS = new ModelRef("anthropic", "claude-opus-5");
  private static final ModelRef TERRA = new ModelRef("openai", "gpt-5.6-terra");

  private static List<Message> messages(int count) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      MessageRole role = i % 2 == 0 ? MessageRole.USER : MessageRole.ASSISTANT;
      messages.add(new Message(role, List.of(new Part.Text("message " + i))));
    }
    return messages;
  }

  private static RequestInput.Builder input(ModelRef model, List<Message> messages) {
    int end = messages.size() - 1;
    return RequestInput.builder(model, 100)
        .system(List.of(SystemPart.of("You are Atlas.")))
        .messages(messages)
        .points(List.of(new PointPlace(Point.TAIL, end, messages.get(end).parts().size() - 1)));
  }

  private static ProviderRequest write(RequestInput input) {
    TestFormats formats = TestFormats.of(ModelCatalogue.shipped());
    String format =
        input.model().provider().equals("openai") ? "openai-chat" : "anthropic-messages";
    return formats.named(format).orElseThrow().write(input);
  }

  private static LedgerView after(ProviderRequest request) {
    List<LedgerBlock> blocks = new ArrayList<>();
    List<Integer> marks = new ArrayList<>();
    for (RequestBlock block : request.blocks()) {
      if (block.mark().isPresent()) {
        marks.add(blocks.size());
      }
      blocks.add(LedgerBlock.of(request.body(), block, 1, Origin.host("test")));
    }
    return new LedgerView(blocks, marks, true);
  }

  private static List<String> marks(ProviderRequest request) {
    return request.marks().stream().map(mark -> mark.point() + " " + mark.pointer()).toList();
  }

  @Nested
  class Anchors {
    /** P-25: 19 positions further the tail finds it, 20 further it has to be marked again. */
    @Test
    void theLastTailIsMarkedAgainWhereNothingFindsIt() {
      ProviderRequest first = write(input(OPUS, messages(3)).build());
      assertThat(marks(first)).containsExactly("SYSTEM /system/0", "TAIL /messages/2/content/0");
      LedgerView last = after(first);
      ProviderRequest near = write(input(OPUS, messages(22)).last(last).build());
      assertThat(marks(near)).containsExactly("SYSTEM /system/0", "TAIL /messages/21/content/0");
      ProviderRequest far = write(input(OPUS, messages(23)).last(last).build());
      assertThat(marks(far))
          .containsExactly(
              "SYSTEM /system/0", "ANCHOR /messages/2/content/0", "TAIL /messages/22/content/0");
    }

    /** A run of calls, or of results, is one position. */
    @Test
    void runsOfCallsAreOnePosition() {
      List<Message> start = messages(3);
      LedgerView last = after(write(input(OPUS, start).build()));
      List<Message> next = new ArrayList<>(start);
      List<Part> calls = new ArrayList<>();
      List<Part> results = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        CallId id = CallId.of("c" + i);
        calls.add(new Part.ToolCall(id, null, "t", "{}"));
        results.add(new Part.ToolResult(id, null, false, List.of(new Part.Text("r" + i))));
      }
      next.add(new Message(MessageRole.ASSISTANT, calls));
      next.add(new Message(MessageRole.USER, results));
      assertThat(marks(write(input(OPUS, next).last(last).build())))
          .containsExactly("SYSTEM /system/0", "TAIL /messages/4/content/11");
    }

    @Test
    void whatIsGoneOrChangedIsNoAnchor() {
      LedgerView last = after(write(input(OPUS, messages(3)).build()));
      LedgerView expired = new LedgerView(last.blocks(), last.marks(), false);
      assertThat(marks(write(input(OPUS, messages(40)).last(expired).build())))
          .containsExactly("SYSTEM /system/0", "TAIL /messages/39/content/0");
      List<Message> changed = messages(40);
      changed.set(1, new Message(MessageRole.ASSISTANT, List.of(new Part.Text("another"))));
      ProviderRequest request = write(input(OPUS, changed).last(last).build());
      assertThat(request.shared()).isEqualTo(2);
      assertThat(marks(request)).containsExactly("SYSTEM /system/0", "TAIL /messages/39/content/0");
    }

    /** P-25: without a ledger marks are set at steps that a read surely reaches. */
    @Test
    void withoutALedgerThereAreSteps() {
      assertThat(marks(write(input(OPUS, messages(41)).build())))
          .containsExactly(
              "SYSTEM /system/0",
              "ANCHOR /messages/10/content/0",
              "ANCHOR /messages/25/content/0",
              "TAIL /messages/40/content/0");
    }
  }

  @Nested
  class Intents {
    @Test
    void aSingleQuestionCachesTheSystemOnly() {
      CachePolicy once = CachePolicy.DEFAULT.withIntent(CachePolicy.Intent.ONE_SHOT);
      assertThat(marks(write(input(OPUS, messages(3)).cache(once).build())))
          .containsExactly("SYSTEM /system/0");
    }

    @Test
    void theLastOfItsKindReadsAndWritesNothingNew() {
      LedgerView last = after(write(input(OPUS, messages(3)).build()));
      CachePolicy ending = CachePolicy.DEFAULT.withIntent(CachePolicy.Intent.LAST);
      assertThat(marks(write(input(OPUS, messages(5)).cache(ending).last(last).build())))
          .containsExactly("ANCHOR /system/0", "ANCHOR /messages/2/content/0");
    }

    /** P-26, V22: a longer life never follows a shorter one. */
    @Test
    void aLongerLifeCoversWhatStandsBefore() {
      CachePolicy slow =
          CachePolicy.DEFAULT.withLives(CachePolicy.Life.SHORT, CachePolicy.Life.LONG);
      ProviderRequest request = write(input(OPUS, messages(3)).cache(slow).build());
      assertThat(request.blocks().stream().flatMap(block -> block.mark().stream()))
          .containsExactly("1h", "1h");
      CachePolicy shared =
          CachePolicy.DEFAULT.withLives(CachePolicy.Life.LONG, CachePolicy.Life.SHORT);
      assertThat(
              write(input(OPUS, messages(3)).cache(shared).build()).blocks().stream()
                  .flatMap(block -> block.mark().stream()))
          .containsExactly("1h", "5m");
    }
  }

  /** P-32: only where the model knows it and the host asks. */
  @Test
  void asksForADayWhereThatIsKnown() {
    CachePolicy day = CachePolicy.DEFAULT.withExtendedRetention(true);
    String retention = "\"prompt_cache_retention\":\"24h\"";
    ModelRef older = new ModelRef("openai", "gpt-5.1");
    assertThat(keeping(input(older, messages(1)).cache(day).build())).contains(retention);
    assertThat(keeping(input(older, messages(1)).build())).doesNotContain(retention);
    assertThat(keeping(input(TERRA, messages(1)).cache(day).build()))
        .as("conflicts with the options of breakpoints (V28)")
        .doesNotContain(retention);
    assertThat(write(input(older, messages(1)).cache(day).build()).body().text())
        .as("the catalogue does not know whether the model can")
        .doesNotContain(retention);
  }

  /** The body for a model that can keep its cache for longer. */
  private static String keeping(RequestInput input) {
    return TestFormats.of(Requests.profilesWith(ModelFlag.EXTENDED_RETENTION))
        .named("openai-chat")
        .orElseThrow()
        .write(input)
        .body()
        .text();
  }

  @Nested
  class StickyMarks {
    /** P-34: a mark that is read only in place stays. */
    @Test
    void whatWasMarkedStaysMarked() {
      List<Message> start = messages(5);
      RequestInput.Builder first = input(TERRA, start).volatileParts(0);
      first.points(List.of(new PointPlace(Point.PREV_TURN, 2, 0)));
      LedgerView last = after(write(first.build()));
      assertThat(last.marks()).hasSize(2);
      List<Message> grown = messages(9);
      ProviderRequest next =
          write(
              input(TERRA, grown)
                  .points(List.of(new PointPlace(Point.PREV_TURN, 6, 0)))
                  .last(last)
                  .build());
      assertThat(next.marks())
          .extracting(Mark::pointer)
          .containsExactly(
              "/messages/0/content/0", "/messages/3/content/0", "/messages/7/content/0");
    }
  }

  /** P-30: the mark of the previous turn stands before thinking that the provider takes out. */
  @Test
  void marksBeforeThinkingThatIsTakenOut() {
    ModelRef opus = new ModelRef("anthropic", "claude-opus-4-1");
    String thinking = "{\"type\":\"thinking\",\"thinking\":\"t\",\"signature\":\"s\"}";
    List<Message> messages =
        List.of(
            Requests.user(Requests.text("q")),
            Requests.assistant(
                new Part.Opaque("anthropic", opus.model(), "thinking", thinking),
                Requests.text("a")),
            Requests.user(Requests.text("q2")));
    RequestInput input =
        RequestInput.builder(opus, 100)
            .messages(messages)
            .points(
                List.of(new PointPlace(Point.PREV_TURN, 1, 1), new PointPlace(Point.TAIL, 2, 0)))
            .build();
    ProviderRequest request = write(input);
    assertThat(marks(request))
        .containsExactly("PREV_TURN /messages/0/content/0", "TAIL /messages/2/content/0");
    assertThat(request.findings()).anyMatch(found -> found.code().equals("thinking_stripped"));
  }
}
