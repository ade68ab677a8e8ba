package dev.contexture.request;

import org.apiguardian.api.API;

/**
 * Writes the requests of one conversation. It remembers the encoded parts of its last request, by
 * identity, so that the next one encodes only what is new; the bytes are the same as without. Holds
 * about as much memory as that request. Thread-safe.
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface RequestWriter {
  /**
   * @throws dev.contexture.error.ContextureException {@code invalid_argument} if two tools share a
   *     name
   */
  ProviderRequest write(RequestInput input);
}
