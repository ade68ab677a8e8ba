package dev.contexture.engine.session;

import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/** Makes the ids that callers leave to the engine. As thread-safe as its source of randomness. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class IdGenerator {
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
  private static final int TURN_CHARS = 6;
  private static final int HEX_BYTES = 6;

  private final RandomGenerator random;

  public IdGenerator(RandomGenerator random) {
    this.random = random;
  }

  /** {@code turn_<epoch ms>_<6 letters and digits>}. */
  public TurnId turn(Instant now) {
    StringBuilder id = new StringBuilder("turn_").append(now.toEpochMilli()).append('_');
    for (int i = 0; i < TURN_CHARS; i++) {
      id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return TurnId.of(id.toString());
  }

  /** {@code tc_<12 hex digits>}. */
  public CallId call() {
    return new CallId("tc_" + hex());
  }

  /** An id with a prefix, for example {@code req_0123456789ab}. */
  public String of(String prefix) {
    return prefix + "_" + hex();
  }

  /** The source of everything that nobody may guess. */
  public RandomGenerator random() {
    return random;
  }

  private String hex() {
    byte[] bytes = new byte[HEX_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
