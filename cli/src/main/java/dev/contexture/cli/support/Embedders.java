package dev.contexture.cli.support;

import dev.contexture.Contexture;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.provider.embedding.OpenAiEmbedder;
import dev.contexture.search.Embedder;
import dev.contexture.search.EmbedderProvider;
import java.net.URI;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Reads the option that names an embedder. */
public final class Embedders {
  public static final String NONE = "none";

  private static final String OPENAI = "openai=";
  private static final String LOCAL = "local";

  /** Named here, because a logger that nobody holds forgets its level. */
  private static final Logger TOKENIZER = Logger.getLogger("ai.djl");

  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private Embedders() {}

  /** Libraries tell at their start what they found on the machine; nobody asked. */
  static void quiet() {
    LUCENE.setLevel(Level.SEVERE);
    TOKENIZER.setLevel(Level.SEVERE);
  }

  /** The settings of an engine with the embedder of a name. */
  public static UnaryOperator<Contexture.Builder> settings(String name) {
    Embedder embedder = of(name);
    return settings -> settings.embedder(embedder);
  }

  /** The embedder of a name; null for none. */
  static @Nullable public Embedder of(String name) {
    if (name.equals(NONE)) {
      return null;
    }
    int at = name.indexOf('@');
    if (name.startsWith(OPENAI) && at > OPENAI.length() && at < name.length() - 1) {
      try {
        URI address = URI.create(name.substring(at + 1));
        if ("http".equals(address.getScheme()) || "https".equals(address.getScheme())) {
          String model = name.substring(OPENAI.length(), at);
          return OpenAiEmbedder.of(model, address, System.getenv("OPENAI_API_KEY"));
        }
      } catch (IllegalArgumentException unreadable) {
        // refused below
      }
    }
    for (EmbedderProvider provider : ServiceLoader.load(EmbedderProvider.class)) {
      Optional<Embedder> known = provider.open(name);
      if (known.isPresent()) {
        return known.orElseThrow();
      }
    }
    boolean absent = name.equals(LOCAL) || name.startsWith(LOCAL + "=");
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT,
        "--embedder",
        name,
        absent
            ? "local with contexture-embedder-local on the class path: ./contexture of a clone"
                + " fetches and adds it by itself"
            : "none, local, local=MODEL, or openai=MODEL@URL such as"
                + " openai=text-embedding-3-small@https://api.openai.com/v1");
  }
}
