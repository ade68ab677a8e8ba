package dev.contexture.cli.support;

import dev.contexture.Contexture;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.provider.embedding.OpenAiEmbedder;
import dev.contexture.search.Embedder;
import java.net.URI;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Reads the option that names an embedder. */
public final class Embedders {
  public static final String NONE = "none";

  private static final String OPENAI = "openai=";

  /** Named here, because a logger that nobody holds forgets its level. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private Embedders() {}

  /** Lucene tells at its start which instructions of the processor it uses; nobody asked. */
  static void quiet() {
    LUCENE.setLevel(Level.SEVERE);
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
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT,
        "--embedder",
        name,
        "none, or openai=MODEL@URL such as"
            + " openai=text-embedding-3-small@https://api.openai.com/v1");
  }
}
