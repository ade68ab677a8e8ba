package dev.contexture.search;

import org.apiguardian.api.API;

/** A failure of an index that cannot be read or written any more; it has to be rebuilt. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DamagedIndexException extends RuntimeException {
  public DamagedIndexException(String message, Throwable cause) {
    super(message, cause);
  }
}
