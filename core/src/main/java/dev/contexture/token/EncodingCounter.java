package dev.contexture.token;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Counts with an encoding of a known tokenizer, which is read from the class path on first use. */
final class EncodingCounter implements TokenCounter {
  private static final EncodingRegistry REGISTRY = Encodings.newLazyEncodingRegistry();

  private final String name;
  private volatile @Nullable ToLongFunction<String> counter;

  EncodingCounter(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long count(String text) {
    return text.isEmpty() ? 0 : counter().applyAsLong(text);
  }

  /** Counts as the encoding does by itself, without a bound on time and memory. */
  static ToLongFunction<String> encoder(String name) {
    Encoding encoding =
        REGISTRY
            .getEncoding(name)
            .orElseThrow(() -> new IllegalStateException("jtokkit lacks " + name));
    return encoding::countTokensOrdinary;
  }

  private ToLongFunction<String> counter() {
    ToLongFunction<String> known = counter;
    if (known == null) {
      ToLongFunction<String> encoder = encoder(name);
      known = new PieceCounter(encoder, name.equals("o200k_base"))::count;
      counter = known;
    }
    return known;
  }
}
