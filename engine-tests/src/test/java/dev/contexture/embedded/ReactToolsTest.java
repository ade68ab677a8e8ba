package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.StoredBlock;
import dev.contexture.timeline.PoolSource;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.view.Dialect;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The tools for one's own conversation: T-101 to T-104, timeline checklist 67. */
class ReactToolsTest extends ReactToolFixture {
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
}
