package dev.contexture.provider.wire;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A tool choice of a body under which the model must call something.
 *
 * @param pointer where it stands
 * @param names the tools of which one must be called; empty: any
 * @param ofProvider whether tools of the provider itself count
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ForcedCall(String pointer, List<String> names, boolean ofProvider) {
  public ForcedCall {
    names = List.copyOf(names);
  }
}
