package dev.contexture.memory;

import static dev.contexture.memory.Docs.AGENT;
import static dev.contexture.memory.Docs.HUMAN;
import static dev.contexture.memory.Docs.json;
import static dev.contexture.memory.Docs.refused;
import static dev.contexture.memory.Docs.refusedUnchanged;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentAnswer;
import dev.contexture.memory.permission.ConsentBroker;
import dev.contexture.memory.permission.ConsentKind;
import dev.contexture.memory.permission.ConsentRequest;
import dev.contexture.memory.permission.Decision;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.permission.OperationClass;
import dev.contexture.memory.permission.PermissionGate;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.LogSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.memory.textedit.LineRange;
import dev.contexture.memory.textedit.TextPatch;
import dev.contexture.memory.textedit.TextReplacement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The gate on every path: conformance items 17 to 22. The matrix is generated. */
class PermissionTest {
  private static final String ALLOW = "allow";
  private static final String DENY = "deny";

  /** M-9, row by row: ReadOnly, Partner, Human, Append, ReadWrite, Admin. */
  private static final Map<OperationClass, List<String>> AGENTS =
      Map.of(
          OperationClass.READ, List.of(ALLOW, ALLOW, ALLOW, ALLOW, ALLOW, ALLOW),
          OperationClass.APPEND, List.of(DENY, "PARTNER", "HUMAN", ALLOW, ALLOW, ALLOW),
          OperationClass.OVERWRITE, List.of(DENY, "PARTNER", "HUMAN", DENY, ALLOW, ALLOW),
          OperationClass.DELETE, List.of(DENY, DENY, DENY, DENY, DENY, ALLOW));

  private static final List<MemoryPermission> LEVELS = List.of(MemoryPermission.values());

  private static String cell(OperationClass operation, MemoryPermission level) {
    return AGENTS.getOrDefault(operation, List.of()).get(LEVELS.indexOf(level));
  }

  private static String shown(Decision decision) {
    return switch (decision) {
      case Decision.Allowed _unused -> ALLOW;
      case Decision.Denied _unused -> DENY;
      case Decision.Ask ask -> ask.kind().name();
    };
  }

  @Test
  void decidesAllCells() { // 17, 18
    for (OperationClass operation : OperationClass.values()) {
      for (MemoryPermission level : MemoryPermission.values()) {
        assertThat(shown(PermissionGate.decide(AGENT, operation, level, "ann")))
            .isEqualTo(cell(operation, level));
        assertThat(shown(PermissionGate.decide(Actor.system(), operation, level, "ann")))
            .isEqualTo(ALLOW);
        boolean reads = operation == OperationClass.READ;
        String closed = reads ? ALLOW : DENY;
        boolean locked = level == MemoryPermission.READ_ONLY;
        assertThat(shown(PermissionGate.decide(HUMAN, operation, level, "ann")))
            .isEqualTo(locked ? closed : ALLOW);
        String asked = operation == OperationClass.DELETE ? DENY : "PARTNER";
        String other =
            locked ? closed : level == MemoryPermission.PARTNER && !reads ? asked : ALLOW;
        assertThat(shown(PermissionGate.decide(Actor.human("bob"), operation, level, "ann")))
            .isEqualTo(other);
        assertThat(shown(PermissionGate.decide(Actor.human("bob"), operation, level, null)))
            .isEqualTo(other);
      }
    }
  }

  /** One way to write: a schema with content, and the call. */
  private record Path(
      String name,
      OperationClass operation,
      BlockSchema schema,
      JsonValue content,
      Consumer<StructuredDocument> call) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final BlockSchema LIST = ListSchema.ofAnything();
  private static final BlockSchema LOG =
      new LogSchema(9, new LogSchema.EntrySchema(false, false, List.of()));
  private static final MapSchema FIELDS =
      MapSchema.of(
          FieldDef.of("t", FieldType.TEXT),
          FieldDef.of("l", FieldType.LIST),
          FieldDef.of("c", FieldType.COUNTER));
  private static final JsonValue X = new JsonString("x");

