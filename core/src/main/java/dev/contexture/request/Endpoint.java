package dev.contexture.request;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The address that a body is sent to, without the host.
 *
 * @param path of the address, with its query; empty: not known
 * @param headers all but the one that carries the key, by name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Endpoint(String path, Map<String, String> headers) {
  /** Nothing is known of it but that it takes JSON. */
  public static final Endpoint UNKNOWN = of("");

  public Endpoint {
    headers = Collections.unmodifiableMap(new TreeMap<>(headers));
  }

  /** A path that wants JSON and nothing else. */
  public static Endpoint of(String path) {
    return new Endpoint(path, Map.of("content-type", "application/json"));
  }
}
