package dev.contexture.memory.textedit;

import dev.contexture.json.JsonBoolean;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.Locale;
import org.apiguardian.api.API;

/** The outcome of an edit against a base. */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public enum BaseEdit {
  /** It was made, or there was nothing to change. */
  APPLIED,
  /** Nothing was done: others have changed or deleted the item, which its author has not seen. */
  ITEM_CHANGED;

  /** Whether the edit is part of the document. */
  public boolean applied() {
    return this == APPLIED;
  }

  /** What an operation says about it: nothing if it was made. */
  public JsonObject json() {
    return applied()
        ? JsonObject.EMPTY
        : JsonObject.builder()
            .put("applied", new JsonBoolean(false))
            .put("reason", JsonValue.of(name().toLowerCase(Locale.ROOT)))
            .build();
  }
}
