package dev.contexture.server.access;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/**
 * Slows down those who try keys: an address has some wrong tries free, and one more for each second
 * without; beyond, each refusal waits a second. Right keys are looked up before and wait for
 * nothing, also from the same address. So many refusals wait at the same time; others are refused
 * at once, and their connection is closed. Addresses that tried long ago are forgotten.
 * Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WrongKeyDelay {
  static final int FREE_TRIES = 100;
  static final int MAX_ADDRESSES = 10_000;
  static final int MAX_WAITING = 64;
  static final Duration PAUSE = Duration.ofSeconds(1);

  private static final int NETWORK_BYTES = 8; // of an IPv6 address: one caller has many of them

  private final LongSupplier nanos;
  private final Pause pause;
  private final Semaphore waiting = new Semaphore(MAX_WAITING);
  private final Map<String, Tries> addresses =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Tries> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  /** Waits. */
  @FunctionalInterface
  interface Pause {
    void pause(Duration time) throws InterruptedException;
  }

  /** The number of tries that are left, and its time. */
  private record Tries(double left, long at) {}

  public WrongKeyDelay() {
    this(System::nanoTime, Thread::sleep);
  }

  public WrongKeyDelay(LongSupplier nanos, Pause pause) {
    this.nanos = nanos;
    this.pause = pause;
  }

  /**
   * Counts a wrong key and waits if there were too many from this address.
   *
   * @throws ContextureException {@code too_many_requests} if too many wait already
   */
  public void tried(String address) {
    if (isFree(network(address))) {
      return;
    }
    if (!waiting.tryAcquire()) {
      throw new ContextureException(
          ErrorCode.TOO_MANY_REQUESTS, "too many wrong keys; try again later");
    }
    try {
      pause.pause(PAUSE);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.release();
    }
  }

  private synchronized boolean isFree(String network) {
    long now = nanos.getAsLong();
    Tries known = addresses.getOrDefault(network, new Tries(FREE_TRIES, now));
    double more = (double) (now - known.at()) / PAUSE.toNanos();
    double left = Math.min(FREE_TRIES, known.left() + more) - 1;
    addresses.put(network, new Tries(Math.max(left, 0), now));
    return left >= 0;
  }

  private static String network(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.getByName(address).getAddress();
      return HexFormat.of().formatHex(bytes, 0, Math.min(NETWORK_BYTES, bytes.length));
    } catch (UnknownHostException notAnAddress) {
      return address;
    }
  }
}
