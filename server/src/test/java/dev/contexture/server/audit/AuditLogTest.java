package dev.contexture.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  @TempDir Path directory;

  private static JsonObject entry(int number) {
    return JsonObject.builder().put("n", number).put("text", "x".repeat(20)).build();
  }

  private static List<String> numbers(AuditLog log, int limit) {
    return log.newest(any -> true, limit).stream()
        .map(found -> found.find("n").map(Object::toString).orElse("damaged"))
        .toList();
  }

  @Test
  void beginsANewFileWhereOneIsFullAndKeepsSoMany() throws IOException {
    AuditLog log = new AuditLog(directory.resolve("audit.jsonl"), 100, 2);
    long line = entry(1).toJson().length() + 1L;
    for (int i = 1; i <= 12; i++) {
      log.append(entry(i));
    }
    long perFile = 100 / line;
    assertThat(Files.size(log.file())).isLessThanOrEqualTo(100);
    assertThat(directory.resolve("audit.jsonl.2")).exists();
    assertThat(directory.resolve("audit.jsonl.3")).doesNotExist();
    List<String> all = numbers(log, 100);
    assertThat(all).hasSizeBetween((int) (2 * perFile), (int) (3 * perFile));
    assertThat(all.getFirst()).contains("12");
    assertThat(numbers(log, 4)).isEqualTo(all.subList(0, 4));
  }

  @Test
  void leavesALineThatBrokeOffInItsPlace() throws IOException {
    AuditLog log = new AuditLog(directory.resolve("audit.jsonl"));
    log.append(entry(1));
    Files.writeString(log.file(), "{\"n\":2,\"te", StandardOpenOption.APPEND);
    log.append(entry(3));
    assertThat(log.newest(any -> true, 9))
        .extracting(JsonObject::toJson)
        .containsExactly(entry(3).toJson(), "{\"damaged\":true}", entry(1).toJson());
  }

  @Test
  void saysThatItCannotBeWritten() {
    AuditLog log = new AuditLog(directory.resolve("none").resolve("audit.jsonl"));
    assertThatThrownBy(log::requireWritable).hasMessageContaining("cannot be written");
    assertThat(log.newest(any -> true, 9)).isEmpty();
  }
}
