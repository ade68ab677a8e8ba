package dev.contexture.json;

import org.apiguardian.api.API;

/** The JSON {@code null}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum JsonNull implements JsonValue {
  NULL;

  @Override
  public String toString() {
    return toJson();
  }
}
