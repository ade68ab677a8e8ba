package dev.contexture.render;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.Limits;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.PoolSource;
import dev.contexture.timeline.SourcesPool;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.TimelineEntry;
import java.util.List;
import java.util.stream.Stream;

/** The conversations of the golden files. */
final class GoldenCases {
  private GoldenCases() {}

  private static Block.Builder block(String type, String author, String path, String text) {
    return Block.builder(BlockType.of(type))
        .author(Author.of(author))
        .path(BlockPath.parse(path))
        .text(text);
  }

  private static Block.Builder binary(String type, String path, String mime) {
    return Block.builder(BlockType.of(type))
        .author(Author.USER)
        .path(BlockPath.parse(path))
        .mime(mime)
        .data(Binary.of(new byte[] {1, 2, 3, 4}));
  }

  /** Every type of T-12 and an unknown one, each as its producer writes it. */
  static Timeline everyType() {
    return blocks().timeline();
  }

  private static Chat blocks() {
    Chat chat = new Chat().turn("t1").prompt("First question\n\n\n");
    chat.add(
        block("user.attachment.meta", "user", "fi:t1.user.attachments/menu.pdf", "not shown")
            .meta(
                (JsonObject)
                    JsonValue.parse(
                        "{\"filename\":\"Menu.pdf\",\"mime\":\"application/pdf\","
                            + "\"summary\":\"two\\npages\"}")));
    chat.add(binary("user.attachment", "fi:t1.user.attachments/menu.pdf", "application/pdf"));
    chat.add(block("user.attachment.text", "user", "fi:t1.user.attachments/a.txt", "the text"));
    chat.add(block("react.thinking", "react", "ar:t1.react.thinking.1", "never shown"));
    chat.opaque("tc_1", "{\"type\": \"thinking\", \"signature\": \"c2ln\"}");
    chat.notes("tc_1", "I look it up").code("tc_1", "print(1)");
    chat.call("tc_1", "web.search", "{\"q\": \"x\", \"n\": 1.10}");
    chat.notice("tc_1", "{\"code\":\"slow\",\"message\":\"took long\"}");
    chat.result("tc_1", "{\"ok\":true}");
    chat.artifact("tc_1", "fi:t1.files/out/a.txt", "file text");
    chat.add(block("react.note", "react", "ar:t1.react.note", "remember this"));
    chat.add(block("stage.gate", "gate", "ar:t1.stage.gate", "passed"));
    chat.add(block("stage.feedback", "user", "ar:t1.stage.feedback", "origin: user"));
    chat.add(block("stage.clarification", "system", "ar:t1.stage.clarification", "questions: a"));
    chat.add(block("stage.other", "system", "ar:t1.stage.other", "other stage"));
    chat.add(block("system.message", "system", "ar:t1.system.message.cache_pruned", "pruned"));
    chat.add(block("custom.step", "agent", "ar:t1.custom.step", "unknown type"));
    chat.add(block("custom.step", "assistant", "ar:t1.custom.said", "said by the assistant"));
    chat.add(Block.builder(BlockType.of("custom.bare")).text("no path"));
    chat.add(
        block("assistant.completion", "assistant", "ar:t1.assistant.completion", "The answer\n")
            .meta("sources_used", JsonValue.parse("[1, 2]")));
    chat.quiet(BlockType.STAGE_SUGGESTED_FOLLOWUPS).quiet(BlockType.REACT_STATE);
    chat.quiet(BlockType.REACT_EXIT).quiet(BlockType.ANNOUNCE);
    return chat.activeTurn("t2").prompt("Second question");
  }

  /** The same with every block hidden that may be, and has a path. */
  static Timeline everyTypeReplaced() {
    Chat chat = blocks();
    for (TimelineEntry entry : chat.timeline().entries()) {
      Block block = entry.block();
      if (block.path().isPresent() && !block.type().has(BlockType.Flag.FIXED)) {
        chat.hide(
            entry.seq().orElseThrow(), "replaced " + entry.seq().orElseThrow() + "\nby this\n");
      }
    }
    return chat.timeline();
  }

