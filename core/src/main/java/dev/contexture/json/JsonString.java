package dev.contexture.json;

import java.util.Objects;
import org.apiguardian.api.API;

/** A JSON string. */
@API(status = API.Status.STABLE, since = "0.1")
public record JsonString(String value) implements JsonValue {
  public JsonString {
    Objects.requireNonNull(value);
  }

  @Override
  public String toString() {
    return toJson();
  }
}
