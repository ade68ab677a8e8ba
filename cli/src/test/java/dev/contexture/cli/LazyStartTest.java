package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.memory.MemoryCommand;
import dev.contexture.cli.operation.DoctorCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is not used is not loaded: that keeps short commands short. */
@Timeout(300)
class LazyStartTest {
  private static final List<String> HEAVY =
      List.of("org.eclipse.jetty.", "io.javalin.", "org.apache.lucene.", "com.knuddels.");

  @TempDir Path folder;

  @Test
  void theVersionLoadsNoCommandAndNoLibrary() throws Exception {
    String loaded = loaded("--version");
    assertThat(loaded).contains("dev.contexture.cli.Main ");
    assertThat(loaded)
        .doesNotContain(HEAVY)
        .doesNotContain("org.sqlite.", "tools.jackson.", "picocli.CommandLine ");
    for (String name : Commands.NAMES) {
      String type = Commands.make(name).getClass().getName();
      assertThat(loaded).doesNotContain(" " + type + " ");
    }
  }

  @Test
  void aCommandLoadsNoOtherOne() throws Exception {
    String loaded = loaded("doctor", "--data", folder.resolve("nowhere").toString());
    assertThat(loaded).contains(DoctorCommand.class.getName() + " ");
    assertThat(loaded).doesNotContain(HEAVY);
    assertThat(loaded)
        .doesNotContain(
            SearchCommand.class.getName() + " ",
            ReplayCommand.class.getName() + " ",
            MemoryCommand.class.getName() + " ");
  }

  private String loaded(String... args) throws IOException, InterruptedException {
    Path log = folder.resolve("classes.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xlog:class+load:file=" + log);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return Files.readString(log);
  }
}