  /** Content for a kind, so that each call below would change something. */
  private static final Map<BlockSchema, JsonValue> START =
      Map.of(
          TextSchema.PLAIN,
          json("'abc'"),
          LIST,
          json("['a','b']"),
          LOG,
          json("[{'message':'a'}]"),
          FIELDS,
          json("{'t':'a','l':['a'],'c':1}"));

  private static final Map<String, List<Path>> PATHS = new LinkedHashMap<>();

  private static void path(
      String method,
      OperationClass operation,
      BlockSchema schema,
      Consumer<StructuredDocument> call) {
    JsonValue start = Objects.requireNonNull(START.get(schema));
    PATHS
        .computeIfAbsent(method, name -> new ArrayList<>())
        .add(new Path(method, operation, schema, start, call));
  }

  static {
    OperationClass append = OperationClass.APPEND;
    OperationClass overwrite = OperationClass.OVERWRITE;
    BlockSchema text = TextSchema.PLAIN;
    path("appendText", append, text, d -> d.appendText("x"));
    path("append", append, text, d -> d.append("x"));
    path("append", append, LIST, d -> d.append("x"));
    path("append", append, LOG, d -> d.append("x"));
    path("setText", overwrite, text, d -> d.setText("x"));
    path("setText", overwrite, text, d -> d.setText("x", d.version()));
    path("replaceText", overwrite, text, d -> d.replaceText("b", "x"));
    path("splice", overwrite, text, d -> d.splice(0, 1, "x"));
    path("splice", overwrite, text, d -> d.splice(3, 0, "x")); // at the end, too
    path("splice", overwrite, text, d -> d.splice(0, 1, "x", d.version()));
    path("editText", overwrite, text, d -> d.editText(replacing(TextReplacement.Mode.FIRST)));
    path("editText", overwrite, text, d -> d.editText(replacing(TextReplacement.Mode.ALL)));
    path("editText", overwrite, text, d -> d.editText(replacing(TextReplacement.Mode.NTH)));
    path("editText", overwrite, text, d -> d.editText(replacing(TextReplacement.Mode.REGEX)));
    path("editText", overwrite, text, d -> d.editText(TextPatch.parse("@@ -1 +1 @@\n-abc\n+x")));
    path("editText", overwrite, text, d -> d.editText(new LineRange(1, 1, "x")));
    path("pushItem", append, LIST, d -> d.pushItem(X));
    path("insertItem", append, LIST, d -> d.insertItem(2, X));
    path("insertItem", overwrite, LIST, d -> d.insertItem(0, X));
    path("insertItem", overwrite, LIST, d -> d.insertItem(2, X, d.version()));
    path("setItem", overwrite, LIST, d -> d.setItem(0, X));
    path("setItem", overwrite, LIST, d -> d.setItem(0, X, d.version()));
    path("deleteItem", overwrite, LIST, d -> d.deleteItem(0));
    path("deleteItem", overwrite, LIST, d -> d.deleteItem(0, d.version()));
    path("appendLogEntry", append, LOG, d -> d.appendLogEntry(json("{'message':'x'}")));
    path("setField", overwrite, FIELDS, d -> d.setField("t", X));
    path("setField", overwrite, FIELDS, d -> d.setField("c", JsonValue.of(9)));
    path("setField", overwrite, FIELDS, d -> d.setField("l", json("['a','x']")));
    path("setTextField", overwrite, FIELDS, d -> d.setTextField("t", "x"));
    path("removeField", overwrite, FIELDS, d -> d.removeField("t"));
    path("appendToListField", append, FIELDS, d -> d.appendToListField("l", X));
    path("removeFromListField", overwrite, FIELDS, d -> d.removeFromListField("l", 0));
    path("removeFromListField", overwrite, FIELDS, d -> d.removeFromListField("l", 0, d.version()));
    path("incrementCounter", overwrite, FIELDS, d -> d.incrementCounter("c", 1));
    path("importJson", overwrite, text, d -> d.importJson(X));
    path("importJson", overwrite, LIST, d -> d.importJson(json("['a','b','x']")));
    path(
        "importJson", overwrite, LOG, d -> d.importJson(json("[{'message':'a'},{'message':'x'}]")));
    path("importJson", overwrite, FIELDS, d -> d.importJson(json("{'t':'x','l':[],'c':2}")));
    path("applyUpdates", overwrite, text, d -> d.applyUpdates(updates(text)));
    path("applyUpdates", overwrite, LIST, d -> d.applyUpdates(updates(LIST)));
  }