  /** Replaced blocks that came after their batch, and a call whose replacement has parameters. */
  static Timeline lateReplaced() {
    return new Chat()
        .activeTurn("t1")
        .prompt("Go")
        .call("tc_a", "a.run", "{\"n\":1}")
        .result("tc_a", "A")
        .gate("between")
        .notice("tc_a", "{\"code\":\"late\"}")
        .result("tc_a", "late result")
        .hide(3, "{\"tool_id\":\"a.run\",\"params\":{\"short\": 1.0},\"truncated\":true}")
        .hide(6, "short notice")
        .hide(7, "short result")
        .timeline();
  }

  /** Blank replacements: a result, and a call with its round. */
  static Timeline removed() {
    return new Chat()
        .activeTurn("t1")
        .prompt("Go")
        .call("tc_a")
        .result("tc_a", "A")
        .artifact("tc_a", "fi:t1.files/a", "file")
        .notes("tc_b", "said before b")
        .call("tc_b")
        .notice("tc_b", "{\"code\":\"n\"}")
        .result("tc_b", "B")
        .call("tc_c")
        .result("tc_c", "C")
        .artifact("tc_c", "fi:t1.files/c", "still shown")
        .completion("Done")
        .hide(4, "")
        .hide(5, " ")
        .hide(7, "\n")
        .hide(11, "")
        .timeline();
  }

  /** V10 at its end, and an error. */
  static Timeline batches() {
    return new Chat()
        .activeTurn("t1")
        .prompt("Go")
        .call("tc_a", "a.run", "{\"n\":1}")
        .call("toolu_b", "b.run", "{\"n\":2}")
        .result("toolu_b", "B")
        .gate("between")
        .result("tc_a", "A")
        .notice("toolu_b", "{\"code\":\"late\"}")
        .notes("tc_c", "now c")
        .call("tc_c")
        .emptyResult("tc_c")
        .result("toolu_b", "B again, late")
        .notes("tc_a", "a once more")
        .call("tc_a", "a.run", "{}")
        .error("tc_a", "failed")
        .notice("tc_a", "{\"code\":\"hint\"}")
        .timeline();
  }

  /** Results without calls, calls without results, ids used again while unanswered. */
  static Timeline broken() {
    return new Chat()
        .turn("t1")
        .result("tc_x", "orphan")
        .call("tc_a")
        .call("tc_a", "a.newer", "{}")
        .call("tc_b")
        .result("tc_a", "A")
        .add(Block.builder(BlockType.REACT_TOOL_CALL).author(Author.REACT).text("no id"))
        .completion("Done")
        .activeTurn("t2")
        .completion("The assistant speaks first here")
        .timeline();
  }

  /** A call that runs, with what follows it. */
  static Timeline pending() {
    return new Chat()
        .activeTurn("t1")
        .prompt("Go")
        .call("tc_a")
        .result("tc_a", "A")
        .opaque("tc_b", "{}")
        .notes("tc_b", "now b")
        .call("tc_b")
        .call("tc_c")
        .result("tc_c", "C")
        .gate("meanwhile")
        .timeline();
  }

  /** T-34. */
  static Timeline json() {
    String handles =
        "{\"artifact_path\":\"fi:t1.files/a\",\"hosted_uri\":\"s3:x\",\"rn\":\"r\",\"key\":\"k\","
            + "\"items\":[{\"artifact_path\":\"x\",\"rn\":\"r\"},{\"rn\":\"stays\"}]}";
    return new Chat()
        .activeTurn("t1")
        .prompt("Go")
        .add(
            block("react.tool.call", "react", "tc:t1.tc_a.call", "")
                .text(
                    "{\"ts\":1,\"z\":1.10,\"params\":{\"é\":\"😀\",\"empty\":{},\"none\":[]},"
                        + "\"tool_call_id\":\"tc_a\",\"tool_id\":\"a.run\",\"note\":null}"))
        .result("tc_a", "{\"z\":1E+2,\"error\":\"text\",\"a\":[]}")
        .result("tc_a", "{\"error\":{\"code\":\"c\",\"message\":\"m\"}}")
        .result("tc_a", "[1,{\"b\":2.50}]")
        .result("tc_a", handles)
        .notice("tc_a", handles)
        .add(block("react.tool.call", "react", "tc:t1.tc_b.call", "plain words\n\n"))
        .result("tc_b", "plain result\r\n")
        .call("tc_c", "c.run", "null")
        .result("tc_c", "{broken")
        .timeline();
  }

