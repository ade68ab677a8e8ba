package dev.contexture.server;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages of others out (H-2): a server without keys answers only to requests that name it
 * by a loopback address, and takes writes from no page but its own.
 */
final class Guard {
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\." + BYTE + "){3}");
  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "::1", "[::1]", "0:0:0:0:0:0:0:1");
  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

  private Guard() {}

  /** Whether a host, by name or number, is this machine only. */
  static boolean isLoopback(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return LOOPBACK_NAMES.contains(name) || LOOPBACK_V4.matcher(name).matches();
  }

  /**
   * Judges a request by its headers.
   *
   * @throws ContextureException {@code forbidden}
   */
  static void check(String method, @Nullable String host, @Nullable String origin) {
    if (host == null || !isLoopback(nameOf(host))) {
      throw forbidden(
          "the Host header is '" + host + "'; without keys only loopback names are served", "Host");
    }
    if (origin != null && !READS.contains(method) && !isSame(origin, host)) {
      throw forbidden(
          "the request comes from a page of '" + origin + "', which may not write here", "Origin");
    }
  }

  private static String nameOf(String host) {
    int port = host.lastIndexOf(':');
    boolean bare = port < 0 || host.indexOf(']') > port;
    return bare ? host : host.substring(0, port);
  }

  private static boolean isSame(String origin, String host) {
    try {
      URI page = new URI(origin);
      return "http".equals(page.getScheme()) && host.equalsIgnoreCase(page.getRawAuthority());
    } catch (URISyntaxException strange) {
      return false;
    }
  }

  private static ContextureException forbidden(String message, String field) {
    return new ContextureException(ErrorCode.FORBIDDEN, message, Map.of("field", field), null);
  }
}
