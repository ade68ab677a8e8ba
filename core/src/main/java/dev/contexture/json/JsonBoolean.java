package dev.contexture.json;

import org.apiguardian.api.API;

/** A JSON {@code true} or {@code false}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record JsonBoolean(boolean value) implements JsonValue {
  public static final JsonBoolean TRUE = new JsonBoolean(true);
  public static final JsonBoolean FALSE = new JsonBoolean(false);

  @Override
  public String toString() {
    return toJson();
  }
}
