package dev.contexture.memory;

import dev.contexture.crdt.Document;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/*
 * Says the same as DocumentRules on the values of two documents, without making these values: what
 * is stored is compared as it is stored, and items are read as JSON only where their texts differ.
 */
/**
 * Computes the difference between the contents of two documents of one schema. Confined to one
 * thread.
 */
final class ContentDifference {
  private final BlockSchema schema;
  private final Document before;
  private final Document after;

  ContentDifference(BlockSchema schema, Document before, Document after) {
    this.schema = schema;
    this.before = before;
    this.after = after;
  }

  /** The sections and fields that differ; the empty name for the whole. */
  Set<String> names() {
    return names(schema, "");
  }

  private Set<String> names(BlockSchema part, String prefix) {
    return switch (part) {
      case TextSchema _unused -> whole(!sameText(prefix + ContentReader.TEXT));
      case ListSchema _unused -> whole(!sameItems(prefix + ContentReader.ITEMS));
      case LogSchema _unused -> whole(!sameItems(prefix + ContentReader.ENTRIES));
      case MapSchema map ->
          DocumentRules.changed(map, value(before, map, prefix), value(after, map, prefix));
      case CompositeSchema composite -> {
        Set<String> out = new TreeSet<>();
        for (SectionDef section : composite.sections()) {
          String name = section.name();
          for (String inner : names(section.schema(), ContentReader.prefix(name))) {
            out.add("");
            out.add(inner.isEmpty() ? name : name + "/" + inner);
          }
        }
        yield out;
      }
    };
  }

  private static Set<String> whole(boolean differs) {
    return differs ? Set.of("") : Set.of();
  }

  private boolean sameText(String name) {
    return before.text(name).length() == after.text(name).length()
        && before.text(name).toString().equals(after.text(name).toString());
  }

  private boolean sameItems(String name) {
    List<String> was = before.list(name).values();
    List<String> is = after.list(name).values();
    if (was.size() != is.size()) {
      return false;
    }
    for (int i = 0; i < was.size(); i++) {
      if (!sameItem(was.get(i), is.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameItem(String was, String is) {
    return was.equals(is)
        || ContentReader.parse(was).toJson().equals(ContentReader.parse(is).toJson());
  }

  /** The first part that only the system may change and that differs; empty: there is none. */
  String touched() {
    return touched(schema, "");
  }

  private String touched(BlockSchema part, String prefix) {
    return switch (part) {
      case TextSchema _unused -> "";
      case MapSchema map -> touchedValues(map, prefix);
      case ListSchema list -> ReadOnlyItems.has(list) ? touchedValues(list, prefix) : "";
      case LogSchema log ->
          onlyGrows(prefix + ContentReader.ENTRIES) ? "" : touchedValues(log, prefix);
      case CompositeSchema composite -> {
        for (SectionDef section : composite.sections()) {
          String inner = touched(section);
          if (!inner.isEmpty()) {
            yield inner;
          }
        }
        yield "";
      }
    };
  }

  private String touched(SectionDef section) {
    String prefix = ContentReader.prefix(section.name());
    if (section.readOnly()) {
      return names(section.schema(), prefix).isEmpty() ? "" : "section " + section.name();
    }
    return touched(section.schema(), prefix);
  }

  private String touchedValues(BlockSchema part, String prefix) {
    return DocumentRules.touched(
        part, value(before, part, prefix), value(after, part, prefix), prefix);
  }

  /** Whether all entries are still there, in their order; false if it takes a closer look. */
  private boolean onlyGrows(String name) {
    Iterator<String> rest = after.list(name).values().iterator();
    for (String entry : before.list(name).values()) {
      boolean found = false;
      while (!found && rest.hasNext()) {
        found = rest.next().equals(entry);
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  private static JsonValue value(Document document, BlockSchema part, String prefix) {
    return ContentReader.read(ContentReader.Values.of(document), part, prefix);
  }
}
