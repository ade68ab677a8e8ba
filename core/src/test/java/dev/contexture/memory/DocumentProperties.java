package dev.contexture.memory;

import static dev.contexture.memory.Docs.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.crdt.ReplicaId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Random operations against plain Java collections: JSON and rendered text agree at every step. */
class DocumentProperties {
  private static final MapSchema FIELDS =
      MapSchema.of(
          FieldDef.of("name", FieldType.TEXT).withDefault(new JsonString("nobody")),
          FieldDef.of("tags", FieldType.LIST),
          FieldDef.of("hits", FieldType.COUNTER).withDefault(JsonValue.of(10)));
  private static final CompositeSchema SCHEMA =
      CompositeSchema.of(
          SectionDef.of("t", TextSchema.PLAIN),
          SectionDef.of("m", FIELDS),
          SectionDef.of("f", MapSchema.of()),
          SectionDef.of("l", ListSchema.ofAnything()),
          SectionDef.of("g", new LogSchema(3, new LogSchema.EntrySchema(false, true, List.of()))));

  private static final List<String> TEXTS =
      List.of("", "x", "two words", "l1\nl2", "😀", "世界", "=== t ===", "a\n\nb");
  private static final List<JsonValue> VALUES =
      List.of(
          json("1"),
          json("2.50"),
          json("true"),
          json("null"),
          json("'plain'"),
          json("'a\\nb'"),
          json("[1,'世']"),
          json("{'k':'v','done':true}"),
          json("{'z':1,'a':{'b':[]}}"));

  /** What the document should hold. */
  private static final class Model {
    String text = "";
    @Nullable String name;
    @Nullable List<JsonValue> tags;
    long hits = 10;
    final Map<String, JsonValue> free = new LinkedHashMap<>();
    final List<JsonValue> items = new ArrayList<>();
    final List<JsonValue> log = new ArrayList<>();

    JsonObject json() {
      JsonObject.Builder fields = JsonObject.builder().putIfPresent("name", name);
      if (tags != null) {
        fields.put("tags", new JsonArray(tags));
      }
      return JsonObject.builder()
          .put("t", text)
          .put("m", fields.put("hits", hits).build())
          .put("f", new JsonObject(free))
          .put("l", new JsonArray(items))
          .put("g", new JsonArray(log))
          .build();
    }

    String render() {
      List<String> pieces = new ArrayList<>();
      add(pieces, "t", disarmed(text));
      StringBuilder fields = new StringBuilder("name: " + indented(name == null ? "nobody" : name));
      if (tags != null && !tags.isEmpty()) {
        fields.append("\ntags:");
        tags.forEach(tag -> fields.append("\n- ").append(shown(tag)));
      }
      add(pieces, "m", fields + "\nhits: " + hits);
      List<String> lines = new ArrayList<>();
      free.forEach((key, value) -> lines.add(key + ": " + shown(value)));
      add(pieces, "f", String.join("\n", lines));
      lines.clear();
      for (JsonValue item : items) {
        String number = (lines.size() + 1) + ". ";
        boolean done = item instanceof JsonObject object && object.isTrue("done");
        lines.add(
            done
                ? "[x] k: v"
                : number + (item instanceof JsonObject object ? pairs(object) : shown(item)));
      }
      add(pieces, "l", String.join("\n", lines));
      lines.clear();
      for (int i = log.size() - 1; i >= Math.max(0, log.size() - 3); i--) {
        JsonObject entry = ((JsonObject) log.get(i)).without("agent_id");
        lines.add(
            "(entropy) "
                + (entry.size() == 1
                    ? shown(entry.members().values().iterator().next())
                    : pairs(entry)));
      }
      add(pieces, "g", String.join("\n", lines));
      return String.join("\n\n", pieces);
    }

    private static String disarmed(String text) {
      List<String> lines = new ArrayList<>();
      for (String line : text.split("\n", -1)) {
        boolean header = line.matches("=== .* ===");
        lines.add(header ? "\\" + line : line);
      }
      return String.join("\n", lines);
    }

    private static void add(List<String> pieces, String name, String content) {
      pieces.add("=== " + name + " ===");
      if (!content.isEmpty()) {
        pieces.add(name.equals("t") ? content : content.replaceAll("(?m) +$", ""));
      }
    }

    private static String indented(String text) {
      return text.replace("\n", "\n  ");
    }

    private static String pairs(JsonObject object) {
      List<String> pairs = new ArrayList<>();
      object.members().forEach((key, value) -> pairs.add(key + ": " + shown(value)));
      return String.join(", ", pairs);
    }

