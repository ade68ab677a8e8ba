package dev.contexture.engine.request;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Names a conversation, or all of an agent's, to a provider's cache router. Who does not have the
 * secret learns nothing from it about whom it names.
 */
final class CacheKey {
  private static final String VERSION = "cxk1";
  private static final int BYTES = 8;

  private CacheKey() {}

  /** The set of requests that share a key. */
  enum Policy {
    /** One conversation. */
    CONVERSATION,
    /** All conversations of an agent, in whatever user's name. */
    AGENT
  }

  /**
   * The key.
   *
   * @param secret of the tenant; at least one byte
   * @param agent the agent that asks; null: none
   */
  static String of(
      byte[] secret, Scope.OfConversation scope, @Nullable String agent, Policy policy) {
    List<String> fields =
        new ArrayList<>(
            List.of(VERSION, scope.tenant(), scope.project(), agent == null ? "" : agent));
    if (policy == Policy.CONVERSATION) {
      fields.add(scope.user());
      fields.add(scope.conversation());
    }
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      for (String field : fields) {
        byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        mac.update(bytes);
      }
      return "cx-" + HexFormat.of().formatHex(mac.doFinal(), 0, BYTES);
    } catch (GeneralSecurityException | IllegalArgumentException refused) {
      throw new ContextureException(
          ErrorCode.INVALID_CONFIG,
          "the secret for cache keys cannot be used",
          java.util.Map.of(),
          refused);
    }
  }
}
