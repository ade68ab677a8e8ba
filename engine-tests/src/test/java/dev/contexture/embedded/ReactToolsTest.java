package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.StoredBlock;
import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.TurnSettings;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Dialect;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The tools for one's own conversation: T-101 to T-105, timeline checklist 67 and 68. */
class ReactToolsTest extends ToolFixture {
  private static final TurnId T1 = TurnId.of("t1");
  private ContextBrowser chat;
  private Turn turn;
  private AgentTools tools;

  @BeforeEach
  void start() {
    chat = engine.browser(SHOP.user("u1").conversation("c1"));
    turn = chat.startTurn(TurnStart.prompt("go").id(T1).agent("atlas"));
    tools = engine.agentTools(chat, "atlas");
  }

  private void note(String name, String text) {
    turn.contribute(
        Block.builder(BlockType.REACT_NOTE).path(BlockPath.artifact(T1, name)).text(text));
  }

  private void hiddenNote(String name, String text) {
    turn.contribute(
        Block.builder(BlockType.REACT_NOTE)
            .path(BlockPath.artifact(T1, name))
            .hidden("gone")
            .text(text));
  }

  private List<StoredBlock> perform(String tool, String params) {
    return tools.perform(tool, (JsonObject) JsonValue.parse(params.replace('\'', '"')), null);
  }

