package dev.contexture.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles every block of Java in README and docs. What a block takes for granted stands here. */
class DocsJavaTest {
  private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```");

  /** Pages whose blocks another test has word for word, or compiles with other libraries. */
  private static final Set<String> ELSEWHERE =
      Set.of("docs/guide.md", "docs/langchain4j.md", "docs/spring-ai.md", "docs/adk.md");

  private static final String BEFORE =
      """
      import dev.contexture.*;
      import dev.contexture.block.*;
      import dev.contexture.engine.agent.*;
      import dev.contexture.engine.archive.*;
      import dev.contexture.engine.memory.*;
      import dev.contexture.memory.*;
      import dev.contexture.json.*;
      import dev.contexture.memory.permission.*;
      import dev.contexture.memory.schema.*;
      import dev.contexture.otel.*;
      import dev.contexture.prompt.*;
      import dev.contexture.provider.*;
      import dev.contexture.provider.embedding.*;
      import dev.contexture.render.*;
      import dev.contexture.request.*;
      import dev.contexture.request.history.*;
      import dev.contexture.search.*;
      import dev.contexture.store.*;
      import dev.contexture.store.postgres.*;
      import dev.contexture.timeline.*;
      import dev.contexture.turn.*;
      import io.opentelemetry.api.*;
      import java.io.*;
      import java.net.*;
      import java.nio.file.*;
      import java.util.*;
      abstract class %s {
        interface Http {
          String post(String body) throws IOException;
        }

        Http http;
        Contexture cx;
        ContextBrowser chat;
        Turn turn;
        MemoryStore memory;
        List<ToolDef> tools;
        String key;
        String question;

        abstract String run(ToolCall call) throws IOException;

        abstract ToolAnswer mine(ToolCall call);

        abstract String post(String body);

        void block() throws Exception {
      """;

  @TempDir Path out;

  private record Source(String name, String page, String code) {}

  @Test
  void everyBlockCompiles() throws IOException {
    List<Source> sources = sources();
    assertThat(sources).hasSizeGreaterThan(5);
    assertThat(
            sources.stream()
                .flatMap(
                    source ->
                        errors(source, out).stream().map(error -> source.page() + ": " + error)))
        .isEmpty();
  }

  /** Compiles every block into a folder. */
  static void compileAll(Path out) throws IOException {
    sources().forEach(source -> assertThat(errors(source, out)).isEmpty());
  }

  private static List<Source> sources() throws IOException {
    List<Source> sources = new ArrayList<>();
    for (Path page : pages()) {
      String name = root().relativize(page).toString().replace('\\', '/');
      if (!ELSEWHERE.contains(name)) {
        for (MatchResult block : JAVA.matcher(Files.readString(page)).results().toList()) {
          sources.add(new Source("Block" + sources.size(), name, block.group(1)));
        }
      }
    }
    return sources;
  }

  @Test
  void anErrorIsFound() {
    assertThat(errors(new Source("Broken", "none", "cx.noSuchMethod();"), out)).hasSize(1);
  }

  private static List<String> errors(Source source, Path out) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    String text = BEFORE.replace("%s", source.name()) + source.code() + "\n}\n}\n";
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///" + source.name() + ".java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean lenient) {
            return text;
          }
        };
    List<String> options = List.of("-proc:none", "-d", out.toString());
    StringWriter other = new StringWriter();
    boolean compiled = compiler.getTask(other, null, found, options, null, List.of(file)).call();
    List<String> errors =
        found.getDiagnostics().stream()
            .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
            .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
            .toList();
    assertThat(compiled).as(other + source.code()).isEqualTo(errors.isEmpty());
    return errors;
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(root().resolve("docs"))) {
      return Stream.concat(Stream.of(root().resolve("README.md")), docs)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  static Path root() {
    return Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
  }
}
