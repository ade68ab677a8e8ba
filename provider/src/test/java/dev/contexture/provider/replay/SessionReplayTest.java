package dev.contexture.provider.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.CompactionReport;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionReplayTest {
  private static final String HEAD =
      "{\"ev\":\"head\",\"system\":\"Be brief.\",\"tools\":[{\"name\":\"t\"}]}\n";

  @TempDir Path folder;

  @Test
  void tellsWhatEveryRequestIsMadeOfAndWhenItCompacts() throws IOException {
    RecordedSession session = RecordedSession.read(file(session(40)));
    List<SessionReplay.Sent> sent = new ArrayList<>();
    SessionReplay.run(
        session, SessionReplay.Settings.of(2_000, CompactionPolicy.STANDARD), sent::add);
    assertThat(sent).hasSize(40);
    assertThat(sent)
        .allSatisfy(
            each -> {
              assertThat(each.tokens().total()).isLessThanOrEqualTo(2_000);
              assertThat(each.tokens().system()).isPositive();
              assertThat(each.tokens().tools()).isPositive();
              assertThat(each.tokens().memory()).isZero();
            });
    List<SessionReplay.Sent> compacted =
        sent.stream()
            .filter(each -> each.compaction().status() == CompactionReport.Status.COMPLETED)
            .toList();
    assertThat(compacted).isNotEmpty();
    assertThat(compacted.getFirst().tokens().summary()).isPositive();
    assertThat(sent.getFirst().tokens().summary()).isZero();
  }

  @Test
  void writesForAnotherModelAndCountsAsItDoes() throws IOException {
    RecordedSession session = RecordedSession.read(file(session(3)));
    List<SessionReplay.Sent> sent = new ArrayList<>();
    SessionReplay.Settings settings =
        SessionReplay.Settings.of(50_000, CompactionPolicy.ECONOMICAL)
            .withTarget(BuiltInProviders.of(ModelCatalogue.shipped()).resolve(null, "gpt-5"));
    SessionReplay.run(session, settings, sent::add);
    assertThat(sent.getLast().request().model().model()).isEqualTo("gpt-5");
  }

  @Test
  void readsCompressedFiles() throws IOException {
    Path file = folder.resolve("s.events.jsonl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((HEAD + session(2)).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(RecordedSession.read(file).events())
        .isEqualTo(RecordedSession.read(file(session(2))).events())
        .hasSize(6);
  }

  @Test
  void refusesWhatIsNoSessionAndSaysWhere() throws IOException {
    refuses(file("{\"ev\":\"dance\"}\n"), ErrorCode.INVALID_ARGUMENT, "line 2");
    refuses(file("[1]\n"), ErrorCode.FIELD_TYPE, "line 2");
    refuses(file("{\"ev\":\n"), ErrorCode.MALFORMED_JSON, "line 2");
    refuses(folder.resolve("nowhere.jsonl"), ErrorCode.NOT_FOUND, "nowhere.jsonl");
    Path broken = Files.writeString(folder.resolve("b.gz"), "no gzip");
    refuses(broken, ErrorCode.INVALID_ARGUMENT, "cannot be read");
  }

  private static void refuses(Path file, ErrorCode code, String message) {
    assertThatThrownBy(() -> RecordedSession.read(file))
        .isInstanceOfSatisfying(
            ContextureException.class, refused -> assertThat(refused.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private Path file(String lines) throws IOException {
    return Files.writeString(folder.resolve("s.events.jsonl"), HEAD + lines);
  }

  /** As many turns, each of a question, a call of the model and an answer. */
  private static String session(int turns) {
    StringBuilder lines = new StringBuilder();
    for (int turn = 1; turn <= turns; turn++) {
      lines.append(block("user", "Question " + turn + " " + "about oats ".repeat(20), turn));
      lines.append("{\"ev\":\"request\"}\n");
      lines.append(block("assistant", "Answer " + turn + " " + "is barley ".repeat(20), turn));
    }
    return lines.toString();
  }

  private static String block(String role, String text, int turn) {
    return "{\"ev\":\"block\",\"role\":\""
        + role
        + "\",\"kind\":\"text\",\"text\":\""
        + text
        + "\",\"turn\":"
        + turn
        + "}\n";
  }
}