  static Timeline binaries() {
    Chat chat = new Chat().activeTurn("t1").prompt("Look");
    for (String mime :
        List.of("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "a/zip")) {
      chat.add(binary("user.attachment", "fi:t1.user.attachments/f", mime));
    }
    chat.call("tc_a");
    chat.add(binary("react.tool.result", "fi:t1.files/p.png", "image/png").toolCallId("tc_a"));
    chat.add(
        binary("react.tool.result", "fi:t1.files/p.pdf", "application/pdf")
            .text("with text\n")
            .toolCallId("tc_a"));
    chat.add(binary("react.tool.result", "tc:t1.tc_a.result", "a/zip").toolCallId("tc_a"));
    chat.add(binary("custom.binary", "ar:t1.custom.binary", "image/png").text("unknown"));
    return chat.timeline();
  }

  /** A cut inside the active turn (T-29). */
  static Timeline summary(boolean prompt) {
    Chat chat = new Chat().turn("t1").prompt("Old").completion("Answer");
    chat.activeTurn("t2").prompt("New question");
    chat.add(
        block("user.attachment.meta", "user", "fi:t2.user.attachments/a.pdf", "")
            .meta("mime", JsonValue.of("application/pdf")));
    chat.add(binary("user.attachment", "fi:t2.user.attachments/a.pdf", "application/pdf"));
    chat.call("tc_a").result("tc_a", "A").call("tc_b").result("tc_b", "B");
    chat.summary(10, "t2", prompt, "t1", "t2");
    return chat.result("tc_a", "late result of a call behind the summary").timeline();
  }

  /** Two summaries, of which the newer covers nine turns. */
  static Timeline longSummary() {
    Chat chat = new Chat();
    for (int i = 1; i <= 9; i++) {
      chat.turn("t" + i).prompt("p" + i);
    }
    chat.activeTurn("t10").prompt("now").summary(5, "t3", false, "t1", "t2");
    String[] covered =
        Stream.iterate(1, i -> i + 1).limit(9).map(i -> "t" + i).toArray(String[]::new);
    return chat.summary(19, "t10", false, covered).timeline();
  }

  static Timeline sources() {
    List<PoolSource> rows =
        Stream.of(
                "{\"title\":\""
                    + "T".repeat(81)
                    + "\",\"url\":\"https://Example.org/a?b=1\","
                    + "\"mime\":\"text/html\",\"text\":\""
                    + "s".repeat(201)
                    + "\"}",
                "{\"title\":\"a | b\\nc\",\"text\":\"first | line\\r\\nsecond\"}",
                "{\"title\":\""
                    + "é".repeat(80)
                    + "\",\"physical_path\":\"t1/files/a.txt\","
                    + "\"text\":\""
                    + "x".repeat(200)
                    + "\"}",
                "{\"sid\":7,\"title\":\"gap\",\"url\":\"not a url\"}")
            .map(row -> PoolSource.read((JsonObject) JsonValue.parse(row)))
            .toList();
    SourcesPool pool = SourcesPool.EMPTY.merge(rows, Limits.DEFAULT);
    return withAnnounce(new Chat().activeTurn("t1").prompt("Go").timeline().withSources(pool));
  }

  static Timeline noSources() {
    return withAnnounce(new Chat().activeTurn("t1").prompt("Go").completion("Yes").timeline());
  }

  private static Timeline withAnnounce(Timeline timeline) {
    Block.Builder announce = Block.builder(BlockType.ANNOUNCE).turn(TurnId.of("t1"));
    return timeline.withAnnounce(
        List.of(
            announce.text("[ANNOUNCE]\nas given\n\n\n").build(),
            announce.text("").build(),
            announce.text("second").build()));
  }
}
