package dev.contexture.memory.content;

import dev.contexture.crdt.Document;
import dev.contexture.crdt.DocumentStep;
import dev.contexture.crdt.DocumentView;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.schema.ValueRules;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Checks that a document stores nothing that its schema has no place for. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SchemaFit {
  private final BlockSchema schema;
  private final @Nullable Document known;
  private final ValueRules rules;

  /**
   * @param known content that is known to fit: it is not looked at again; null: nothing is
   */
  public SchemaFit(BlockSchema schema, @Nullable Document known, MemoryLimits limits) {
    this.schema = schema;
    this.known = known;
    this.rules = new ValueRules(limits);
  }

  /**
   * Checks what was changed only. Where that does not fit, everything: it may have been known, or
   * be gone again; and also where a whole state was taken over, which no steps tell.
   *
   * @param steps what made the document from what is known
   * @throws ContextureException with this code if something stored has no place
   */
  public void check(List<DocumentStep> steps, Document changed, ErrorCode code) {
    boolean followed = known != null && known.trimPoint().equals(changed.trimPoint());
    try {
      steps.forEach(step -> check(step, code));
    } catch (ContextureException maybe) {
      followed = false;
    }
    if (!followed) {
      check(changed.view(), code);
    }
  }

  private void check(DocumentStep step, ErrorCode code) {
    switch (step) {
      case DocumentStep.TextInserted text -> checkText(text.container(), code);
      case DocumentStep.ItemsInserted items -> {
        Place place = place(items.container(), code);
        items.inserted().forEach(item -> checkItem(place, items.container(), item, code));
      }
      case DocumentStep.ItemSet item ->
          checkItem(place(item.container(), code), item.container(), item.value(), code);
      case DocumentStep.KeySet set ->
          checkMap(set.container(), Map.of(set.key(), set.value()), code);
      case DocumentStep.CounterAdded added -> checkCounter(added.container(), code);
      case DocumentStep.TextDeleted _unused -> {}
      case DocumentStep.ItemsDeleted _unused -> {}
      case DocumentStep.KeyRemoved _unused -> {}
    }
  }

  /**
   * @throws ContextureException with this code if something stored has no place
   */
  public void check(DocumentView view, ErrorCode code) {
    view.texts().keySet().forEach(name -> checkText(name, code));
    view.lists().forEach((name, items) -> checkList(name, items, code));
    view.maps().forEach((name, fields) -> checkMap(name, fields, code));
    view.counters().keySet().forEach(name -> checkCounter(name, code));
  }

  private void checkText(String container, ErrorCode code) {
    Place place = place(container, code);
    if (!(place.schema instanceof TextSchema) || !place.name.equals(ContentReader.TEXT)) {
      throw misplaced(container, code);
    }
  }

  private void checkList(String container, List<String> items, ErrorCode code) {
    Place place = place(container, code);
    Set<String> old = known == null ? Set.of() : new HashSet<>(known.list(container).values());
    for (String item : items) {
      if (!old.contains(item)) {
        checkItem(place, container, item, code);
      }
    }
  }

  private void checkItem(Place place, String container, String item, ErrorCode code) {
    try {
      switch (place.schema) {
        case ListSchema list when place.name.equals(ContentReader.ITEMS) ->
            rules.item(list.item(), ContentReader.parse(item), container);
        case LogSchema log when place.name.equals(ContentReader.ENTRIES) ->
            rules.logEntry(log, ContentReader.parse(item));
        case MapSchema map when isField(map, place.name, FieldType.LIST) ->
            ContentReader.parse(item);
        case TextSchema _unused -> throw misplaced(container, code);
        case MapSchema _unused -> throw misplaced(container, code);
        case ListSchema _unused -> throw misplaced(container, code);
        case LogSchema _unused -> throw misplaced(container, code);
        case CompositeSchema _unused -> throw misplaced(container, code);
      }
    } catch (ContextureException refused) {
      throw recoded(refused, code);
    }
  }

  private void checkMap(String container, Map<String, String> fields, ErrorCode code) {
    Place place = place(container, code);
    if (!(place.schema instanceof MapSchema map) || !place.name.equals(ContentReader.FIELDS)) {
      throw misplaced(container, code);
    }
    Map<String, String> old = known == null ? Map.of() : known.map(container).values();
    fields.forEach(
        (name, text) -> {
          if (!text.equals(old.get(name))) {
            checkField(map, name, text, code);
          }
        });
  }

  private void checkField(MapSchema map, String name, String text, ErrorCode code) {
    try {
      FieldDef field = ValueRules.field(map, name);
      if (field == null) {
        ContentReader.parse(text);
        return;
      }
      boolean fits =
          switch (field.type()) {
            case LIST -> text.equals(ContentReader.LIST_MARK);
            case COUNTER -> false;
            case TEXT, NUMBER, BOOLEAN, TIMESTAMP -> true;
          };
      if (!fits) {
        throw misplaced(name, code);
      }
      rules.ofField(field, ContentReader.parse(text));
    } catch (ContextureException refused) {
      throw recoded(refused, code);
    }
  }

  private void checkCounter(String container, ErrorCode code) {
    Place place = place(container, code);
    boolean fits =
        place.schema instanceof MapSchema map && isField(map, place.name, FieldType.COUNTER);
    if (!fits) {
      throw misplaced(container, code);
    }
  }

  private static boolean isField(MapSchema schema, String name, FieldType type) {
    return name.startsWith(ContentReader.FIELD)
        && schema
            .field(name.substring(ContentReader.FIELD.length()))
            .map(field -> field.type() == type)
            .orElse(false);
  }

  /** The schema that rules a container, and its name there. */
  private record Place(BlockSchema schema, String name) {}

  private Place place(String container, ErrorCode code) {
    if (!(schema instanceof CompositeSchema composite)) {
      return new Place(schema, container);
    }
    int slash = container.indexOf('/');
    @Nullable SectionDef section =
        slash < 0 ? null : composite.section(container.substring(0, slash)).orElse(null);
    if (section == null) {
      throw misplaced(container, code);
    }
    return new Place(section.schema(), container.substring(slash + 1));
  }

  private ContextureException misplaced(String container, ErrorCode code) {
    return new ContextureException(
        code,
        "content '"
            + container
            + "' has no place in a schema of kind "
            + schema.kind()
            + "; allowed: what "
            + schema.line()
            + " has",
        Map.of("field", container, "kind", schema.kind()),
        null);
  }

  private static ContextureException recoded(ContextureException refused, ErrorCode code) {
    if (refused.code() == code || refused.code() == ErrorCode.STORE_DAMAGED) {
      return refused;
    }
    return new ContextureException(
        code,
        "content does not fit the schema: " + refused.getMessage(),
        refused.details(),
        refused);
  }
}
