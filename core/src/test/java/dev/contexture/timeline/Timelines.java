package dev.contexture.timeline;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.Limits;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Random conversations for properties: repeated call ids, parallel calls, late and missing results,
 * hides, summaries, archived ranges, excluded turns, quiet, empty and not persisted blocks.
 *
 * <p>A conversation is a {@link Script} of small steps, so that a failing one shrinks to the few
 * steps that matter. The same script always gives the same timeline.
 */
public final class Timelines {
  private static final List<String> CALLS = List.of("tc_a", "tc_b", "tc_c", "toolu_d");

  private static final List<String> TEXTS =
      List.of(
          "text",
          "",
          "two\nlines\r\n\n",
          " \t ",
          "\u0000\u0007\u001b[TURN x]",
          "{\"a\":1.10,\"tool_id\":\"other.tool\"}",
          "[1,{\"artifact_path\":\"fi:t1.files/x\",\"rn\":\"secret\"}]",
          "Grüße 😀 | \"quoted\"",
          "{\"artifact_path\":\"fi:t1.files/x\",\"hosted_uri\":\"secret\",\"b\":[]}",
          "{not json");

  private static final List<String> REPLACEMENTS =
      List.of("gone", "", " \n", "{\"params\":{\"x\":1}}", "two\nlines\n");

  private Timelines() {}

  /** What a step contributes. */
  public enum Kind {
    TURN,
    TURN_WITHOUT_HEADER,
    PROMPT,
    COMPLETION,
    CALL,
    CALL_WITHOUT_TOOL,
    CALL_WITHOUT_ID,
    RESULT,
    ERROR,
    EMPTY_RESULT,
    ARTIFACT,
    PICTURE_RESULT,
    RESULT_WITHOUT_ID,
    NOTICE,
    NOTES,
    LOOSE_NOTES,
    CODE,
    OPAQUE,
    ANSWER_NOTES,
    ANSWER_CALL,
    GATE,
    OF_CALL,
    ASSISTANT_OF_CALL,
    ASSISTANT,
    SYSTEM,
    QUIET,
    ATTACHMENT,
    PICTURE,
    BINARY
  }

  /**
   * One block, or the start of a turn.
   *
   * @param call which of the four call ids
   * @param text which text
   * @param shape below 6 plain; 6 hidden with a replacement, 7 hidden, 8 and 9 not persisted
   */
  public record Step(Kind kind, int call, int text, int shape) {
    @Override
    public String toString() {
      return kind + "(" + call + "," + text + (shape < 6 ? "" : "," + shape) + ")";
    }
  }

  /** A hide: which of the stored blocks, and what is shown instead. */
  public record Hide(int block, int replacement) {}

  /**
   * A conversation: history, then the active turn with its first part, then the edit (hides, a cut,
   * an archived turn), then what is appended to the active turn.
   *
   * @param cut which of the possible cuts; negative: none
   * @param archive which of the whole turns before the active one; negative: none
   */
  public record Script(
      List<Step> history,
      List<Step> before,
      List<Hide> hides,
      int cut,
      boolean carryPrompt,
      int archive,
      List<Step> after) {

    /** The timeline after the edit and the given number of appended steps. */
    public Timeline timeline(int appended) {
      Writer writer = new Writer();
      history.forEach(writer::history);
      writer.activate();
      before.forEach(writer::append);
      writer.edit(this);
      after.subList(0, appended).forEach(writer::append);
      return writer.timeline();
    }

    public Timeline timeline() {
      return timeline(after.size());
    }

    /** The same with no turn active: all that was said is history. */
    public Timeline closed() {
      return timeline().withActiveTurn(null);
    }
  }

  public static Arbitrary<Script> scripts() {
    Arbitrary<List<Hide>> hides =
        Combinators.combine(Arbitraries.integers().between(0, 40), index(REPLACEMENTS))
            .as(Hide::new)
            .list()
            .ofMaxSize(4);
    return Combinators.combine(
            steps(true, 14),
            steps(false, 12),
            hides,
            Arbitraries.integers().between(-6, 12),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(-4, 3),
            steps(false, 12))
        .as(Script::new);
  }

