package dev.contexture.view;

import java.util.Locale;
import org.apiguardian.api.API;

/** Who speaks a message. Tool results are spoken by the user. */
@API(status = API.Status.STABLE, since = "0.1")
public enum Role {
  USER,
  ASSISTANT;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
