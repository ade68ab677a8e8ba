package dev.contexture.view;

import java.util.Locale;
import org.apiguardian.api.API;

/** The two forms that a context takes. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Dialect {
  /** One user message of labelled text parts, for models that read a transcript. */
  TRANSCRIPT,
  /** Messages with roles, calls and results, for a provider's own tool protocol. */
  NATIVE;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
