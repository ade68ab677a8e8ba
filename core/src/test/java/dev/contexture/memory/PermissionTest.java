package dev.contexture.memory;

import static dev.contexture.memory.Docs.AGENT;
import static dev.contexture.memory.Docs.HUMAN;
import static dev.contexture.memory.Docs.json;
import static dev.contexture.memory.Docs.refused;
import static dev.contexture.memory.Docs.refusedUnchanged;
import static dev.contexture.memory.WritePath.X;
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
import dev.contexture.memory.schema.CompositeSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.SectionDef;
import dev.contexture.memory.schema.TextSchema;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

  static Stream<Arguments> matrix() {
    return WritePath.paths()
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
    Set<String> written = new TreeSet<>(WritePath.PATHS.keySet());
    WritePath.SHORTCUTS.forEach(path -> written.add(path.name()));
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
            WritePath.PATHS.getOrDefault(method.getName(), List.of()).size()
                + (int)
                    WritePath.SHORTCUTS.stream()
                        .filter(p -> p.name().equals(method.getName()))
                        .count();
        assertThat(known).as(method.getName()).isGreaterThanOrEqualTo((int) overloads);
      }
    }
  }

  private static DetachedHost filled(WritePath path, ConsentBroker broker) {
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
  void passesOnlyAsTheMatrixSays(WritePath path, MemoryPermission level) { // 17, 19, 20, 21
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
  void isDecidedAgainAtCommit(WritePath path, MemoryPermission level) { // 24 (M-16)
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
    refusedUnchanged(
        text, () -> text.applyUpdates(WritePath.updates(WritePath.LIST)), ErrorCode.WRONG_SCHEMA);
    refusedUnchanged(text, () -> text.applyUpdates(new byte[] {1, 2}), ErrorCode.STORE_DAMAGED);
    StructuredDocument list = Docs.doc(new ListSchema(new TextSchema(null), null));
    StructuredDocument other = Docs.doc(WritePath.LIST);
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
