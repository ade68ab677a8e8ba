package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.simulator.replay.RecordedSession;
import dev.contexture.simulator.replay.SessionReplay;
import dev.contexture.store.sqlite.SqliteStore;
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

  private static List<ContextRequest> replay(
      RecordedSession session, SessionReplay.Settings settings) {
    List<ContextRequest> sent = new ArrayList<>();
    SessionReplay.run(
        folder ->
            Contexture.builder(SqliteStore.open(folder))
                .providers(BuiltInProviders.of(ModelCatalogue.shipped())),
        session,
        settings,
        sent::add);
    return sent;
  }

  private static SessionReplay.Settings settings(String model, long limit) {
    return SessionReplay.Settings.of(null, model, limit, CompactionPolicy.STANDARD);
  }

  @Test
  void tellsWhatEveryRequestIsMadeOfAndWhenItCompacts() throws IOException {
    RecordedSession session = RecordedSession.read(file(session(40)));
    List<ContextRequest> sent = replay(session, settings("claude-sonnet-4-5", 2_000));
    assertThat(sent).hasSize(40);
    assertThat(sent)
        .extracting(each -> each.metadata().tokens())
        .allSatisfy(
            tokens -> {
              assertThat(tokens.total()).isLessThanOrEqualTo(2_000);
              assertThat(tokens.instructions()).isPositive();
              assertThat(tokens.tools()).isPositive();
              assertThat(tokens.core()).isZero();
            });
    List<ContextRequest> compacted =
        sent.stream().filter(each -> each.metadata().compression().applied()).toList();
    assertThat(compacted).isNotEmpty();
    assertThat(compacted.getFirst().metadata().tokens().summary()).isPositive();
    assertThat(sent.getFirst().metadata().tokens().summary()).isZero();
    assertThat(sent).allSatisfy(each -> assertThat(each.request().repairs()).isEmpty());
  }

  @Test
  void givesTheSameRequestsAgain() throws IOException {
    RecordedSession session = RecordedSession.read(file(session(12)));
    SessionReplay.Settings settings = settings("claude-sonnet-4-5", 2_000);
    assertThat(replay(session, settings))
        .extracting(ContextRequest::body)
        .isEqualTo(replay(session, settings).stream().map(ContextRequest::body).toList());
  }

  @Test
  void hidesRemembersAndSkipsAsTheSituationSays() throws IOException {
    RecordedSession session = RecordedSession.read(file(calls(12)));
    SessionReplay.Settings plain = settings("claude-sonnet-4-5", 20_000);
    SessionReplay.Situation often = SessionReplay.Situation.PLAIN;
    assertThat(replay(session, plain.with(often.withEvery(4)))).hasSize(4);
    assertThat(replay(session, plain).getLast().body()).doesNotContain("[read and done]");
    assertThat(replay(session, plain.with(often.withHideEvery(5))).getLast().body())
        .contains("[read and done]");
    List<ContextRequest> remembering = replay(session, plain.with(often.withMemory(50)));
    assertThat(remembering.getLast().body()).contains("As of request 13: ");
    assertThat(remembering)
        .as("what changes stands behind what stays")
        .allSatisfy(each -> assertThat(each.divergence()).isEmpty());
  }

  @Test
  void writesForAnotherModel() throws IOException {
    RecordedSession session = RecordedSession.read(file(session(3)));
    assertThat(replay(session, settings("gpt-5", 50_000)).getLast().target().model().model())
        .isEqualTo("gpt-5");
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

  /** A question, and as many calls with results. */
  private static String calls(int count) {
    StringBuilder lines = new StringBuilder(block("user", "Find it.", 1));
    for (int i = 0; i <= count; i++) {
      lines.append("{\"ev\":\"request\"}\n");
      String rest = "\",\"call_id\":\"c" + i + "\",\"turn\":1}\n";
      lines.append(
          "{\"ev\":\"block\",\"role\":\"assistant\",\"kind\":\"tool_use\",\"text\":\"look" + rest);
      lines.append(
          "{\"ev\":\"block\",\"role\":\"tool\",\"kind\":\"tool_result\",\"text\":\"found" + rest);
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
