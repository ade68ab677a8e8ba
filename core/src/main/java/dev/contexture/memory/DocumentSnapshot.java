package dev.contexture.memory;

import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentRenderer;
import dev.contexture.memory.schema.BlockSchema;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The content of a document at one version. Immutable and thread-safe.
 *
 * @param value the content as {@link StructuredDocument#exportJson} has it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DocumentSnapshot(long version, BlockSchema schema, JsonValue value) {
  /** The content as prompts show it. */
  public String render() {
    return ContentRenderer.render(schema, value, true);
  }

  /** The content as prompts show it, but all lines of texts. */
  public String renderWithoutViewport() {
    return ContentRenderer.render(schema, value, false);
  }

  /** The sections and fields that differ in another snapshot; the empty name for the whole. */
  public Set<String> changedTo(DocumentSnapshot after) {
    return DocumentRules.changed(schema, value, after.value());
  }
}
