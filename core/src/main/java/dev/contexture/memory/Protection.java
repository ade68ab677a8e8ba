package dev.contexture.memory;

import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.schema.SectionDef;

/** Checks whether an edit may write the section and field that it names. */
final class Protection {
  private Protection() {}

  /**
   * Refuses read-only parts to everyone but the system; names that do not exist pass here.
   *
   * @throws dev.contexture.error.ContextureException {@code read_only}
   */
  static void check(DocumentSettings settings, Edit edit) {
    if (edit.actor().isSystem()) {
      return;
    }
    BlockSchema schema = settings.schema();
    String section = edit.section();
    if (section != null && schema instanceof CompositeSchema composite) {
      SectionDef found = composite.section(section).orElse(null);
      if (found == null) {
        return;
      }
      if (found.readOnly()) {
        throw MemoryErrors.readOnly(settings, edit.actor(), "section " + section);
      }
      schema = found.schema();
    }
    String field = edit.field();
    boolean readOnly =
        field != null
            && schema instanceof MapSchema map
            && map.field(field).map(FieldDef::readOnly).orElse(false);
    if (readOnly) {
      throw MemoryErrors.readOnly(
          settings, edit.actor(), "field " + ContentReader.prefix(section) + field);
    }
  }
}
