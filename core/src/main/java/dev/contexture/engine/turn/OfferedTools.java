package dev.contexture.engine.turn;

import dev.contexture.compaction.summary.ToolKind;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.store.RequestRow;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a request, as its record keeps them.
 *
 * @param aliases tools by the name on the wire, where that is another one
 * @param kinds declared kinds by tool
 */
record OfferedTools(JsonObject aliases, JsonObject kinds) {
  static OfferedTools of(@Nullable RequestRow request) {
    return request == null
        ? new OfferedTools(JsonObject.EMPTY, JsonObject.EMPTY)
        : new OfferedTools(
            request.record().object("aliases").orElse(JsonObject.EMPTY),
            request.record().object("tool_kinds").orElse(JsonObject.EMPTY));
  }

  /** The tool of a name on the wire. */
  String named(String wireName) {
    return aliases.string(wireName).orElse(wireName);
  }

  /** The metadata of a call, with the declared kind of its tool. */
  JsonObject describe(String tool, JsonObject meta) {
    return kinds
        .string(tool)
        .map(kind -> meta.with(ToolKind.META_KEY, new JsonString(kind)))
        .orElse(meta);
  }
}
