package dev.contexture.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.json.JsonValue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a path resolves to (T-17). */
class ArtifactTest {
  private static final String FILE = "fi:t1.files/a.txt";

  private static Optional<Artifact> resolve(Timeline timeline, String path) {
    return Artifact.resolve(timeline, BlockPath.parse(path), false);
  }

  private static Block.Builder file() {
    return Block.builder(BlockType.REACT_TOOL_RESULT)
        .author(Author.REACT)
        .toolCallId("tc_1")
        .path(BlockPath.parse(FILE));
  }

  @Test
  void isTheNewestOfEverythingWithMergedMetadata() {
    Timeline timeline =
        new Chat()
            .activeTurn("t1")
            .result("tc_1", "{\"artifact_path\":\"" + FILE + "\",\"kind\":\"old\"}")
            .result("tc_1", "{\"artifact_path\":\"" + FILE + "\",\"kind\":\"status\"}")
            .add(file().text("v1").meta("kind", JsonValue.of("v1")).meta("a", JsonValue.of(1)))
            .add(file().data(Binary.of(new byte[] {1})).mime("a/b").meta("b", JsonValue.of(2)))
            .add(file().text("v3").meta("a", JsonValue.of(3)))
            .timeline();
    Artifact artifact = resolve(timeline, FILE).orElseThrow();
    assertThat(artifact.text()).hasValue("v3");
    assertThat(artifact.data()).hasValue(Binary.of(new byte[] {1}));
    assertThat(artifact.ts()).isEqualTo(timeline.entries().getLast().block().ts());
    assertThat(artifact.versions()).isEqualTo(3);
    assertThat(artifact.meta().toJson())
        .isEqualTo("{\"artifact_path\":\"" + FILE + "\",\"kind\":\"status\",\"a\":3,\"b\":2}");
  }

  @Test
  void isFoundHiddenArchivedAndBeforeTheSummary() {
    Timeline timeline =
        new Chat()
            .turn("t1")
            .prompt("one")
            .completion("answer")
            .activeTurn("t2")
            .prompt("two")
            .hide(2, "gone")
            .summary(4, "t2", false, "t1")
            .with(
                t ->
                    t.withArchived(
                        new ArchivedRange("a1", 1, 3, List.of(), "truncate", null, Chat.START)))
            .timeline();
    assertThat(resolve(timeline, "ar:t1.user.prompt").orElseThrow().text()).hasValue("one");
    assertThat(resolve(timeline, "ar:t1.assistant.completion").orElseThrow().text())
        .hasValue("answer");
    assertThat(resolve(timeline, "su:t2.conv.range.summary").orElseThrow().text()).hasValue("SUM");
    assertThat(resolve(timeline, "ar:t1.unknown")).isEmpty();
    assertThat(resolve(timeline, "sk:public/x")).isEmpty();
    assertThat(resolve(timeline, "so:sources_pool[1]")).isEmpty();
  }

  @Test
  void ofAnExcludedTurnIsFoundOnRequestOnly() {
    // T-24
    Timeline timeline =
        new Chat()
            .turn("t1")
            .prompt("one")
            .status("t1", TurnStatus.ABORTED)
            .activeTurn("t2")
            .timeline();
    BlockPath path = BlockPath.parse("ar:t1.user.prompt");
    assertThat(Artifact.resolve(timeline, path, false)).isEmpty();
    assertThat(Artifact.resolve(timeline, path, true)).isPresent();
  }
}