    private static String shown(JsonValue value) {
      if (value instanceof JsonObject object) {
        return "{" + pairs(object) + "}";
      }
      if (value instanceof JsonArray array) {
        return "[" + String.join(", ", array.items().stream().map(Model::shown).toList()) + "]";
      }
      return value instanceof JsonString text ? indented(text.value()) : value.toJson();
    }
  }

  private static <T> T any(SplittableRandom random, List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** A random operation, and the same on the model; null if it must be refused for its index. */
  private record Step(MemoryOp op, Runnable model, boolean refused) {
    static Step of(MemoryOp op, Runnable model) {
      return new Step(op, model, false);
    }

    static Step at(int index, int size, MemoryOp op, Runnable model) {
      return new Step(op, model, index >= size);
    }
  }

  private static Step step(SplittableRandom random, Model model) {
    return switch (random.nextInt(5)) {
      case 0 -> textStep(random, model);
      case 1 -> fieldStep(random, model);
      case 2 -> freeStep(random, model);
      case 3 -> listStep(random, model);
      default -> logStep(random, model);
    };
  }

  private static Step textStep(SplittableRandom random, Model model) {
    String text = any(random, TEXTS);
    int[] now = model.text.codePoints().toArray();
    return switch (random.nextInt(6)) {
      case 0 -> Step.of(new MemoryOp.SetText(text).in("t"), () -> model.text = text);
      case 1 -> Step.of(new MemoryOp.SetTextInSection("t", text), () -> model.text = text);
      case 2 -> Step.of(new MemoryOp.Append(text).in("t"), () -> model.text += text);
      case 3 -> Step.of(new MemoryOp.AppendText(text).in("t"), () -> model.text += text);
      case 4 -> {
        String find = any(random, TEXTS);
        yield Step.of(
            new MemoryOp.ReplaceText(find, text).in("t"),
            () -> {
              int at = model.text.indexOf(find);
              if (!find.isEmpty() && at >= 0) {
                model.text =
                    model.text.substring(0, at) + text + model.text.substring(at + find.length());
              }
            });
      }
      default -> {
        int at = random.nextInt(now.length + 2);
        int count = random.nextInt(3);
        yield new Step(
            new MemoryOp.SpliceText(at, count, text).in("t"),
            () ->
                model.text =
                    new String(now, 0, at)
                        + text
                        + new String(now, at + count, now.length - at - count),
            at + count > now.length);
      }
    };
  }

  private static Step fieldStep(SplittableRandom random, Model model) {
    String text = any(random, TEXTS);
    JsonValue value = any(random, VALUES);
    int size = model.tags == null ? 0 : model.tags.size();
    int index = random.nextInt(size + 1);
    long by = random.nextInt(9) - 4L;
    return switch (random.nextInt(8)) {
      case 0 -> Step.of(new MemoryOp.SetTextField("name", text).in("m"), () -> model.name = text);
      case 1 ->
          Step.of(
              new MemoryOp.SetFieldInSection("m", "name", new JsonString(text)),
              () -> model.name = text);
      case 2 -> Step.of(new MemoryOp.RemoveField("name").in("m"), () -> model.name = null);
      case 3 ->
          Step.of(
              new MemoryOp.AppendToListField("tags", value).in("m"),
              () -> {
                model.tags = new ArrayList<>(model.tags == null ? List.of() : model.tags);
                model.tags.add(value);
              });
      case 4 ->
          Step.at(
              index,
              size,
              new MemoryOp.RemoveFromListField("tags", index).in("m"),
              () -> Objects.requireNonNull(model.tags).remove(index));
      case 5 ->
          Step.of(
              new MemoryOp.SetField("tags", new JsonArray(VALUES.subList(0, index % 9))).in("m"),
              () -> model.tags = new ArrayList<>(VALUES.subList(0, index % 9)));
      case 6 -> Step.of(new MemoryOp.IncrementCounter("hits", by).in("m"), () -> model.hits += by);
      default ->
          Step.of(new MemoryOp.SetField("hits", JsonValue.of(by)).in("m"), () -> model.hits = by);
    };
  }

  private static Step freeStep(SplittableRandom random, Model model) {
    String key = any(random, List.of("a", "b", "c"));
    JsonValue value = any(random, VALUES);
    return switch (random.nextInt(4)) {
      case 0 -> Step.of(new MemoryOp.RemoveField(key).in("f"), () -> model.free.remove(key));
      case 1 -> {
        Map<String, JsonValue> wanted = new LinkedHashMap<>();
        wanted.put(key, value);
        wanted.put("b", any(random, VALUES));
        yield Step.of(
            new MemoryOp.Import(new JsonObject(wanted)).in("f"),
            () -> {
              model.free.clear();
              model.free.putAll(wanted);
            });
      }
      default ->
          Step.of(new MemoryOp.SetField(key, value).in("f"), () -> model.free.put(key, value));
    };
  }

  private static Step listStep(SplittableRandom random, Model model) {
    JsonValue value = any(random, VALUES);
    int size = model.items.size();
    int index = random.nextInt(size + 2);
    return switch (random.nextInt(6)) {
      case 0 -> Step.of(new MemoryOp.PushItem(value).in("l"), () -> model.items.add(value));
      case 1 ->
          Step.at(
              index,
              size + 1,
              new MemoryOp.InsertItem(index, value).in("l"),
              () -> model.items.add(index, value));
      case 2 ->
          Step.at(
              index,
              size,
              new MemoryOp.SetItem(index, value).in("l"),
              () -> model.items.set(index, value));
      case 3 ->
          Step.at(
              index, size, new MemoryOp.DeleteItem(index).in("l"), () -> model.items.remove(index));
      case 4 -> Step.of(new MemoryOp.Append(value.toJson()).in("l"), () -> model.items.add(value));
      default -> {
        List<JsonValue> wanted = new ArrayList<>(model.items);
        wanted.add(size / 2, value);
        yield Step.of(
            new MemoryOp.Import(new JsonArray(wanted)).in("l"),
            () -> {
              model.items.clear();
              model.items.addAll(wanted);
            });
      }
    };
  }

  private static Step logStep(SplittableRandom random, Model model) {
    JsonValue value = any(random, VALUES);
    boolean asText = random.nextBoolean();
    JsonObject entry =
        asText
            ? JsonObject.of("message", new JsonString("note 世"))
            : JsonObject.builder().put("v", value).put("w", "x").build();
    JsonObject stored = JsonObject.builder().put("agent_id", "entropy").putAll(entry).build();
    return Step.of(
        asText ? new MemoryOp.Append("note 世").in("g") : new MemoryOp.AppendLogEntry(entry).in("g"),
        () -> model.log.add(stored));
  }

  @Property(tries = 40)
  void agreesWithPlainCollections(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Model model = new Model();
    DetachedHost host = Docs.host(Docs.settings(SCHEMA).withCharLimit(1_000_000));
    StructuredDocument document = host.open(Docs.AGENT);
    for (int i = 0; i < 60; i++) {
      Step step = step(random, model);
      MemoryOp op = MemoryOp.fromJson(JsonValue.parse(step.op().toJson().toJson()));
      assertThat(op).isEqualTo(step.op());
      if (step.refused()) {
        StructuredDocument editing = document;
        Docs.refusedUnchanged(editing, () -> op.apply(editing), ErrorCode.INDEX_OUT_OF_RANGE);
      } else {
        apply(op, document);
        step.model().run();
      }
      agree(document.exportJson(), document.render(), model);
      if (random.nextInt(8) == 0) {
        document.commit();
        document = reloaded(host, random);
        agree(document.exportJson(), document.render(), model);
      }
    }
    assertThat(document.validate()).isEmpty();
  }

  private static void apply(MemoryOp op, StructuredDocument document) {
    try {
      op.apply(document);
    } catch (ContextureException refused) {
      throw new AssertionError("refused: " + op, refused);
    }
  }

  private static void agree(JsonValue value, String rendered, Model model) {
    assertThat(value.toJson()).isEqualTo(model.json().toJson());
    assertThat(rendered).isEqualTo(model.render());
  }

  /** A handle on a document that went through its bytes. */
  private static StructuredDocument reloaded(DetachedHost host, SplittableRandom random) {
    DocumentState now = host.current();
    DocumentState loaded =
        DocumentState.load(
            now.version(), now.encoded(), ReplicaId.of(random.nextLong()), MemoryLimits.DEFAULT);
    return StructuredDocument.open(loaded, host, Docs.AGENT);
  }

  @Property(tries = 1)
  void coversEveryOperation() {
    Set<String> used = new java.util.TreeSet<>();
    Model model = new Model();
    SplittableRandom random = new SplittableRandom(0);
    for (int i = 0; i < 5_000; i++) {
      Step step = step(random, model);
      if (!step.refused()) {
        step.model().run();
      }
      used.add(step.op().operation().name());
      if (i % 50 == 0) {
        model = new Model();
      }
    }
    Set<String> all = new java.util.TreeSet<>();
    for (MemoryOperation operation : MemoryOperation.values()) {
      all.add(operation.name());
    }
    all.removeAll(Set.of("UNDO", "REDO", "DELETE", "APPLY_UPDATES"));
    all.remove("EDIT_TEXT"); // TextEditProperties tries it
    assertThat(used).isEqualTo(all);
  }
}
