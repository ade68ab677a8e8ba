package dev.contexture.memory.schema;

import java.util.ArrayList;
import java.util.List;

/** A schema in one line, for prompts. */
final class SchemaLine {
  private SchemaLine() {}

  static String of(BlockSchema schema) {
    return switch (schema) {
      case TextSchema text ->
          text.viewport()
              .map(window -> "Text(lines " + window.startLine() + "-" + window.endLine() + ")")
              .orElse("Text");
      case MapSchema map -> with("Map", map.fields().stream().map(SchemaLine::field).toList());
      case ListSchema list -> {
        List<String> parts = new ArrayList<>();
        list.maxItems().ifPresent(max -> parts.add("max " + max));
        list.itemSchema().ifPresent(item -> parts.add("item " + of(item)));
        yield with("List", parts);
      }
      case LogSchema log -> {
        List<String> parts = new ArrayList<>();
        parts.add("show " + log.displayLimit());
        if (log.entry().timestamp()) {
          parts.add(LogSchema.TIMESTAMP);
        }
        if (log.entry().agentId()) {
          parts.add(LogSchema.AGENT_ID);
        }
        log.entry().fields().forEach(field -> parts.add(field(field)));
        yield with("Log", parts);
      }
      case CompositeSchema composite ->
          with("Composite", composite.sections().stream().map(SchemaLine::section).toList());
    };
  }

  private static String with(String kind, List<String> parts) {
    return parts.isEmpty() ? kind : kind + "(" + String.join(", ", parts) + ")";
  }

  private static String field(FieldDef field) {
    StringBuilder out = new StringBuilder(field.name() + ": " + field.type().identifier());
    if (field.required()) {
      out.append(" required");
    }
    field
        .whenUnset()
        .ifPresent(
            value -> {
              ValueWriter shown = new ValueWriter();
              shown.value(value);
              out.append(" default ").append(shown.toString().replaceAll("\\R", " "));
            });
    if (field.readOnly()) {
      out.append(" read-only");
    }
    return out.toString();
  }

  private static String section(SectionDef section) {
    return section.name() + ": " + of(section.schema()) + (section.readOnly() ? " read-only" : "");
  }
}