  private static JsonObject status(List<StoredBlock> round) {
    return round.stream()
        .map(StoredBlock::block)
        .filter(block -> block.type().isResult())
        .map(block -> (JsonObject) JsonValue.parse(block.text().orElseThrow()))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> types(List<StoredBlock> round) {
    return round.stream().map(stored -> stored.block().type().name()).toList();
  }

  private static JsonObject row(ToolAnswer answer, int index) {
    return rows(answer.json(), "paths").get(index);
  }

  private static ResultPart.Artifact artifact(ToolAnswer answer, int index) {
    return answer.parts().stream()
        .filter(ResultPart.Artifact.class::isInstance)
        .map(ResultPart.Artifact.class::cast)
        .toList()
        .get(index);
  }

  private static String notice(ToolAnswer answer) {
    return answer.parts().getFirst() instanceof ResultPart.Notice notice
        ? notice.value().string("code").orElseThrow()
        : "none";
  }

  @Nested
  class Reads {
    @Test
    void isOneRoundStatusFirst() { // T-101, T-102
      note("n", "a note");
      turn.hide(BlockPath.artifact(T1, "n"), "gone");
      List<StoredBlock> round = perform("react.read", "{'paths':['ar:t1.n','ar:t1.none','junk']}");
      assertThat(types(round))
          .containsExactly(
              "react.tool.call", "react.notice", "react.tool.result", "react.tool.result");
      JsonObject status = status(round);
      assertThat(status.keys())
          .containsExactly(
              "tool_id",
              "tool_call_id",
              "paths",
              "total_tokens",
              "missing",
              "exists_in_visible_context");
      assertThat(status.string("tool_call_id"))
          .contains(round.getFirst().block().toolCallId().orElseThrow().value());
      assertThat(rows(status, "paths"))
          .extracting(row -> row.string("status").orElseThrow())
          .containsExactly("ok", "missing", "missing");
      assertThat(status.array("missing").orElseThrow().toJson())
          .isEqualTo("[\"junk\",\"ar:t1.none\"]");
      assertThat(round.get(1).block().text().orElseThrow()).contains("read_paths_missing");
      Block shown = round.getLast().block();
      assertThat(shown.path()).contains(BlockPath.artifact(T1, "n"));
      assertThat(shown.text()).contains("a note");
      RenderOptions asNative = RenderOptions.defaults().withDialect(Dialect.NATIVE);
      assertThat(chat.render(asNative).messages().toString())
          .contains("a note", "gone", "read_paths_missing");
    }

    @Test
    void whatIsVisibleIsNotRepeated() { // T-103
      note("n", "a note");
      String read = "{'paths':['ar:t1.n']}";
      ToolAnswer first = run(tools, "react.read", read);
      assertThat(row(first, 0).string("status")).contains("exists");
      assertThat(first.json().array("exists_in_visible_context").orElseThrow().toJson())
          .isEqualTo("[\"ar:t1.n\"]");
      assertThat(first.parts()).hasSize(1);
      turn.hide(BlockPath.artifact(T1, "n"), "gone");
      perform("react.read", read); // a fresh copy; the old block stays hidden
      assertThat(row(run(tools, "react.read", read), 0).string("status")).contains("exists");
      assertThat(chat.render(RenderOptions.defaults()).text()).contains("gone", "a note");
      ToolAnswer ranged = run(tools, "react.read", "{'paths':[{'path':'ar:t1.n','limit':3}]}");
      assertThat(row(ranged, 0).string("status")).contains("ok");
      assertThat(artifact(ranged, 0).text()).isEqualTo("a n");
      ToolAnswer twice = run(tools, "react.read", "{'paths':['ar:t1.user.prompt','ar:t1.n']}");
      assertThat(row(twice, 0).string("status")).contains("exists");
    }

    @Test
    void aLongTextComesInParts() { // T-102: 48,000 chars, and a share of the budget
      String text = "0123456789 ".repeat(5_000);
      hiddenNote("long", text);
      AgentTools roomy = tools.withMaxTokens(1_000_000);
      ToolAnswer first = run(roomy, "react.read", "{'paths':['ar:t1.long']}");
      assertThat(row(first, 0).string("status")).contains("truncated");
      assertThat(number(row(first, 0), "total_chars")).isEqualTo(text.length());
      assertThat(number(row(first, 0), "tokens")).isLessThanOrEqualTo(12_000);
      long next = number(row(first, 0), "next_offset");
      assertThat(artifact(first, 0).text()).isEqualTo(text.substring(0, (int) next));
      AgentTools middling = tools.withMaxTokens(25_000);
      ToolAnswer middle = run(middling, "react.read", "{'paths':['ar:t1.long']}");
      assertThat(number(row(middle, 0), "tokens")).isBetween(3_990L, 4_000L);
      AgentTools tight = tools.withMaxTokens(6_000);
      ToolAnswer small = run(tight, "react.read", "{'paths':['ar:t1.long']}");
      assertThat(number(row(small, 0), "tokens")).as("a sixth").isBetween(990L, 1_000L);
      perform("react.read", "{'paths':['ar:t1.long']}"); // a stored part is no version of the path
      ToolAnswer rest =
          run(
              roomy,
              "react.read",
              "{'paths':[{'path':'ar:t1.long','offset':" + (text.length() - 5) + "}]}");
      assertThat(artifact(rest, 0).text()).isEqualTo("6789 ");
      assertThat(row(rest, 0).has("next_offset")).isFalse();
      assertThat(chat.resolve(BlockPath.artifact(T1, "long"), false).orElseThrow().text())
          .contains(text);
      String chars = "😀".repeat(50_000);
      hiddenNote("emoji", chars);
      ToolAnswer cut =
          run(roomy, "react.read", "{'paths':[{'path':'ar:t1.emoji','offset':49999}]}");
      assertThat(artifact(cut, 0).text()).isEqualTo("😀");
    }

    @Test
    void readsResultsSourcesAndBinaries() { // T-102
      perform("react.hide", "{'path':'ar:t1.none'}");
      turn.contribute(
          Block.builder(BlockType.REACT_TOOL_CALL)
              .toolCallId("tc_w")
              .path(BlockPath.parse("tc:t1.tc_w.call"))
              .text("{\"tool_id\":\"web\",\"tool_call_id\":\"tc_w\",\"params\":{}}"));
      turn.contribute(List.of(result("one"), result("two")), true, OptionalLong.empty());
      ToolAnswer both = run(tools, "react.read", "{'paths':['tc:t1.tc_w.result']}");
      assertThat(artifact(both, 0).text()).isEqualTo("one\n\ntwo");
      perform("react.read", "{'paths':['tc:t1.tc_w.result']}");
      assertThat(
              row(run(tools, "react.read", "{'paths':['tc:t1.tc_w.result']}"), 0).string("status"))
          .contains("exists"); // the copy is seen, and not joined again
      chat.mergeSources(
          List.of(PoolSource.read(JsonObject.of("url", JsonValue.of("https://a.example")))));
      ToolAnswer sources = run(tools, "react.read", "{'paths':['so:sources_pool[1]']}");
      assertThat(artifact(sources, 0).text()).contains("https://a.example", "\"sid\":1");
      Binary zip = Binary.of(new byte[] {1, 2, 3});
      Binary png = Binary.ofBase64("iVBORw0KGgo=");
      contributeFile("a.zip", "application/zip", zip);
      contributeFile("b.png", "image/png", png);
      ToolAnswer binaries =
          run(
              tools,
              "react.read",
              "{'paths':['fi:t1.files/a.zip',{'path':'fi:t1.files/b.png','offset':0}]}");
      assertThat(artifact(binaries, 0).data()).isNull();
      assertThat(artifact(binaries, 0).text()).contains(zip.sha256(), "\"size_bytes\":3");
      assertThat(artifact(binaries, 1).data()).isEqualTo(png);
    }

    private Block.Builder result(String text) {
      return Block.builder(BlockType.REACT_TOOL_RESULT)
          .toolCallId("tc_w")
          .path(BlockPath.parse("tc:t1.tc_w.result"))
          .text(text);
    }

    private void contributeFile(String name, String mime, Binary data) {
      turn.contribute(
          Block.builder(BlockType.REACT_TOOL_RESULT)
              .toolCallId("tc_w")
              .path(BlockPath.file(T1, name))
              .mime(mime)
              .data(data));
    }

    @Test
    void wrongParametersAreATypedStatus() { // T-100, T-101
      for (String wrong :
          List.of(
              "{}",
              "{'paths':[]}",
              "{'paths':'ar:t1.n'}",
              "{'paths':[7]}",
              "{'paths':[{'path':'ar:t1.n','offset':-1}]}",
              "{'paths':[{'path':'ar:t1.n','limit':0}]}",
              "{'paths':[{'pth':'ar:t1.n'}]}",
              "{'path':'ar:t1.n'}",
              "{'paths':[" + "'ar:t1.n',".repeat(20) + "'ar:t1.n']}")) {
        ToolAnswer answer = run(tools, "react.read", wrong);
        assertThat(answer.error()).as(wrong).isTrue();
        assertThat(answer.json().object("error").orElseThrow().string("code"))
            .contains("invalid_argument");
      }
      turn.finish("done");
      ToolAnswer closed = run(tools, "react.read", "{'paths':['ar:t1.n']}");
      assertThat(closed.json().object("error").orElseThrow().string("code"))
          .contains("no_active_turn");
    }
  }

  @Nested
  class Hides {
    @Test
    void addsItsHintOnce() { // T-104
      note("a", "first note");
      JsonObject hidden = status(perform("react.hide", "{'path':'ar:t1.a'}"));
      assertThat(hidden.string("status")).contains("ok");
      assertThat(hidden.keys())
          .contains("path", "blocks_hidden", "tokens_hidden", "tail_tokens", "tail_limit");
      note("b", "second note");
      run(tools, "react.hide", "{'path':'ar:t1.b','replacement':'Short. react.read it.'}");
      note("c", "third note");
      run(tools, "react.hide", "{'path':'ar:t1.c','replacement':'Nothing new.'}");
      assertThat(chat.render(RenderOptions.defaults()).text())
          .contains("Hidden. Re-read: react.read ar:t1.a")
          .contains("Short. react.read it.\n")
          .contains("Nothing new. Re-read: react.read ar:t1.c")
          .doesNotContain("first note", "second note", "third note");
    }

    @Test
    void tellsWhyItDoesNot() { // T-104, T-48
      ToolAnswer missing = run(tools, "react.hide", "{'path':'ar:t1.none'}");
      assertThat(missing.json().string("status")).contains("not_found");
      assertThat(missing.error()).isFalse();
      assertThat(run(tools, "react.hide", "{'path':'ar:t1.turn.header'}").json().string("status"))
          .contains("not_found");
      note("old", "old note");
      note("big", "word ".repeat(3_000));
      ToolAnswer old = run(tools, "react.hide", "{'path':'ar:t1.old'}");
      assertThat(old.json().string("status")).contains("too_old");
      assertThat(notice(old)).startsWith("hide_");
      ToolAnswer broken = run(tools, "react.hide", "{'path':'nonsense'}");
      assertThat(broken.error()).isTrue();
      assertThat(notice(broken)).isEqualTo("hide_failed");
      ToolAnswer tooLong =
          run(
              tools,
              "react.hide",
              "{'path':'ar:t1.big','replacement':'" + "x".repeat(4_001) + "'}");
      assertThat(tooLong.json().object("error").orElseThrow().string("code"))
          .contains("replacement_too_long");
    }
  }

  @Nested
  class Memsearch {
    @BeforeEach
    void talk() {
      turn.finish("hello");
      said("a", "the violet umbrella", "an umbrella, indeed");
      clock.advance(Duration.ofDays(7));
      said("b", "another umbrella", "yes");
      try (Turn next =
          chat.startTurn(
              TurnStart.prompt("see the list")
                  .id(TurnId.of("c"))
                  .attach(Attachment.text("list.txt", "text/plain", "umbrella and boots")))) {
        next.finish("thanks");
      }
      clock.advance(Duration.ofDays(1));
      turn = chat.startTurn(TurnStart.prompt("which umbrella?").id(TurnId.of("d")));
    }

    private void said(String id, String prompt, String answer) {
      try (Turn next = chat.startTurn(TurnStart.prompt(prompt).id(TurnId.of(id)))) {
        next.finish(answer);
      }
    }

    private static List<String> turns(JsonObject result) {
      return rows(result, "hits").stream().map(hit -> hit.string("turn_id").orElseThrow()).toList();
    }

    @Test
    void findsClosedTurnsOnceEach() { // T-105, 68
      JsonObject result = status(perform("react.memsearch", "{'query':'umbrella'}"));
      assertThat(result.keys())
          .contains("query", "targets", "top_k", "days", "hits", "tokens")
          .containsSubsequence("query", "targets", "top_k", "days", "hits", "tokens");
      assertThat(turns(result)).containsExactlyInAnyOrder("a", "b", "c");
      JsonObject best = rows(result, "hits").getFirst();
      assertThat(best.keys())
          .containsExactly(
              "turn_id",
              "ts",
              "score",
              "sim_score",
              "recency_score",
              "matched_via_role",
              "visible",
              "snippets");
      assertThat(best.isTrue("visible")).isTrue();
      assertThat(rows(best, "snippets").getFirst().keys())
          .containsExactly("role", "path", "ts", "text");
      List<Double> scores =
          rows(result, "hits").stream()
              .map(hit -> Double.valueOf(hit.find("score").orElseThrow().toJson()))
              .toList();
      assertThat(scores).isSortedAccordingTo((x, y) -> Double.compare(y, x));
      for (JsonObject hit : rows(result, "hits")) {
        double sim = Double.parseDouble(hit.find("sim_score").orElseThrow().toJson());
        double recency = Double.parseDouble(hit.find("recency_score").orElseThrow().toJson());
        double score = Double.parseDouble(hit.find("score").orElseThrow().toJson());
        assertThat(sim).isBetween(0.0, 1.0);
        assertThat(score)
            .isCloseTo(0.8 * sim + 0.2 * recency, org.assertj.core.data.Offset.offset(1e-4));
      }
    }

    @Test
    void knowsTargetsTimesAndNumbers() { // T-105
      JsonObject attached =
          run(tools, "react.memsearch", "{'query':'umbrella','targets':['attachment']}").json();
      assertThat(turns(attached)).containsExactly("c");
      assertThat(rows(attached, "hits").getFirst().string("matched_via_role"))
          .contains("attachment");
      assertThat(
              turns(
                  run(tools, "react.memory_read", "{'query':'umbrella','targets':['assistant']}")
                      .json()))
          .containsExactly("a");
      assertThat(turns(run(tools, "react.memsearch", "{'query':'umbrella','days':3}").json()))
          .containsExactlyInAnyOrder("b", "c");
      assertThat(turns(run(tools, "react.memsearch", "{'query':'umbrella','top_k':1}").json()))
          .hasSize(1);
      JsonObject none = run(tools, "react.memsearch", "{'query':'zeppelin'}").json();
      assertThat(turns(none)).isEmpty();
      assertThat(none.has("error")).isFalse();
      JsonObject cut =
          run(tools, "react.memsearch", "{'query':'umbrella " + "x".repeat(300) + "'}").json();
      assertThat(cut.string("query").orElseThrow()).hasSize(256);
    }

    /** What is not asked for takes no place of what is. */
    @Test
    void looksFurtherThanWhatItLeavesOut() { // T-105
      turn.finish("that one");
      for (int i = 0; i < 30; i++) {
        said("p" + i, "umbrella umbrella " + i, "yes");
      }
      turn = chat.startTurn("and now?");
      JsonObject attached =
          run(tools, "react.memsearch", "{'query':'umbrella','targets':['attachment'],'top_k':1}")
              .json();
      assertThat(turns(attached)).containsExactly("c");
    }

    @Test
    void refusesAsAStatus() { // T-105, T-100
      ToolAnswer blank = run(tools, "react.memsearch", "{'query':'  '}");
      assertThat(blank.json().object("error").orElseThrow().string("code"))
          .contains("query_required");
      for (String wrong : List.of("'top_k':0", "'top_k':51", "'days':3651", "'targets':['tool']")) {
        ToolAnswer answer = run(tools, "react.memsearch", "{'query':'x'," + wrong + "}");
        assertThat(answer.json().object("error").orElseThrow().string("code"))
            .as(wrong)
            .contains("invalid_argument");
      }
    }

    /** Turns that the settings leave out are not visible; what is found fits the next render. */
    @Test
    void obeysTheSettingsOfTheTurn() {
      turn.finish("that one");
      for (int i = 0; i < 20; i++) {
        said("p" + i, "umbrella " + i + " of many words ".repeat(40), "yes");
      }
      TurnSettings settings =
          TurnSettings.NONE
              .withMaxTokens(3_000)
              .withTurnLimit(new TurnLimit(OptionalInt.of(2), OptionalInt.empty()));
      turn = chat.startTurn(TurnStart.prompt("and now?").settings(settings));
      JsonObject found = run(tools, "react.memsearch", "{'query':'umbrella','top_k':20}").json();
      assertThat(rows(found, "hits")).hasSizeBetween(1, 10);
      assertThat(found.has("left_out")).isTrue();
      assertThat(RenderOptions.defaults().meter().texts(List.of(found.toJson()))).isLessThan(750);
      for (JsonObject hit : rows(found, "hits")) {
        assertThat(hit.isTrue("visible"))
            .isEqualTo(List.of("p18", "p19").contains(hit.string("turn_id").orElseThrow()));
      }
    }

    @Test
    void seesNoOtherConversation() { // M-83
      ContextBrowser other = engine.browser(SHOP.user("u1").conversation("c2"));
      other.startTurn("hello there");
      JsonObject result =
          run(engine.agentTools(other, "atlas"), "react.memsearch", "{'query':'umbrella'}").json();
      assertThat(turns(result)).isEmpty();
    }
  }

  @Test
  void aCallIsPerformedOnce() { // retries are safe
    note("n", "a note");
    JsonObject params = (JsonObject) JsonValue.parse("{\"path\":\"ar:t1.n\"}");
    List<StoredBlock> first = tools.perform("react.hide", params, "toolu_9");
    long version = chat.version();
    assertThat(tools.perform("react.hide", params, "toolu_9")).isEqualTo(first);
    assertThat(tools.perform("react.hide", params, "tc_toolu_9")).isEqualTo(first);
    assertThat(chat.version()).isEqualTo(version);
    assertThat(first.getFirst().block().meta().string("provider_call_id")).contains("toolu_9");
    assertThatThrownBy(() -> tools.perform("react.read", params, "toolu_9"))
        .isInstanceOfSatisfying(
            ContextureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ID_CONFLICT));
    assertThatThrownBy(() -> tools.perform("react.write", params, null))
        .isInstanceOfSatisfying(
            ContextureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  /** Two that come at once: one runs the tool, both get what it stored. */
  @Test
  void aCallIsPerformedOnceAlsoAtOnce() throws Exception {
    JsonObject params =
        (JsonObject) JsonValue.parse("{\"op\":\"insert\",\"content\":\"Ann likes tea\"}");
    try (ExecutorService both = Executors.newFixedThreadPool(2)) {
      for (int i = 1; i <= 25; i++) {
        String id = "toolu_" + i;
        CyclicBarrier start = new CyclicBarrier(2);
        Callable<List<StoredBlock>> call =
            () -> {
              start.await();
              return tools.perform("recall", params, id);
            };
        Future<List<StoredBlock>> other = both.submit(call);
        assertThat(both.submit(call).get()).isEqualTo(other.get()).hasSize(2);
        assertThat(engine.store().memory().archival(SHOP.agent("atlas"), true, null, 100))
            .hasSize(i);
      }
    }
  }

  @Test
  void aWaitingCallIsAnswered() { // T-101 with T-110
    note("n", "a note");
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId("tc_x")
            .path(BlockPath.parse("tc:t1.tc_x.call"))
            .text(
                "{\"tool_id\":\"react.hide\",\"tool_call_id\":\"tc_x\","
                    + "\"params\":{\"path\":\"ar:t1.n\"}}"));
    JsonObject params = (JsonObject) JsonValue.parse("{\"path\":\"ar:t1.n\"}");
    assertThat(types(tools.perform("react.hide", params, "tc_x")))
        .containsExactly("react.tool.result");
    assertThat(turn.waitingCalls()).isEmpty();
    List<StoredBlock> memory =
        tools.perform(
            "block",
            (JsonObject) JsonValue.parse("{\"op\":\"list\"}"),
            null); // every built-in tool
    assertThat(status(memory).isTrue("success")).isTrue();
  }

  /** The days of a turn's settings hold unless the call names others. */
  @Test
  void memsearchTakesTheDaysOfItsTurn() {
    turn.finish("The umbrella is broken.");
    chat.startTurn(
        TurnStart.prompt("again")
            .settings(
                TurnSettings.NONE.withTurnLimit(
                    new TurnLimit(OptionalInt.empty(), OptionalInt.of(7)))));
    assertThat(status(perform("react.memsearch", "{'query':'umbrella'}")).toJson())
        .contains("\"days\":7");
    assertThat(status(perform("react.memsearch", "{'query':'umbrella','days':9}")).toJson())
        .contains("\"days\":9");
  }
}
