package dev.contexture.cli.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.Main;
import dev.contexture.cli.Run;
import dev.contexture.cli.Served;
import dev.contexture.cli.output.Printer;
import dev.contexture.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code contexture backup}; what it copies under writes is shown where it is made. */
class BackupCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void makesACopyThatIsAStore(boolean byServer) {
    Path data = folder.resolve("data");
    Path copy = folder.resolve("copy");
    Served.fill(data, "c1", 3);
    try (Served store = Served.open(data, byServer)) {
      Run people = store.run("backup", copy.toString());
      assertThat(people.exitCode()).as(people.err()).isZero();
      assertThat(people.out()).contains("1 conversation, 0 memory blocks", "checked");
      Run again = store.run("backup", copy.toString());
      assertThat(again.exitCode()).isEqualTo(Main.FAILED);
      assertThat(again.err()).contains("never overwrites", "code: invalid_argument");
      JsonObject json = store.run("backup", folder.resolve("two").toString(), "--json").json();
      assertThat(Printer.number(json, "conversations")).isEqualTo(1);
      assertThat(Printer.number(json, "size_bytes")).isPositive();
    }
    try (Served store = Served.open(copy, false)) {
      assertThat(store.run("conversations", "show", "c1", "--user", "u").out()).contains("3 turns");
      assertThat(store.run("search", "windmill").out()).contains("windmill 2");
    }
    assertThat(Files.exists(folder.resolve("two/contexture.lock"))).isFalse();
  }
}
