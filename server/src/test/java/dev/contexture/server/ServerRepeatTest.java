package dev.contexture.server;

import static dev.contexture.server.TestServer.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.server.TestServer.Got;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every write that names an id: the same content is answered as before, other content refused. */
@Timeout(60)
class ServerRepeatTest {
  private static final String START = "{\"turn_id\":\"t1\",\"prompt\":\"hello\"}";
  private static final String ASK =
      "{\"type\":\"react.tool.call\",\"tool_call_id\":\"tc_a\",\"tool_id\":\"f\",\"text\":\"{}\"}";

  @TempDir Path directory;
  private TestServer served;

  @BeforeEach
  void start() {
    served = new TestServer(directory);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  /**
   * A write that names an id.
   *
   * @param before what is posted first, path and body in turn
   * @param between what is written between the first time and the repeats
   * @param others the same id with other content
   */
  private record Write(
      String name,
      List<String> before,
      String path,
      String body,
      List<String> between,
      List<String> others,
      String code) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final List<String> OPEN = List.of("/turns", START);

  private static Stream<Write> writes() {
    List<String> asked = List.of("/turns", START, "/blocks", "{\"blocks\":[" + ASK + "]}");
    List<String> steered =
        List.of(
            "/blocks",
            "{\"blocks\":[{\"type\":\"user.prompt\",\"author\":\"user\",\"text\":\"and more\"}]}");
    List<String> finished = List.of("/turns/t1/finish", "{\"completion\":\"done\"}");
    return Stream.of(
        new Write(
            "turns",
            List.of(),
            "/turns",
            "{\"turn_id\":\"t1\",\"prompt\":\"hello\",\"agent\":\"atlas\",\"attachments\":["
                + "{\"name\":\"a\",\"mime\":\"text/plain\",\"text\":\"x\",\"summary\":\"s\"}]}",
            steered,
            List.of(
                "{\"turn_id\":\"t1\",\"prompt\":\"hello\"}",
                "{\"turn_id\":\"t1\",\"prompt\":\"other\",\"attachments\":["
                    + "{\"name\":\"a\",\"mime\":\"text/plain\",\"text\":\"x\",\"summary\":\"s\"}]}",
                "{\"turn_id\":\"t1\",\"prompt\":\"hello\",\"attachments\":["
                    + "{\"name\":\"a\",\"mime\":\"text/plain\",\"text\":\"y\",\"summary\":\"s\"}]}",
                "{\"turn_id\":\"t1\",\"prompt\":\"hello\",\"attachments\":["
                    + "{\"name\":\"a\",\"mime\":\"text/plain\",\"text\":\"x\",\"summary\":\"z\"}]}",
                "{\"turn_id\":\"t1\",\"prompt\":\"hello\",\"agent\":\"bob\",\"attachments\":["
                    + "{\"name\":\"a\",\"mime\":\"text/plain\",\"text\":\"x\",\"summary\":\"s\"}]}"),
            "id_conflict"),
        new Write(
            "blocks",
            OPEN,
            "/blocks",
            "{\"blocks\":[{\"id\":\"b1\",\"type\":\"user.steer\",\"text\":\"one\",\"meta\":{\"a\":1}},{\"id\":\"b2\",\"type\":\"user.steer\",\"text\":\"cut"
                + " \\ud83d\"}]}",
            steered,
            List.of(
                "{\"blocks\":[{\"id\":\"b1\",\"type\":\"user.steer\",\"text\":\"two\",\"meta\":{\"a\":1}}]}",
                "{\"blocks\":[{\"id\":\"b1\",\"type\":\"user.steer\",\"text\":\"one\"}]}",
                "{\"blocks\":[{\"id\":\"b3\",\"type\":\"user.steer\",\"text\":\"new\"},"
                    + "{\"id\":\"b2\",\"type\":\"user.note\",\"text\":\"cut\"}]}"),
            "id_conflict"),
        new Write(
            "blocks that are not kept",
            OPEN,
            "/blocks",
            "{\"persist\":false,\"blocks\":[{\"id\":\"b1\",\"type\":\"user.steer\",\"text\":\"one\"}]}",
            List.of(),
            List.of(
                "{\"persist\":false,\"blocks\":[{\"id\":\"b1\",\"type\":\"user.steer\",\"text\":\"two\"}]}"),
            "id_conflict"),
        new Write(
            "responses",
            OPEN,
            "/responses",
            answer("r1", "one"),
            steered,
            List.of(answer("r1", "two"), answer("r1", "one").replace("end_turn", "max_tokens")),
            "id_conflict"),
        new Write(
            "results",
            asked,
            "/results",
            "{\"tool_call_id\":\"tc_a\",\"content\":\"cut \\ud83d\"}",
            steered,
            List.of(
                "{\"tool_call_id\":\"tc_a\",\"content\":\"other\"}",
                "{\"tool_call_id\":\"tc_a\",\"content\":\"cut \\ud83d\",\"is_error\":true}"),
            "already_answered"),
        new Write(
            "results after the turn",
            asked,
            "/results",
            "{\"tool_call_id\":\"tc_a\",\"content\":{\"a\":1}}",
            Stream.concat(
                    finished.stream(), Stream.of("/turns", "{\"turn_id\":\"t2\",\"prompt\":\"q\"}"))
                .toList(),
            List.of("{\"tool_call_id\":\"tc_a\",\"content\":{\"a\":2}}"),
            "already_answered"),
        new Write(
            "finish",
            OPEN,
            "/turns/t1/finish",
            "{\"completion\":\"done\",\"sources_used\":[1],\"suggested_followups\":[\"a\"],"
                + "\"state\":{\"x\":1},\"exit_reason\":\"ok\"}",
            List.of("/turns", "{\"turn_id\":\"t2\",\"prompt\":\"q\"}"),
            List.of(
                "{\"completion\":\"other\",\"sources_used\":[1],\"suggested_followups\":[\"a\"],"
                    + "\"state\":{\"x\":1},\"exit_reason\":\"ok\"}",
                "{\"completion\":\"done\",\"suggested_followups\":[\"a\"],\"state\":{\"x\":1},"
                    + "\"exit_reason\":\"ok\"}",
                "{\"completion\":\"done\",\"sources_used\":[1],\"suggested_followups\":[\"b\"],"
                    + "\"state\":{\"x\":1},\"exit_reason\":\"ok\"}",
                "{\"completion\":\"done\",\"sources_used\":[1],\"suggested_followups\":[\"a\"],"
                    + "\"state\":{\"x\":2},\"exit_reason\":\"ok\"}",
                "{\"completion\":\"done\",\"sources_used\":[1],\"suggested_followups\":[\"a\"],"
                    + "\"state\":{\"x\":1},\"exit_reason\":\"other\"}"),
            "id_conflict"),
        new Write(
            "finish with the recorded answer",
            List.of("/turns", START, "/responses", answer("r1", "said")),
            "/turns/t1/finish",
            "{}",
            List.of(),
            List.of("{\"completion\":\"other\"}"),
            "id_conflict"),
        new Write(
            "interrupt",
            OPEN,
            "/turns/t1/interrupt",
            "{\"reason\":\"stopped\"}",
            List.of(),
            List.of("{\"reason\":\"another\"}"),
            "id_conflict"),
        new Write(
            "abort",
            OPEN,
            "/turns/t1/abort",
            "{\"reason\":\"stopped\"}",
            List.of(),
            List.of("{\"reason\":\"another\"}"),
            "id_conflict"));
  }

  private static String answer(String request, String text) {
    return "{\"provider\":\"anthropic\",\"model\":\"claude-opus-5\",\"request_id\":\""
        + request
        + "\",\"response\":{\"type\":\"message\",\"role\":\"assistant\",\"content\":["
        + "{\"type\":\"text\",\"text\":\""
        + text
        + "\"}],\"stop_reason\":\"end_turn\"}}";
  }

  @ParameterizedTest
  @MethodSource("writes")
  void theSameIsAnsweredAsBeforeAndOtherContentIsRefused(Write write) {
    post(write.before());
    Got first = served.post(C + write.path(), write.body());
    assertThat(first.status()).as(first.text()).isIn(200, 201);
    post(write.between());
    String stored = served.get(C + "/timeline").text();

    Got again = served.post(C + write.path(), write.body());
    assertThat(again.status()).as(again.text()).isIn(200, 201);
    assertThat(again.text()).isEqualTo(first.text());
    for (String other : write.others()) {
      Got refused = served.post(C + write.path(), other);
      assertThat(refused.status()).as(other + refused.text()).isEqualTo(409);
      assertThat(refused.code()).isEqualTo(write.code());
    }
    assertThat(served.get(C + "/timeline").text()).as("nothing changed").isEqualTo(stored);
  }

  private void post(List<String> pairs) {
    for (int i = 0; i < pairs.size(); i += 2) {
      Got got = served.post(C + pairs.get(i), pairs.get(i + 1));
      assertThat(got.status()).as(pairs.get(i) + got.text()).isIn(200, 201);
    }
  }

  @Test
  void finishNamesTheCompletionThatWasRecorded() {
    post(List.of("/turns", START, "/responses", answer("r1", "said")));
    Got first = served.post(C + "/turns/t1/finish", "{}");
    Got named = served.post(C + "/turns/t1/finish", "{\"completion\":\"said\"}");
    assertThat(named.text()).isEqualTo(first.text());
  }

  @Test
  void anImportOfTheSameNameWithOtherMessagesIsRefused() {
    String one = "{\"format\":\"openai\",\"import_id\":\"i1\",\"messages\":[%s]}";
    String hello =
        "{\"role\":\"user\",\"content\":\"hello\"},{\"role\":\"assistant\",\"content\":\"hi\"}";
    assertThat(served.post(C + "/import", one.formatted(hello)).status()).isEqualTo(201);
    Got again = served.post(C + "/import", one.formatted(hello));
    assertThat(again.number("turns")).isZero();
    Got more =
        served.post(
            C + "/import", one.formatted(hello + ",{\"role\":\"user\",\"content\":\"and?\"}"));
    assertThat(more.number("turns")).isEqualTo(1);
    Got other = served.post(C + "/import", one.formatted(hello.replace("hi", "no")));
    assertThat(other.status()).as(other.text()).isEqualTo(409);
    assertThat(other.code()).isEqualTo("id_conflict");
  }

  @Test
  void oneContributionCannotUseAnIdTwice() {
    post(OPEN);
    Got got =
        served.post(
            C + "/blocks",
            "{\"blocks\":[{\"id\":\"b1\",\"type\":\"user.steer\",\"text\":\"one\"},"
                + "{\"id\":\"b1\",\"type\":\"user.steer\",\"text\":\"two\"}]}");
    assertThat(got.status()).as(got.text()).isEqualTo(409);
    assertThat(got.code()).isEqualTo("id_conflict");
  }

  @Test
  void aNumberOfASourceIsNotGivenToAnother() {
    post(OPEN);
    String body = "{\"sources\":[{\"sid\":1,\"url\":\"http://%s/\",\"title\":\"t\"}]}";
    Got first = served.post(C + "/sources", body.formatted("a"));
    assertThat(served.post(C + "/sources", body.formatted("a")).text()).isEqualTo(first.text());
    assertThat(served.post(C + "/sources", body.formatted("b")).code()).isEqualTo("sid_conflict");
  }

  @Test
  void aSourceThatComesBackKeepsItsLongerText() {
    post(OPEN);
    String source = "{\"url\":\"http://a/\",\"title\":\"t\",\"text\":\"%s\"}";
    String put = "{\"sources\":[%s]}";
    served.post(C + "/sources", put.formatted(source.formatted("a long text about it")));
    served.send("PUT", C + "/sources", put.formatted("{\"url\":\"http://b/\",\"title\":\"u\"}"));
    served.restart();
    Got back = served.post(C + "/sources", put.formatted(source.formatted("short")));
    assertThat(back.text()).contains("a long text about it").doesNotContain("short");
  }

  @Test
  void attachmentsOfOneNameAreBothReadable() {
    String file = "{\"name\":\"menu.txt\",\"mime\":\"text/plain\",\"text\":\"%s\"}";
    String third = "{\"name\":\"menu-2.txt\",\"mime\":\"text/plain\",\"text\":\"own\"}";
    String body =
        "{\"turn_id\":\"t1\",\"prompt\":\"q\",\"attachments\":[%s,%s,%s]}"
            .formatted(file.formatted("one"), file.formatted("two"), third);
    Got first = served.post(C + "/turns", body);
    assertThat(first.status()).isEqualTo(201);
    assertThat(served.post(C + "/turns", body).text()).isEqualTo(first.text());
    assertThat(read("menu.txt")).isEqualTo("one");
    assertThat(read("menu-2.txt")).isEqualTo("own");
    assertThat(read("menu-3.txt")).isEqualTo("two");
    String shown = served.post(C + "/render", "{}").text();
    assertThat(shown).contains("t1/attachments/menu-3.txt").contains("one", "two", "own");
  }

  private String read(String name) {
    Got got = served.get(C + "/artifact?path=fi:t1.user.attachments/" + name);
    assertThat(got.status()).as(got.text()).isEqualTo(200);
    return got.string("text");
  }
}