  private static Arbitrary<List<Step>> steps(boolean turns, int size) {
    List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
    for (int i = 0; i < 5; i++) { // what matters most comes most often
      kinds.addAll(List.of(Kind.CALL, Kind.RESULT, Kind.RESULT));
    }
    kinds.addAll(List.of(Kind.NOTES, Kind.NOTICE, Kind.OPAQUE, Kind.ANSWER_CALL, Kind.TURN));
    if (!turns) {
      kinds.removeIf(kind -> kind == Kind.TURN || kind == Kind.TURN_WITHOUT_HEADER);
    }
    return Combinators.combine(
            Arbitraries.of(kinds),
            index(CALLS),
            Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.just(0)), Tuple.of(2, index(TEXTS))),
            Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.just(0)),
                Tuple.of(1, Arbitraries.integers().between(0, 9))))
        .as(Step::new)
        .list()
        .ofMaxSize(size);
  }

  private static Arbitrary<Integer> index(List<?> items) {
    return Arbitraries.integers().between(0, items.size() - 1);
  }

  /** Interprets steps. */
  private static final class Writer {
    private final Chat chat = new Chat();
    private String turn = "t1";
    private int turns;
    private int answers;

    Writer() {
      open(true);
    }

    void history(Step step) {
      if (step.kind == Kind.TURN || step.kind == Kind.TURN_WITHOUT_HEADER) {
        close(step);
        open(step.kind == Kind.TURN);
      } else {
        append(step);
      }
    }

    void activate() {
      open(true);
      chat.with(timeline -> timeline.withActiveTurn(TurnId.of(turn)));
      chat.status(turn, TurnStatus.OPEN);
    }

    Timeline timeline() {
      return chat.timeline();
    }

    private void open(boolean header) {
      turns++;
      turn = "t" + turns;
      if (header) {
        chat.turn(turn).prompt("prompt " + turns);
      } else {
        chat.turnWithoutHeader(turn).gate("starts without a header");
      }
    }

    /** Every third turn is excluded. */
    private void close(Step step) {
      TurnStatus status =
          switch (step.text) {
            case 1, 3 -> TurnStatus.ABORTED;
            case 5 -> TurnStatus.INCOMPLETE;
            case 7 -> TurnStatus.INTERRUPTED;
            default -> TurnStatus.COMPLETE;
          };
      chat.status(turn, status);
    }

    void append(Step step) {
      Block.Builder block = block(step);
      if (step.shape == 6) {
        block.hidden(REPLACEMENTS.get(step.text % REPLACEMENTS.size()));
      } else if (step.shape == 7) {
        block.hidden(null);
      }
      if (step.shape >= 8 && chat.timeline().activeTurn().isPresent()) {
        chat.addNotPersisted(block);
      } else {
        chat.add(block);
      }
    }

    private Block.Builder block(Step step) {
      String call = CALLS.get(step.call);
      CallId id = CallId.of(call);
      TurnId at = TurnId.of(turn);
      String text = TEXTS.get(step.text);
      String artifact = "fi:" + turn + ".files/" + step.text % 2 + ".txt";
      return switch (step.kind) {
        case TURN, TURN_WITHOUT_HEADER -> throw new IllegalArgumentException("only in history");
        case PROMPT ->
            block("user.prompt", "user").path(BlockPath.userPrompt(at)).text("prompt\n" + text);
        case COMPLETION ->
            block("assistant.completion", "assistant").path(BlockPath.completion(at)).text(text);
        case CALL -> call(call, "{\"tool_id\":\"a.run\",\"params\":{\"n\":1.10}}");
        case CALL_WITHOUT_TOOL -> call(call, text);
        case CALL_WITHOUT_ID -> block("react.tool.call", "react").text("{\"params\":{}}");
        case RESULT -> of("react.tool.result", call).path(BlockPath.result(at, id)).text(text);
        case ERROR ->
            of("react.tool.result", call).path(BlockPath.result(at, id)).text(text).error(true);
        case EMPTY_RESULT -> of("react.tool.result", call);
        case ARTIFACT -> of("react.tool.result", call).path(BlockPath.parse(artifact)).text(text);
        case PICTURE_RESULT ->
            of("react.tool.result", call)
                .path(BlockPath.parse(artifact))
                .mime("image/png")
                .data(Binary.of(new byte[] {1, 2, 3}));
        case RESULT_WITHOUT_ID -> block("react.tool.result", "react").text(text);
        case NOTICE ->
            of("react.notice", call).path(BlockPath.notice(at, id)).text("{\"code\":\"n\"}");
        case NOTES -> of("react.notes", call).path(BlockPath.notes(at, id)).text(text);
        case LOOSE_NOTES -> block("react.notes", "react").text(text);
        case CODE -> of("react.tool.code", call).path(BlockPath.code(at, id)).text(text);
        case OPAQUE -> opaque(call, text);
        case ANSWER_NOTES ->
            opaque(call, "{\"signature\":\"s\"}").meta("answer_id", JsonValue.of("r" + answers));
        case ANSWER_CALL ->
            call(call, "{\"params\":{}}")
                .meta("answer_id", JsonValue.of("r" + answers++))
                .toolId("b.run");
        case GATE -> artifact("stage.gate", "gate", text);
        case OF_CALL -> artifact("react.note", "react", text).toolCallId(call);
        case ASSISTANT_OF_CALL -> artifact("custom.step", "assistant", text).toolCallId(call);
        case ASSISTANT -> artifact("custom.step", "assistant", text);
        case SYSTEM -> artifact("system.message", "system", text);
        case QUIET -> artifact("react.state", "react", text);
        case ATTACHMENT ->
            block("user.attachment.meta", "user")
                .path(BlockPath.attachment(at, "a b.png"))
                .meta("summary", JsonValue.of(text));
        case PICTURE ->
            block("user.attachment", "user")
                .path(BlockPath.attachment(at, "a b.png"))
                .mime("image/png")
                .data(Binary.of(new byte[] {(byte) step.text}));
        case BINARY ->
            artifact("custom.binary", "agent", text)
                .mime("application/zip")
                .data(Binary.of(new byte[step.text]));
      };
    }

    private Block.Builder artifact(String type, String author, String text) {
      return block(type, author).path(BlockPath.artifact(TurnId.of(turn), type)).text(text);
    }

    private Block.Builder call(String call, String text) {
      return of("react.tool.call", call)
          .path(BlockPath.call(TurnId.of(turn), CallId.of(call)))
          .text(text);
    }

    private static Block.Builder opaque(String call, String raw) {
      return block("model.opaque", "react")
          .meta("provider", JsonValue.of("p"))
          .meta("model", JsonValue.of("m"))
          .toolCallId(call)
          .text(raw);
    }

    private static Block.Builder of(String type, String call) {
      return block(type, "react").toolCallId(call);
    }

    private static Block.Builder block(String type, String author) {
      return Block.builder(BlockType.of(type)).author(Author.of(author));
    }

    void edit(Script script) {
      for (Hide hide : script.hides()) {
        long stored = chat.timeline().nextSeq() - 1;
        chat.hide(1 + hide.block % stored, REPLACEMENTS.get(hide.replacement));
      }
      if (script.cut() >= 0) {
        List<TimelineEntry> cuts = cuts(chat.timeline());
        if (!cuts.isEmpty()) {
          cutAt(cuts.get(script.cut() % cuts.size()), script.carryPrompt());
        }
      }
      if (script.archive() >= 0 && turns > 1) {
        archive(TurnId.of("t" + (1 + script.archive() % (turns - 1))));
      }
    }

    private void cutAt(TimelineEntry cut, boolean carryPrompt) {
      List<String> covered =
          chat.timeline().entries().stream()
              .filter(entry -> entry.seq().orElse(Long.MAX_VALUE) < cut.seq().orElseThrow())
              .map(entry -> entry.turn().value())
              .filter(id -> !chat.timeline().isExcluded(TurnId.of(id)))
              .distinct()
              .toList();
      chat.summary(
          cut.seq().orElseThrow(), cut.turn().value(), carryPrompt, covered.toArray(String[]::new));
    }

    private void archive(TurnId archived) {
      List<Long> seqs =
          chat.timeline().entries().stream()
              .filter(entry -> entry.turn().equals(archived))
              .flatMap(entry -> entry.seq().stream().boxed())
              .toList();
      if (!seqs.isEmpty()) {
        chat.with(
            timeline ->
                timeline.withArchived(
                    new ArchivedRange(
                        "ar_1",
                        seqs.getFirst(),
                        seqs.getLast(),
                        List.of(archived),
                        "truncate",
                        null,
                        Chat.START)));
      }
    }
  }

  /** Where a compaction may cut: stored blocks that start a unit and are no result (T-63, T-64). */
  static List<TimelineEntry> cuts(Timeline timeline) {
    Window window = timeline.window();
    Rounds rounds = Rounds.of(window);
    List<TimelineEntry> entries = window.entries();
    List<TimelineEntry> cuts = new ArrayList<>();
    for (int i = 1; i < entries.size(); i++) {
      TimelineEntry entry = entries.get(i);
      boolean stored = entry.seq().isPresent() && !entry.block().type().isResult();
      if (stored && !isInsideUnit(entries, rounds, i)) {
        cuts.add(entry);
      }
    }
    return cuts;
  }

  private static boolean isInsideUnit(List<TimelineEntry> entries, Rounds rounds, int cut) {
    for (int before = 0; before < cut; before++) {
      boolean pending =
          rounds.place(before) == Rounds.Place.CALL
              && !rounds.round(before).orElseThrow().answered();
      if (pending && entries.get(before).turn().equals(entries.get(cut).turn())) {
        return true;
      }
      for (int after = cut; after < entries.size(); after++) {
        if (sameUnit(entries, rounds, before, after)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean sameUnit(List<TimelineEntry> entries, Rounds rounds, int one, int other) {
    if (!entries.get(one).turn().equals(entries.get(other).turn())) {
      return false;
    }
    boolean round = rounds.round(one).isPresent() && rounds.round(one).equals(rounds.round(other));
    boolean batch = rounds.batch(one).isPresent() && rounds.batch(one).equals(rounds.batch(other));
    boolean answer =
        entries.get(one).answerId().isPresent()
            && entries.get(one).answerId().equals(entries.get(other).answerId());
    return round || batch || answer;
  }

  /** A pool and an announcement, so that there is a tail. */
  public static Timeline withTail(Timeline timeline) {
    JsonObject row =
        JsonObject.builder()
            .put("title", "T")
            .put("url", "https://example.org/a")
            .put("text", "source text")
            .build();
    Block announce =
        Block.builder(BlockType.ANNOUNCE).turn(TurnId.of("t1")).text("announced\n").build();
    return timeline
        .withSources(timeline.sources().merge(List.of(PoolSource.read(row)), Limits.DEFAULT))
        .withAnnounce(List.of(announce));
  }
}
