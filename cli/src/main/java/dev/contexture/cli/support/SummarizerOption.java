package dev.contexture.cli.support;

import dev.contexture.compaction.ExtractiveSummarizer;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.compaction.summary.SummarizerProvider;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The option that selects the writer of summaries: {@code extractive}, {@code
 * anthropic=MODEL[@URL]} or {@code openai=MODEL[@URL]}.
 *
 * <p>The providers' libraries are large and bring libraries of their own. They lie in the folder
 * {@code lib} beside the runnable jar, and a class loader of their own reads them only when a model
 * is chosen: other starts do not pay for them, and their versions meet nobody else's.
 */
public final class SummarizerOption {
  private static final String EXTRACTIVE = "extractive";
  private static final Pattern MODEL =
      Pattern.compile("(?<kind>[a-z]+)=(?<model>.+?)(?:@(?<url>https?://.+))?");

  private SummarizerOption() {}

  /**
   * Opens what the option names.
   *
   * @param environment where keys come from
   * @throws ContextureException {@code invalid_argument} if it is not understood, {@code
   *     invalid_config} if a key is missing
   */
  public static Summarizer open(String option, Function<String, @Nullable String> environment) {
    if (option.equals(EXTRACTIVE)) {
      return new ExtractiveSummarizer();
    }
    Matcher parts = MODEL.matcher(option);
    if (!parts.matches()) {
      throw unknown(option);
    }
    for (SummarizerProvider provider : ServiceLoader.load(SummarizerProvider.class, libraries())) {
      Optional<Summarizer> found =
          provider.open(parts.group("kind"), parts.group("model"), parts.group("url"), environment);
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw unknown(option);
  }

  private static ContextureException unknown(String option) {
    return ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT,
        "--summarizer",
        option,
        "extractive, anthropic=MODEL[@URL] or openai=MODEL[@URL]");
  }

  /** Where the libraries are: beside the runnable jar, or on the class path like everything. */
  private static ClassLoader libraries() {
    ClassLoader own = SummarizerOption.class.getClassLoader();
    Path code = code();
    if (!Files.isRegularFile(code)) {
      return own;
    }
    Path folder = code.resolveSibling("lib");
    if (!Files.isDirectory(folder)) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          "a model cannot write summaries, because the folder "
              + folder
              + " is missing; keep it beside the jar");
    }
    return new URLClassLoader("summarizer", jars(folder), new EngineOnly(own));
  }

  private static Path code() {
    try {
      URL place = SummarizerOption.class.getProtectionDomain().getCodeSource().getLocation();
      return Path.of(place.toURI());
    } catch (URISyntaxException broken) {
      throw new IllegalStateException(broken);
    }
  }

  private static URL[] jars(Path folder) {
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".jar")).sorted().toList()) {
        jars.add(file.toUri().toURL());
      }
    } catch (MalformedURLException broken) {
      throw new IllegalStateException(broken);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return jars.toArray(URL[]::new);
  }

  /** Shows the engine's classes and those of the JDK, and nothing else that the jar holds. */
  private static final class EngineOnly extends ClassLoader {
    private final ClassLoader engine;

    EngineOnly(ClassLoader engine) {
      super("engine", ClassLoader.getPlatformClassLoader());
      this.engine = engine;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      boolean shared = name.startsWith("dev.contexture.") || name.startsWith("org.slf4j.");
      if (!shared) {
        throw new ClassNotFoundException(name);
      }
      return engine.loadClass(name);
    }
  }
}
