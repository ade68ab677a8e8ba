package dev.contexture.memory;

import static dev.contexture.memory.Docs.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.crdt.Document;
import dev.contexture.crdt.ReplicaId;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.content.ContentRenderer;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** What is decided from a change alone is what the whole values before and after it say. */
class IncrementalChecksProperties {
  private static final MapSchema FIELDS =
      MapSchema.of(
          FieldDef.of("name", FieldType.TEXT),
          FieldDef.of("fixed", FieldType.TEXT).asReadOnly(),
          FieldDef.of("tags", FieldType.LIST));
  private static final ListSchema GUARDED = new ListSchema(FIELDS, null);
  private static final LogSchema LOG =
      new LogSchema(3, new LogSchema.EntrySchema(false, false, List.of()));
  private static final CompositeSchema ALL =
      CompositeSchema.of(
          SectionDef.of("t", TextSchema.PLAIN),
          SectionDef.of("r", TextSchema.PLAIN).asReadOnly(),
          SectionDef.of("m", FIELDS),
          SectionDef.of("i", ListSchema.ofAnything()),
          SectionDef.of("o", GUARDED),
          SectionDef.of("g", LOG));
  private static final List<BlockSchema> SCHEMAS =
      List.of(TextSchema.PLAIN, FIELDS, ListSchema.ofAnything(), GUARDED, LOG, ALL);

  private static final List<String> TEXTS = List.of("", "x", "😀", "two words", "l1\nl2\n", "y");
  private static final List<String> ITEMS =
      List.of(
          "1",
          "1.0",
          "'a'",
          "'a\\nb'",
          "''",
          "null",
          "[1,'世']",
          "{'done':true,'k':'v'}",
          "{'done':1}",
          "{'done':false}",
          "{'fixed':'a'}",
          "{'fixed':'b','name':'n'}",
          "{}");

  @Property(tries = 300)
  void aDifferenceIsThatOfTheValues(@ForAll long seed) {
    Random random = new Random(seed);
    BlockSchema schema = SCHEMAS.get(random.nextInt(SCHEMAS.size()));
    Document before = Document.create(ReplicaId.of(1));
    for (int i = random.nextInt(12); i > 0; i--) {
      change(before, schema, "", random);
    }
    before.commit();
    Document after = before.fork(ReplicaId.of(2));
    for (int i = random.nextInt(4); i > 0; i--) {
      change(after, schema, "", random);
    }
    after.commit();
    JsonValue was = ContentReader.read(ContentReader.Values.of(before), schema);
    JsonValue is = ContentReader.read(ContentReader.Values.of(after), schema);
    ContentDifference difference = new ContentDifference(schema, before, after);
    assertThat(difference.names()).isEqualTo(DocumentRules.changed(schema, was, is));
    assertThat(difference.touched()).isEqualTo(DocumentRules.touched(schema, was, is, ""));
  }

  @Property(tries = 200)
  void theLengthOfAStateIsThatOfItsText(@ForAll long seed) {
    Random random = new Random(seed);
    BlockSchema schema = SCHEMAS.get(random.nextInt(SCHEMAS.size()));
    DocumentState state = DocumentState.empty(ReplicaId.of(1), Docs.settings(schema).limits());
    for (int i = 0; i < 30; i++) {
      DocumentState next = state.fork(ReplicaId.of(2 + i));
      change(next.document(), schema, "", random);
      next.document().commit();
      if (random.nextInt(4) > 0) { // else it is dropped, and what was looked up of it is not
        state = next;
      }
      String text = next.snapshot(schema).renderWithoutViewport();
      assertThat(next.length(schema)).isEqualTo(text.codePointCount(0, text.length()));
      assertThat(next.renderWithoutViewport(schema)).isEqualTo(text);
      assertThat(next.render(schema)).isEqualTo(next.snapshot(schema).render());
    }
  }

  @Property(tries = 200)
  void lengthsOfItemsAreThoseOfTheList(@ForAll long seed) {
    Random random = new Random(seed);
    ListSchema schema = random.nextBoolean() ? GUARDED : ListSchema.ofAnything();
    List<String> items = new ArrayList<>();
    @Nullable ItemLengths known = null;
    for (int i = 0; i < 40; i++) {
      int at = random.nextInt(items.size() + 1);
      if (random.nextInt(3) == 0) {
        items.subList(at, Math.min(items.size(), at + 3)).clear();
      } else {
        for (int more = random.nextInt(12); more > 0; more--) {
          items.add(at, item(random));
        }
      }
      ItemLengths lengths = ItemLengths.of(schema, List.copyOf(items), known);
      assertThat(lengths.size()).isEqualTo(items.size());
      assertThat(lengths.total())
          .isEqualTo(ContentRenderer.measure(schema, ContentReader.array(items)));
      known = lengths;
    }
  }

  private static void change(Document to, BlockSchema schema, String prefix, Random random) {
    switch (schema) {
      case TextSchema _unused -> to.text(prefix + ContentReader.TEXT).set(text(random));
      case ListSchema _unused -> changeItems(to, prefix + ContentReader.ITEMS, random);
      case LogSchema _unused -> changeItems(to, prefix + ContentReader.ENTRIES, random);
      case MapSchema _unused -> {
        String field = random.nextBoolean() ? "name" : "fixed";
        if (random.nextInt(3) == 0) {
          to.map(prefix + ContentReader.FIELDS).remove(field);
        } else {
          String value = JsonValue.of(text(random)).toJson();
          to.map(prefix + ContentReader.FIELDS).put(field, value);
        }
        changeItems(to, prefix + ContentReader.FIELD + "tags", random);
      }
      case CompositeSchema composite -> {
        SectionDef section = composite.sections().get(random.nextInt(composite.sections().size()));
        change(to, section.schema(), ContentReader.prefix(section.name()), random);
      }
    }
  }

  private static void changeItems(Document to, String list, Random random) {
    int size = to.list(list).size();
    switch (random.nextInt(4)) {
      case 0 -> to.list(list).insert(random.nextInt(size + 1), item(random));
      case 1 -> to.list(list).add(item(random));
      case 2 -> {
        if (size > 0) {
          to.list(list).delete(random.nextInt(size), 1);
        }
      }
      default -> {
        if (size > 0) {
          to.list(list).set(random.nextInt(size), item(random));
        }
      }
    }
  }

  private static String text(Random random) {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }

  private static String item(Random random) {
    return json(ITEMS.get(random.nextInt(ITEMS.size()))).toJson();
  }
}