  private static TextReplacement replacing(TextReplacement.Mode mode) {
    return new TextReplacement("b", "x", mode, 1);
  }

  /** Only for a whole document, or only as a shortcut for a section. */
  private static final Set<String> NOT_IN_SECTIONS = Set.of("applyUpdates");

  private static final List<Path> SHORTCUTS =
      List.of(
          new Path(
              "setTextInSection",
              OperationClass.OVERWRITE,
              composite(TextSchema.PLAIN),
              json("{'s':'abc'}"),
              d -> d.setTextInSection("x", "s")),
          new Path(
              "setFieldInSection",
              OperationClass.OVERWRITE,
              composite(FIELDS),
              json("{'s':{'t':'a'}}"),
              d -> d.setFieldInSection("t", X, "s")));

  private static CompositeSchema composite(BlockSchema schema) {
    return CompositeSchema.of(SectionDef.of("s", schema));
  }

  private static byte[] updates(BlockSchema schema) {
    StructuredDocument other = Docs.doc(schema);
    other.append("other");
    other.commit();
    return other.exportUpdates();
  }

  /** Every path on a whole document and inside a section. */
  static Stream<Path> paths() {
    List<Path> plain = PATHS.values().stream().flatMap(List::stream).toList();
    Stream<Path> sections =
        plain.stream()
            .filter(path -> !NOT_IN_SECTIONS.contains(path.name()))
            .map(
                path ->
                    new Path(
                        path.name() + " in section",
                        path.operation(),
                        composite(path.schema()),
                        JsonValue.parse("{\"s\":" + path.content().toJson() + "}"),
                        d -> path.call().accept(d.section("s"))));
    return Stream.of(plain.stream(), sections, SHORTCUTS.stream()).flatMap(s -> s);
  }

  static Stream<Arguments> matrix() {
    return paths()
        .flatMap(
            path ->
                Arrays.stream(MemoryPermission.values()).map(level -> Arguments.of(path, level)));
  }

  /** Everything public that is no write; a new method must be named here or get a path above. */
  private static final Set<String> READS =
      Set.of(
          "of",
          "open",
          "actingAs",
          "section",
          "actor",
          "schema",
          "version",
          "render",
          "hasUncommittedEdits",
          "exportJson",
          "snapshot",
          "text",
          "getField",
          "getListField",
          "listItems",
          "logEntries",
          "validate",
          "isClosed",
          "exportUpdates",
          "commit",
          "refresh",
          "subscribeRoot",
          "subscribe",
          "close");

