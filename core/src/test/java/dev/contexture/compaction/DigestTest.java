package dev.contexture.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonObject;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the digest tells of the compacted blocks (T-77). */
class DigestTest {
  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  private static JsonObject digest(Timeline timeline) {
    Emitter emitter = new Emitter(Dialect.NATIVE, Reader.ANY, TokenMeter.of(TokenCounter.CHARS4));
    CompactionBudget budget =
        CompactionBudget.unlimited(CompactionPolicy.STANDARD.withKeepRecentTurns(0)).force(true);
    return Compactor.of(emitter, ContributionFilters.NONE, budget)
        .compact(timeline, request -> "S", "su_new", NOW)
        .report()
        .digest();
  }

  private static List<JsonObject> list(JsonObject digest, String name) {
    return digest.array(name).orElseThrow().items().stream().map(JsonObject.class::cast).toList();
  }

  private static Chat end(Chat chat) {
    return chat.completion("x".repeat(4_000)).turn("end").prompt("y".repeat(9_000));
  }

  @Test
  void listsArtifactsOncePerPath() {
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.call("c1", "web.make", "{}")
        .result(
            "c1",
            "{\"artifact_path\":\"fi:t1.files/r.html\",\"mime\":\"text/html\",\"kind\":\"display\","
                + "\"visibility\":\"external\",\"sources_used\":[1,2]}")
        .artifact("c1", "fi:t1.files/r.html", "<html>");
    JsonObject digest = digest(end(chat).timeline());
    assertThat(list(digest, "artifacts")).hasSize(1);
    JsonObject artifact = list(digest, "artifacts").getFirst();
    assertThat(artifact.string("artifact_path")).contains("fi:t1.files/r.html");
    assertThat(artifact.string("physical_path")).contains("t1/files/r.html");
    assertThat(artifact.string("tool_id")).contains("web.make");
    assertThat(artifact.string("tool_call_id")).contains("tc_c1");
    assertThat(artifact.array("sources_used").orElseThrow().size()).isEqualTo(2);
    assertThat(list(digest, "streamed_artifacts")).hasSize(1);
  }

  @Test
  void tellsWritesPatchesAndOutputsApart() {
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.call("c1", "react.write", "{\"path\":\"a.py\"}").result("c1", "ok");
    chat.call("c2", "react.patch", "{}").artifact("c2", "fi:t1.files/b.py", "b");
    chat.call("c3", "exec_tools.execute_code_python", "{}").result("c3", "42");
    JsonObject digest = digest(end(chat).timeline());
    assertThat(list(digest, "written_files"))
        .extracting(file -> file.string("path").orElseThrow())
        .containsExactly("a.py", "fi:t1.files/b.py");
    assertThat(list(digest, "patched_files"))
        .extracting(file -> file.string("path").orElseThrow())
        .containsExactly("fi:t1.files/b.py");
    assertThat(list(digest, "exec_outputs"))
        .extracting(file -> file.string("path").orElseThrow())
        .containsExactly("tc:t1.tc_c3.result");
  }

  @Test
  void keepsSearchesWithTheirHits() {
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.call("c1", "react.memory_read", "{\"query\":\"oslo\",\"top_k\":5}")
        .result(
            "c1",
            "{\"hits\":[{\"turn_id\":\"t0\",\"snippets\":[{\"path\":\"ar:t0.user.prompt\"}]}]}");
    JsonObject search = list(digest(end(chat).timeline()), "memsearches").getFirst();
    assertThat(search.toJson())
        .isEqualTo(
            "{\"tool_call_id\":\"tc_c1\",\"query\":\"oslo\","
                + "\"targets\":[\"user\",\"assistant\",\"attachment\"],\"top_k\":5,\"days\":365,"
                + "\"hits_count\":1,\"turn_ids\":[\"t0\"],\"paths\":[\"ar:t0.user.prompt\"]}");
  }

  @Test
  void recordsWhatASearchDidRatherThanWhatWasAsked() {
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.call("c1", "react.memsearch", "{\"query\":\"oslo\",\"top_k\":900}")
        .result("c1", "{\"targets\":[\"user\"],\"top_k\":50,\"days\":30,\"hits\":[]}");
    JsonObject search = list(digest(end(chat).timeline()), "memsearches").getFirst();
    assertThat(search.toJson())
        .isEqualTo(
            "{\"tool_call_id\":\"tc_c1\",\"query\":\"oslo\",\"targets\":[\"user\"],\"top_k\":50,"
                + "\"days\":30,\"hits_count\":0,\"turn_ids\":[],\"paths\":[]}");
  }

