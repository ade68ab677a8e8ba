package dev.contexture.cli.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.Main;
import dev.contexture.cli.Run;
import dev.contexture.cli.Served;
import dev.contexture.cli.output.Printer;
import dev.contexture.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Erasing for good, beside a running server and without one. */
class EraseCommandTest {
  @TempDir Path directory;

  @BeforeEach
  void write() {
    Served.fill(directory, "c1", 3);
    Served.fill(directory, "c2", 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void erasesOnlyIfSureAndWhatIsNamed(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      Run unsure = store.run("erase", "conversation", "c1", "--user", "u");
      assertThat(unsure.exitCode()).isEqualTo(Main.FAILED);
      assertThat(unsure.err()).contains("nothing was erased", "--yes");
      Run one = store.run("erase", "conversation", "c1", "--user", "u", "--yes");
      assertThat(one.exitCode()).as(one.err()).isZero();
      assertThat(one.out()).contains("erased conversation c1");
      assertThat(store.run("conversations", "show", "c1", "--user", "u").err())
          .contains("code: not_found");
      assertThat(store.run("conversations", "show", "c2", "--user", "u").exitCode()).isZero();
      Run user = store.run("erase", "user", "u", "--yes", "--json");
      JsonObject erased = user.json();
      assertThat(erased.string("kind")).contains("user");
      assertThat(Printer.number(erased.object("erased").orElseThrow(), "conversations"))
          .isPositive();
      assertThat(erased.isTrue("pending")).isFalse();
      assertThat(store.run("conversations", "show", "c2", "--user", "u").err())
          .contains("code: not_found");
      assertThat(store.run("erase", "user", "u", "--yes").exitCode())
          .as("what is gone is no failure")
          .isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void needsToKnowWhatAndWhose(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      assertThat(store.run("erase", "conversation", "c1", "--yes").err()).contains("--user");
      assertThat(store.run("erase", "block", "notes", "--yes").err()).contains("--agent");
      assertThat(store.run("erase", "planet", "x", "--yes").exitCode()).isEqualTo(2);
      assertThat(store.run("erase", "project", "other", "--yes").err()).contains("X-Confirm");
      for (List<String> gone :
          List.of(
              List.of("block", "nope", "--agent", "a"),
              List.of("agent", "nope"),
              List.of("project", "local"))) {
        List<String> arguments = new java.util.ArrayList<>(List.of("erase"));
        arguments.addAll(gone);
        arguments.add("--yes");
        Run done = store.run(arguments.toArray(String[]::new));
        assertThat(done.exitCode()).as(done.err()).isZero();
      }
      assertThat(store.run("conversations", "show", "c1", "--user", "u").err())
          .contains("code: not_found");
    }
  }
}