  @Test
  void everyMethodIsAReadOrHasAPathAndAnOperation() { // 19, M-12
    Set<String> written = new TreeSet<>(PATHS.keySet());
    SHORTCUTS.forEach(path -> written.add(path.name()));
    Set<String> methods =
        Arrays.stream(StructuredDocument.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
            .map(Method::getName)
            .filter(name -> !READS.contains(name))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(methods).isEqualTo(written);
    Set<String> operations =
        Arrays.stream(MemoryOperation.values())
            .filter(
                operation ->
                    operation != MemoryOperation.UNDO
                        && operation != MemoryOperation.REDO
                        && operation != MemoryOperation.DELETE)
            .map(MemoryOperation::operationName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(operations).isEqualTo(written);
    // Overloads with a base are paths of their own.
    for (Method method : StructuredDocument.class.getDeclaredMethods()) {
      if (written.contains(method.getName()) && Modifier.isPublic(method.getModifiers())) {
        long overloads =
            Arrays.stream(StructuredDocument.class.getDeclaredMethods())
                .filter(other -> other.getName().equals(method.getName()))
                .count();
        int known =
            PATHS.getOrDefault(method.getName(), List.of()).size()
                + (int) SHORTCUTS.stream().filter(p -> p.name().equals(method.getName())).count();
        assertThat(known).as(method.getName()).isGreaterThanOrEqualTo((int) overloads);
      }
    }
  }

  private static DetachedHost filled(Path path, ConsentBroker broker) {
    DetachedHost host =
        new DetachedHost(Docs.settings(path.schema()), InstantSource.fixed(Docs.NOW), broker);
    StructuredDocument start = host.open(Actor.system());
    start.importJson(path.content());
    start.commit();
    return host;
  }

  private static ConsentBroker answering(ConsentAnswer answer, List<ConsentRequest> asked) {
    return request -> {
      asked.add(request);
      return answer;
    };
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void passesOnlyAsTheMatrixSays(Path path, MemoryPermission level) { // 17, 19, 20, 21
    String expected = cell(path.operation(), level);
    List<ConsentRequest> asked = new ArrayList<>();
    DetachedHost host = filled(path, answering(ConsentAnswer.Granted.once(HUMAN), asked));
    host.settings(host.settings().withPermission(level));
    StructuredDocument document = host.open(AGENT);
    String before = document.exportJson().toJson();
    if (expected.equals(DENY)) {
      ContextureException refused =
          refusedUnchanged(
              document, () -> path.call().accept(document), ErrorCode.PERMISSION_DENIED);
      assertThat(refused.details())
          .containsEntry("operation", path.operation().wireName())
          .containsEntry("required", path.operation().sufficientLevel().identifier())
          .containsEntry("actual", level.identifier())
          .containsEntry("actor", "agent:entropy");
      assertThat(host.open(AGENT).exportJson().toJson()).isEqualTo(before);
      return;
    }
    path.call().accept(document);
    assertThat(document.exportJson().toJson()).isNotEqualTo(before);
    assertThat(document.commit()).isEqualTo(2);
    assertThat(host.open(AGENT).exportJson().toJson()).isNotEqualTo(before);
    if (expected.equals(ALLOW)) {
      assertThat(asked).isEmpty();
    } else {
      assertThat(asked).extracting(request -> request.kind().name()).containsExactly(expected);
      assertThat(asked.getFirst().subject().operationClass()).isEqualTo(path.operation());
      assertThat(asked.getFirst().subject().preview()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void isDecidedAgainAtCommit(Path path, MemoryPermission level) { // 24 (M-16)
    DetachedHost host = filled(path, ConsentBroker.DENY);
    StructuredDocument document = host.open(AGENT);
    path.call().accept(document);
    String edited = document.exportJson().toJson();
    host.settings(host.settings().withPermission(level));
    String expected = cell(path.operation(), level);
    if (expected.equals(ALLOW)) {
      assertThat(document.commit()).isEqualTo(2);
      return;
    }
    refused(
        document::commit,
        expected.equals(DENY) ? ErrorCode.PERMISSION_DENIED : ErrorCode.CONSENT_DENIED);
    assertThat(host.open(AGENT).version()).isEqualTo(1);
    assertThat(document.exportJson().toJson()).isEqualTo(edited); // stays for a retry (M-59)
    host.settings(host.settings().withPermission(MemoryPermission.ADMIN));
    assertThat(document.commit()).isEqualTo(2);
  }

  @Test
  void anUngrantedWriteIsConsentDenied() { // 17, 23
    List<ConsentBroker> brokers =
        List.of(
            ConsentBroker.DENY,
            ConsentBroker.HOST,
            request -> new ConsentAnswer.Denied("no"),
            request -> {
              throw new IllegalStateException("down");
            });
    for (ConsentBroker broker : brokers) {
      DetachedHost host =
          new DetachedHost(
              Docs.settings(TextSchema.PLAIN).withPermission(MemoryPermission.PARTNER),
              InstantSource.fixed(Docs.NOW),
              broker);
      StructuredDocument document = host.open(AGENT);
      document.appendText("x");
      ContextureException refused = refused(document::commit, ErrorCode.CONSENT_DENIED);
      assertThat(refused.details()).containsKeys("operation", "actor", "reason");
      assertThat(host.open(AGENT).version()).isZero();
    }
  }

  @Test
  void theNextWriteAsksAgain() { // 23 (M-15)
    List<ConsentRequest> asked = new ArrayList<>();
    DetachedHost host =
        new DetachedHost(
            Docs.settings(TextSchema.PLAIN).withPermission(MemoryPermission.HUMAN),
            InstantSource.fixed(Docs.NOW),
            answering(ConsentAnswer.Granted.once(HUMAN), asked));
    StructuredDocument document = host.open(AGENT);
    document.appendText("a\n");
    document.commit();
    document.appendText("b\n");
    document.commit();
    document.commit();
    assertThat(asked).hasSize(2);
    assertThat(asked.get(1))
        .isEqualTo(
            new ConsentRequest(
                AGENT,
                ConsentKind.HUMAN,
                new ConsentRequest.Subject(
                    "entropy", "notes", "appendText", OperationClass.APPEND, "+ b", 0, 1)));
  }

  @Test
  void theGateRunsFirst() { // 21, M-11
    DetachedHost host =
        Docs.host(Docs.settings(TextSchema.PLAIN).withPermission(MemoryPermission.READ_ONLY));
    StructuredDocument document = host.open(AGENT);
    ContextureException refused =
        refused(() -> document.replaceText("nothing", "x"), ErrorCode.PERMISSION_DENIED);
    assertThat(refused)
        .hasMessage(
            "cannot overwrite block \"notes\" of agent \"entropy\": permission is ReadOnly,"
                + " needed ReadWrite; ask the owner to change the permission");
    assertThat(refused(() -> document.append("x"), ErrorCode.PERMISSION_DENIED))
        .hasMessage(
            "cannot append to block \"notes\" of agent \"entropy\": permission is ReadOnly,"
                + " needed Append; ask the owner to change the permission");
    refused(() -> document.appendText(""), ErrorCode.PERMISSION_DENIED);
    refused(() -> document.pushItem(X), ErrorCode.PERMISSION_DENIED);
    refused(() -> document.section("none").setText("x"), ErrorCode.PERMISSION_DENIED);
  }

  @Test
  void readOnlyPartsBelongToTheSystem() { // 22
    CompositeSchema schema =
        CompositeSchema.of(
            SectionDef.of("open", Docs.PROFILE), SectionDef.of("shut", Docs.PROFILE).asReadOnly());
    StructuredDocument document = Docs.doc(schema);
    for (Actor actor : List.of(AGENT, HUMAN)) {
      StructuredDocument as = document.actingAs(actor);
      ContextureException section =
          refusedUnchanged(
              document, () -> as.setFieldInSection("nope", X, "shut"), ErrorCode.READ_ONLY);
      assertThat(section.field()).contains("section shut");
      ContextureException field =
          refusedUnchanged(
              document, () -> as.setFieldInSection("status", X, "open"), ErrorCode.READ_ONLY);
      assertThat(field.field()).contains("field open/status");
      refusedUnchanged(
          document,
          () -> as.setFieldInSection("status", JsonValue.of(1), "open"),
          ErrorCode.READ_ONLY);
      refusedUnchanged(
          document, () -> as.setFieldInSection("nope", X, "open"), ErrorCode.FIELD_NOT_FOUND);
      refusedUnchanged(
          document, () -> as.setFieldInSection("name", X, "none"), ErrorCode.FIELD_NOT_FOUND);
      refusedUnchanged(
          document, () -> as.section("open").removeField("status"), ErrorCode.READ_ONLY);
      refusedUnchanged(
          document,
          () -> as.importJson(json("{'open':{'status':'x'},'shut':{}}")),
          ErrorCode.READ_ONLY);
      refusedUnchanged(
          document,
          () -> as.importJson(json("{'open':{},'shut':{'name':'x'}}")),
          ErrorCode.READ_ONLY);
      as.setFieldInSection("name", X, "open");
    }
    StructuredDocument system = document.actingAs(Actor.system());
    system.setFieldInSection("status", X, "open");
    system.setFieldInSection("name", X, "shut");
    refusedUnchanged(document, () -> document.importJson(json("{}")), ErrorCode.READ_ONLY);
    document.importJson(json("{'open':{'status':'x','bio':'new'},'shut':{'name':'x','score':0}}"));
    assertThat(document.section("open").getField("bio")).contains(new JsonString("new"));
  }

  @Test
  void mergesAndLateCommitsKeepReadOnlyParts() { // 22, M-13
    StructuredDocument document = Docs.doc(Docs.PROFILE);
    StructuredDocument other = Docs.doc(Docs.PROFILE);
    other.actingAs(Actor.system()).setTextField("status", "x");
    refusedUnchanged(
        document, () -> document.applyUpdates(other.exportUpdates()), ErrorCode.READ_ONLY);
    document.actingAs(Actor.system()).applyUpdates(other.exportUpdates());
    assertThat(document.getField("status")).contains(X);

    DetachedHost host = Docs.host(MapSchema.of(FieldDef.of("a", FieldType.TEXT)));
    StructuredDocument late = host.open(AGENT);
    late.setTextField("a", "x");
    host.settings(
        host.settings().withSchema(MapSchema.of(FieldDef.of("a", FieldType.TEXT).asReadOnly())));
    refused(late::commit, ErrorCode.READ_ONLY);
    assertThat(host.open(AGENT).version()).isZero();
  }

  @Test
  void mergesBringNothingThatTheSchemaDoesNotHave() { // M-34
    StructuredDocument text = Docs.doc(TextSchema.PLAIN);
    refusedUnchanged(text, () -> text.applyUpdates(updates(LIST)), ErrorCode.WRONG_SCHEMA);
    refusedUnchanged(text, () -> text.applyUpdates(new byte[] {1, 2}), ErrorCode.STORE_DAMAGED);
    StructuredDocument list = Docs.doc(new ListSchema(new TextSchema(null), null));
    StructuredDocument other = Docs.doc(LIST);
    other.pushItem(JsonValue.of(1));
    refusedUnchanged(list, () -> list.applyUpdates(other.exportUpdates()), ErrorCode.WRONG_SCHEMA);
  }

  @Test
  void readOnlyFieldsOfItemsBelongToTheSystem() { // M-13
    ListSchema schema =
        new ListSchema(
            MapSchema.of(
                FieldDef.of("t", FieldType.TEXT), FieldDef.of("by", FieldType.TEXT).asReadOnly()),
            null);
    StructuredDocument list = Docs.doc(schema);
    refusedUnchanged(list, () -> list.pushItem(json("{'t':'a','by':'me'}")), ErrorCode.READ_ONLY);
    list.actingAs(Actor.system()).pushItem(json("{'t':'a','by':'sys'}"));
    refusedUnchanged(list, () -> list.setItem(0, json("{'t':'b'}")), ErrorCode.READ_ONLY);
    refusedUnchanged(
        list, () -> list.importJson(json("[{'t':'b','by':'me'}]")), ErrorCode.READ_ONLY);
    list.setItem(0, json("{'t':'b','by':'sys'}"));
    list.pushItem(json("{'t':'c'}"));
    list.deleteItem(0);
    assertThat(list.exportJson()).isEqualTo(json("[{'t':'c'}]"));
  }
}
