package dev.contexture.token;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import org.jspecify.annotations.Nullable;

/** Counts with one of OpenAI's encodings, which is read from the class path on first use. */
final class EncodingCounter implements TokenCounter {
  private static final EncodingRegistry REGISTRY = Encodings.newLazyEncodingRegistry();

  private final String name;
  private volatile @Nullable Encoding encoding;

  EncodingCounter(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long count(String text) {
    return text.isEmpty() ? 0 : encoding().countTokensOrdinary(text);
  }

  private Encoding encoding() {
    Encoding known = encoding;
    if (known == null) {
      known =
          REGISTRY
              .getEncoding(name)
              .orElseThrow(() -> new IllegalStateException("jtokkit lacks " + name));
      encoding = known;
    }
    return known;
  }
}
