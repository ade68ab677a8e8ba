package dev.contexture.server.access;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Keeps web pages of others out: a server without keys answers only to requests that name it by a
 * loopback address, and takes writes from no page but its own.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OriginGuard {
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\." + BYTE + "){3}");
  private static final Set<String> LOOPBACK_NAMES =
      Set.of("localhost", "::1", "[::1]", "0:0:0:0:0:0:0:1");
  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
  private static final String CROSS_SITE = "cross-site";
  private static final Pattern JSON =
      Pattern.compile("application/json\\s*(;.*)?", Pattern.CASE_INSENSITIVE);

  private OriginGuard() {}

  /** Whether a host, by name or number, is this machine only. */
  public static boolean isLoopback(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return LOOPBACK_NAMES.contains(name) || LOOPBACK_V4.matcher(name).matches();
  }

  /**
   * Judges a request by its headers. A form of a page can send no JSON, so that a write for a page
   * has to be JSON; what no browser sent may say what it likes.
   *
   * @throws ContextureException {@code forbidden} or {@code unsupported_type}
   */
  static void check(String method, Authenticator.Headers headers) {
    String host = headers.host();
    if (host == null || !isLoopback(nameOf(host))) {
      throw forbidden(
          "the Host header is '" + host + "'; without keys only loopback names are served", "Host");
    }
    if (READS.contains(method)) {
      return;
    }
    if (CROSS_SITE.equalsIgnoreCase(headers.fetchSite())) {
      throw forbidden("a page of another site may not write here", "Sec-Fetch-Site");
    }
    String origin = headers.origin();
    if (origin == null) {
      return;
    }
    if (!isSame(origin, host)) {
      throw forbidden(
          "the request comes from a page of '" + origin + "', which may not write here", "Origin");
    }
    String type = headers.contentType();
    if (type != null && !JSON.matcher(type).matches()) {
      throw ContextureException.invalid(
          ErrorCode.UNSUPPORTED_TYPE, "Content-Type", type, "application/json");
    }
  }

  private static String nameOf(String host) {
    int port = host.lastIndexOf(':');
    boolean bare = port < 0 || host.indexOf(']') > port;
    return bare ? host : host.substring(0, port);
  }

  /** Whether a page is one of the host that a request names. */
  public static boolean isSame(String origin, String host) {
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
