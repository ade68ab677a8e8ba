package dev.contexture.compaction.summary;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import java.util.List;

/** Default parameters of a search in the conversation's own memory. */
public final class MemorySearchDefaults {
  public static final List<String> TARGETS = List.of("user", "assistant", "attachment");
  public static final int TOP_K = 5;
  public static final int DAYS = 365;

  /** The same as parameters of a call. */
  public static final JsonObject PARAMS =
      JsonObject.builder()
          .put("targets", JsonArray.ofStrings(TARGETS))
          .put("top_k", TOP_K)
          .put("days", DAYS)
          .build();

  private MemorySearchDefaults() {}
}
