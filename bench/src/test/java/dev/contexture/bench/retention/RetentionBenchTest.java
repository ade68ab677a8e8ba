package dev.contexture.bench.retention;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.bench.support.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionBenchTest {
  @TempDir Path folder;

  private static final String SESSION =
      Path.of(Objects.requireNonNull(System.getProperty("contexture.root")))
          .resolve("bench/src/test/resources/airline.events.jsonl")
          .toString();

  private static String run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(new RetentionBench().run(List.of(args), new PrintStream(out, true, UTF_8))).isZero();
    return out.toString(UTF_8);
  }

  @Test
  void measuresSessionsByGroupAndSaysWhatTheyCost() {
    assertThat(
            run(
                "sessions",
                SESSION,
                "--limits",
                "16000",
                "--presets",
                "economical,last-messages",
                "--json"))
        .contains("\"bench\":\"retention\"")
        .contains("\"name\":\"sessions 16000 economical airline sentences\",\"value\":100")
        .contains("\"name\":\"sessions 16000 economical all references\"")
        .contains("\"name\":\"sessions 16000 economical all cost\"")
        .contains("\"name\":\"sessions 16000 airline sentences\"")
        .doesNotContain("standard");
  }

  @Test
  void measuresFactsAfterCompactions() {
    assertThat(run("needles", "--quick"))
        .contains("after 1 ", "fit, after 5", "cut lines", "economical", "blind-summary")
        .containsPattern("4000 +last-messages +100.0 % of 25 +10.5 % of 38");
  }

  @Test
  void looksForTheMessagesThatAnswerAQuestion() throws IOException {
    List<String> docs = new ArrayList<>();
    docs.add(doc("d1", "Ann", "The storm delayed the parcel."));
    for (int i = 2; i < 40; i++) {
      docs.add(doc("d" + i, i % 2 == 0 ? "Bob" : "Ann", "Small talk number " + i + " goes on."));
    }
    Files.write(folder.resolve("docs.jsonl"), docs);
    Files.writeString(
        folder.resolve("queries.jsonl"),
        """
        {"corpus":"c","id":"q1","query":"Which parcel was late?","category":"one"}
        {"corpus":"c","id":"q2","query":"Which number was the last?","category":"one"}
        {"corpus":"c","id":"q3","query":"Was it zebras?","category":"one"}
        """);
    Files.writeString(
        folder.resolve("qrels.jsonl"),
        """
        {"id":"q1","relevant":["d1"]}
        {"id":"q2","relevant":["d39"]}
        {"id":"q3","relevant":["d1","d39"]}
        """);
    assertThat(
            run(
                "dialogues",
                folder.toString(),
                "--limits",
                "4000",
                "--presets",
                "standard,last-messages"))
        .containsPattern("4000 +standard +100.0 % of 3 +100.0 % of 3")
        .containsPattern("4000 +last-messages +33.3 % of 3 +66.7 % of 3");
  }

  private static String doc(String id, String speaker, String text) {
    return "{\"corpus\":\"c\",\"id\":\""
        + id
        + "\",\"text\":\""
        + text
        + "\",\"speaker\":\""
        + speaker
        + "\",\"time\":\"\",\"session\":1,\"extra\":\"\"}";
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    for (List<String> args :
        List.of(
            List.of("pins"),
            List.of("--limits"),
            List.of("--limits", "many"),
            List.of("--presets", "thrifty"),
            List.of("--frobnicate", "1"))) {
      assertThatThrownBy(() -> new RetentionBench().run(args, System.out))
          .isInstanceOf(UsageException.class);
    }
  }
}
