package dev.contexture.request;

import org.apiguardian.api.API;

/**
 * The origin of a block of a request.
 *
 * @param path of the timeline block, or {@code tools}, {@code system}, {@code tail} for what is
 *     none
 * @param seq its sequence number; 0: it has none
 * @param actor who wrote it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Origin(String path, long seq, String actor) {
  /** The host gave it with the request. */
  public static Origin host(String what) {
    return new Origin(what, 0, "host");
  }
}