  private static List<String> paths(JsonObject digest, String name) {
    return list(digest, name).stream().map(file -> file.string("path").orElseThrow()).toList();
  }

  @Test
  void knowsToolsInEverySpelling() {
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.call("c1", "fs.writeFile", "{\"path\":\"a.py\"}").result("c1", "ok");
    chat.call("c2", "MultiEdit", "{\"file_path\":\"b.py\",\"edits\":[]}").result("c2", "ok");
    chat.call("c3", "runCommand", "{\"command\":\"ls\"}").result("c3", "a.py");
    chat.call("c4", "editFile", "{\"filePath\":\"c.py\"}").result("c4", "ok");
    JsonObject digest = digest(end(chat).timeline());
    assertThat(paths(digest, "written_files")).containsExactly("a.py", "b.py", "c.py");
    assertThat(paths(digest, "patched_files")).containsExactly("b.py", "c.py");
    assertThat(paths(digest, "exec_outputs")).containsExactly("tc:t1.tc_c3.result");
  }

  @Test
  void aReadIsNoPatch() {
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.call("c1", "str_replace_based_edit_tool", "{\"command\":\"view\",\"path\":\"a.py\"}")
        .result("c1", "text");
    chat.call("c2", "read_file", "{\"path\":\"b.py\"}").result("c2", "text");
    chat.call("c3", "getPatch", "{\"path\":\"c.py\"}").result("c3", "text");
    chat.call("c4", "str_replace_based_edit_tool", "{\"command\":\"create\",\"path\":\"d.py\"}")
        .result("c4", "ok");
    JsonObject digest = digest(end(chat).timeline());
    assertThat(paths(digest, "written_files")).containsExactly("d.py");
    assertThat(paths(digest, "patched_files")).isEmpty();
  }

  @Test
  void findsTheFilesOfAPatchInItsText() {
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.call(
            "c1",
            "apply_patch",
            "{\"input\":\"*** Begin Patch\\n*** Update File: src/a b.py\\n@@\\n-x\\n+y\\n"
                + "*** Add File: new.py\\n+z\\n*** End Patch\"}")
        .result("c1", "Done!");
    chat.call(
            "c2",
            "applyPatch",
            "{\"patch\":\"--- a/lib/u.c\\t2026\\n+++ b/lib/u.c\\t2026\\n@@ -1 +1 @@\\n-x\\n+y\\n"
                + "--- a/old.c\\n+++ /dev/null\\n\"}")
        .result("c2", "ok");
    JsonObject digest = digest(end(chat).timeline());
    assertThat(paths(digest, "patched_files")).containsExactly("src/a b.py", "new.py", "lib/u.c");
    assertThat(list(digest, "patched_files").getFirst().string("tool_call_id")).contains("tc_c1");
  }

  @Test
  void believesADeclaredKindBeforeTheName() {
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.declaredCall("c1", "blaze", "{\"path\":\"a.py\"}", "write").result("c1", "ok");
    chat.declaredCall("c2", "patchwork", "{\"path\":\"b.py\"}", "read").result("c2", "text");
    chat.declaredCall("c3", "edit", "{\"path\":\"c.py\"}", "no such kind").result("c3", "ok");
    JsonObject digest = digest(end(chat).timeline());
    assertThat(paths(digest, "written_files")).containsExactly("a.py", "c.py");
  }

  @Test
  void cutsAutomaticReplacementsOnly() {
    Chat chat = new Chat().turn("t1").prompt("p").call("c1").result("c1", "r");
    chat.with(
        timeline ->
            timeline.withVisibility(
                List.of(
                    new Visibility(2, "h".repeat(900), Visibility.Reason.AGENT, NOW),
                    new Visibility(4, "h".repeat(900), Visibility.Reason.TTL, NOW))));
    assertThat(list(digest(end(chat).timeline()), "hidden_blocks"))
        .extracting(hidden -> hidden.string("replacement_text").orElseThrow().length())
        .containsExactly(900, 400);
  }

  @Test
  void keepsTheNewestTwoHundred() {
    Chat chat = new Chat().turn("t1").prompt("p");
    for (int i = 0; i < 210; i++) {
      chat.call("c" + i, "react.write", "{\"path\":\"f" + i + "\"}").result("c" + i, "ok");
    }
    List<JsonObject> files = list(digest(end(chat).timeline()), "written_files");
    assertThat(files).hasSize(200);
    assertThat(files.getFirst().string("path")).contains("f10");
  }
}
