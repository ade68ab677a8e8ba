package dev.contexture.engine.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import org.junit.jupiter.api.Test;

/** The vectors of P-31. */
class CacheKeyTest {
  private static final Scope.OfConversation SCOPE =
      Scope.of("t1", "p1").user("u1").conversation("c1");

  private static byte[] secret() {
    byte[] secret = new byte[32];
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) i;
    }
    return secret;
  }

  @Test
  void isThatOfTheVectors() {
    assertThat(CacheKey.of(secret(), SCOPE, "atlas", CacheKey.Policy.CONVERSATION))
        .isEqualTo("cx-328952011d70a70c");
    assertThat(CacheKey.of(secret(), SCOPE, "atlas", CacheKey.Policy.AGENT))
        .isEqualTo("cx-e181e4719c8577cf");
  }

  @Test
  void tellsConversationsApart() {
    String one = CacheKey.of(secret(), SCOPE, null, CacheKey.Policy.CONVERSATION);
    Scope.OfConversation other = Scope.of("t1", "p1").user("u1").conversation("c2");
    assertThat(CacheKey.of(secret(), other, null, CacheKey.Policy.CONVERSATION)).isNotEqualTo(one);
  }

  @Test
  void needsASecret() {
    assertThatThrownBy(() -> CacheKey.of(new byte[0], SCOPE, null, CacheKey.Policy.CONVERSATION))
        .isInstanceOf(ContextureException.class);
  }
}
