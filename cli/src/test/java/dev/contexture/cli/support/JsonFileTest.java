package dev.contexture.cli.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonFileTest {
  @TempDir private Path folder;

  @Test
  void readsAnObject() throws IOException {
    assertThat(JsonFile.read(file("{\"a\":1.10}".getBytes(UTF_8))).toJson())
        .isEqualTo("{\"a\":1.10}");
  }

  @Test
  void namesTheFileThatIsNotThere() {
    assertRefused(ErrorCode.NOT_FOUND, folder.resolve("absent.json"));
  }

  @Test
  void refusesAFolder() {
    assertRefused(ErrorCode.INVALID_ARGUMENT, folder);
  }

  @Test
  void refusesWhatIsNotJson() throws IOException {
    assertRefused(ErrorCode.MALFORMED_JSON, file("{".getBytes(UTF_8)));
  }

  @Test
  void refusesWhatIsNotUtf8() throws IOException {
    assertRefused(ErrorCode.MALFORMED_JSON, file(new byte[] {'"', (byte) 0xff, '"'}));
  }

  @Test
  void refusesAnotherValueThanAnObject() throws IOException {
    assertRefused(ErrorCode.FIELD_TYPE, file("[]".getBytes(UTF_8)));
  }

  private static void assertRefused(ErrorCode code, Path file) {
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> JsonFile.read(file))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(code))
        .withMessageContaining(file.toString());
  }

  private Path file(byte[] content) throws IOException {
    return Files.write(folder.resolve("in.json"), content);
  }
}
