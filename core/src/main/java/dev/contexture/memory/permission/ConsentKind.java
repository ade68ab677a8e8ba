package dev.contexture.memory.permission;

import java.util.Locale;
import org.apiguardian.api.API;

/** The kind of approval that a write needs. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ConsentKind {
  /** The human that is configured as the owner of the store. */
  PARTNER,
  /** Any human. */
  HUMAN;

  /** The kind as JSON has it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
