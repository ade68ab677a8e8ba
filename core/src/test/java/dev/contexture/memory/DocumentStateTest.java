package dev.contexture.memory;

import static dev.contexture.memory.Docs.AGENT;
import static dev.contexture.memory.Docs.json;
import static dev.contexture.memory.Docs.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.crdt.ReplicaId;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonString;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.DocumentSettings;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.memory.schema.TextSchema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Versions, undo, checkpoints and trimmed history, as the engine uses them. */
class DocumentStateTest {
  private static final MemoryLimits LIMITS = MemoryLimits.DEFAULT;
  private static final BlockSchema TEXT = TextSchema.PLAIN;

  /** The loop of an engine, with undo and redo lists. */
  private static final class Block {
    final DetachedHost host;
    final Deque<Long> undo = new ArrayDeque<>();
    final Deque<Long> redo = new ArrayDeque<>();

    Block(BlockSchema schema) {
      host = Docs.host(schema);
    }

    void edit(Runnable call, StructuredDocument document) {
      call.run();
      undo.push(document.commit());
      redo.clear();
    }

    void append(String text) {
      StructuredDocument document = host.open(AGENT);
      edit(() -> document.append(text), document);
    }

    void undo(Actor actor) {
      move(undo, redo, MemoryOperation.UNDO, actor);
    }

    void redo(Actor actor) {
      move(redo, undo, MemoryOperation.REDO, actor);
    }

    private void move(Deque<Long> from, Deque<Long> to, MemoryOperation operation, Actor actor) {
      long step = from.getFirst();
      PendingCommit commit =
          host.current()
              .revert(step, operation, actor, host.settings().schema(), host.freshReplica())
              .orElseThrow();
      long version = host.publish(commit);
      from.pop();
      to.push(version);
    }

    String content() {
      return host.open(AGENT).render();
    }

    String depths() {
      return host.current().version() + " " + undo.size() + "/" + redo.size();
    }
  }

  @Test
  void undoesAndRedoesSteps() { // 51 (M-65)
    Block block = new Block(TEXT);
    block.append("initial");
    block.append(" first");
    block.append(" second");
    assertThat(block.depths()).isEqualTo("3 3/0");
    block.undo(AGENT);
    assertThat(block.content()).isEqualTo("initial first");
    assertThat(block.depths()).isEqualTo("4 2/1");
    block.redo(AGENT);
    assertThat(block.content()).isEqualTo("initial first second");
    assertThat(block.depths()).isEqualTo("5 3/0");
    block.undo(AGENT);
    block.undo(AGENT);
    block.append("!");
    assertThat(block.content()).isEqualTo("initial!");
    assertThat(block.depths()).isEqualTo("8 2/0");
  }

  @Test
  void undoesEveryKindOfEditExactly() { // M-65
    for (var sample : Samples.FULL.entrySet()) {
      Block block = new Block(sample.getKey());
      StructuredDocument document = block.host.open(Actor.system());
      block.edit(() -> document.importJson(sample.getValue()), document);
      String full = document.exportJson().toJson();
      block.edit(
          () ->
              document.importJson(
                  java.util.Objects.requireNonNull(Samples.OTHER.get(sample.getKey()))),
          document);
      String other = document.exportJson().toJson();
      for (int round = 0; round < 2; round++) {
        block.undo(Actor.system());
        assertThat(block.host.open(AGENT).exportJson().toJson()).isEqualTo(full);
        block.undo(Actor.system());
        assertThat(block.host.open(AGENT).exportJson().toJson())
            .isEqualTo(Docs.doc(sample.getKey()).exportJson().toJson());
        block.redo(Actor.system());
        block.redo(Actor.system());
        assertThat(block.host.open(AGENT).exportJson().toJson()).isEqualTo(other);
      }
    }
  }

  @Test
  void undoPassesTheGateAndKeepsProtectedParts() { // 8, 19
    Block log = new Block(Docs.EVENTS);
    log.append("a");
    refused(() -> log.undo(AGENT), ErrorCode.READ_ONLY);
    log.undo(Actor.system());
    assertThat(log.content()).isEmpty();
    Block text = new Block(TEXT);
    text.append("a");
    text.host.settings(text.host.settings().withPermission(MemoryPermission.APPEND));
    refused(() -> text.undo(AGENT), ErrorCode.PERMISSION_DENIED);
    assertThat(text.content()).isEqualTo("a");
  }

  @Test
  void showsEachEarlierState() { // 44 (M-66)
    Block block = new Block(TEXT);
    block.append("a");
    block.append("b");
    DocumentState state = block.host.current();
    assertThat(state.at(0, TEXT).render()).isEmpty();
    assertThat(state.at(1, TEXT).render()).isEqualTo("a");
    assertThat(state.at(2, TEXT)).isEqualTo(new DocumentSnapshot(2, TEXT, new JsonString("ab")));
    refused(() -> state.at(3, TEXT), ErrorCode.INVALID_ARGUMENT);
    refused(() -> state.at(-1, TEXT), ErrorCode.INVALID_ARGUMENT);
  }

  /** A store: deltas by seq, written by two handles that edit at the same time. */
  private record Stored(List<byte[]> deltas, List<String> contents) {}

  private static Stored concurrentSteps(int steps) {
    List<byte[]> deltas = new ArrayList<>();
    List<String> contents = new ArrayList<>(List.of(""));
    DocumentState[] state = {DocumentState.empty(ReplicaId.of(1), LIMITS)};
    long[] ids = {1};
    DocumentSettings settings = Docs.settings(TEXT);
    DocumentSubscriptions nobody = new DocumentSubscriptions();
    DocumentHost host =
        new DocumentHost() {
          @Override
          public DocumentSettings settings() {
            return settings;
          }

          @Override
          public long publish(PendingCommit commit) {
            DocumentState.Prepared prepared = state[0].prepare(commit, settings);
            state[0] = prepared.state();
            deltas.add(commit.delta());
            contents.add(prepared.preview());
            return state[0].version();
          }

          @Override
          public DocumentState current() {
            return state[0].fork(freshReplica());
          }

          @Override
          public DocumentSubscriptions subscriptions() {
            return nobody;
          }

          @Override
          public ReplicaId freshReplica() {
            return ReplicaId.of(++ids[0]);
          }

          @Override
          public java.time.Instant now() {
            return Docs.NOW;
          }
        };
    StructuredDocument one = StructuredDocument.open(host.current(), host, AGENT);
    StructuredDocument two = StructuredDocument.open(host.current(), host, AGENT);
    for (int i = 0; i < steps; i++) {
      StructuredDocument writer = i % 3 == 0 ? two : one; // two is often behind
      writer.splice(0, 0, i + " ");
      writer.commit();
    }
    return new Stored(deltas, contents);
  }

  @Test
  void loadsFromACheckpointAndLaterSteps() { // 52 (M-61, M-62)
    Stored stored = concurrentSteps(40);
    DocumentState all = DocumentState.empty(ReplicaId.of(7), LIMITS);
    for (int seq = 1; seq <= 40; seq++) {
      all.apply(seq, stored.deltas().get(seq - 1));
      assertThat(all.snapshot(TEXT).render()).isEqualTo(stored.contents().get(seq));
    }
    for (int cut = 0; cut <= 40; cut++) {
      byte[] checkpoint = all.checkpoint(cut);
      DocumentState loaded = DocumentState.load(cut, checkpoint, ReplicaId.of(8), LIMITS);
      assertThat(loaded.snapshot(TEXT).render()).isEqualTo(stored.contents().get(cut));
      for (int seq = cut + 1; seq <= 40; seq++) {
        loaded.apply(seq, stored.deltas().get(seq - 1));
      }
      assertThat(loaded.snapshot(TEXT).render()).isEqualTo(stored.contents().get(40));
      for (int seq = cut; seq <= 40; seq++) {
        assertThat(loaded.at(seq, TEXT).render()).isEqualTo(stored.contents().get(seq));
      }
      if (cut > 0) {
        int below = cut - 1;
        refused(() -> loaded.at(below, TEXT), ErrorCode.HISTORY_TRIMMED);
      }
    }
  }

  @Test
  void refusesStepsOutOfOrderAndBadBytes() { // M-6, M-54
    Stored stored = concurrentSteps(3);
    DocumentState state = DocumentState.empty(ReplicaId.of(7), LIMITS);
    refused(() -> state.apply(2, stored.deltas().get(1)), ErrorCode.STORE_DAMAGED);
    byte[] bad = stored.deltas().getFirst().clone();
    bad[bad.length - 1] ^= 1;
    refused(() -> state.apply(1, bad), ErrorCode.STORE_DAMAGED);
    byte[] newer = stored.deltas().getFirst().clone();
    newer[4] = 2;
    refused(() -> state.apply(1, newer), ErrorCode.UNSUPPORTED_FORMAT);
    assertThat(state.version()).isZero();
    refused(() -> DocumentState.load(1, bad, ReplicaId.of(1), LIMITS), ErrorCode.STORE_DAMAGED);
  }

  @Test
  void aHandleBelowTheTrimPointHasToBeRedone() { // 44 (M-32, M-52)
    TrimmingHost host = new TrimmingHost();
    StructuredDocument stale = host.open();
    stale.appendText("stale");
    for (int i = 0; i < 3; i++) {
      StructuredDocument writer = host.open();
      writer.appendText("x");
      writer.commit();
    }
    host.state.trim(2);
    refused(stale::commit, ErrorCode.HISTORY_TRIMMED);
    assertThat(stale.text()).isEqualTo("stale");
    StructuredDocument reader = host.open();
    refused(() -> reader.setText("y", 1), ErrorCode.HISTORY_TRIMMED);
    stale.refresh();
    assertThat(stale.text()).isEqualTo("xxx");
    assertThat(stale.hasUncommittedEdits()).isFalse();
    stale.appendText("redone");
    assertThat(stale.commit()).isEqualTo(4);
    assertThat(stale.text()).isEqualTo("xxxredone");
  }

  /** As small as a host can be, with its state in view. */
  private static final class TrimmingHost implements DocumentHost {
    DocumentState state = DocumentState.empty(ReplicaId.of(1), LIMITS);
    private long ids = 1;
    private final DocumentSubscriptions nobody = new DocumentSubscriptions();

    StructuredDocument open() {
      return StructuredDocument.open(current(), this, AGENT);
    }

    @Override
    public DocumentSettings settings() {
      return Docs.settings(TEXT);
    }

    @Override
    public long publish(PendingCommit commit) {
      state = state.prepare(commit, settings()).state();
      return state.version();
    }

    @Override
    public DocumentState current() {
      return state.fork(freshReplica());
    }

    @Override
    public DocumentSubscriptions subscriptions() {
      return nobody;
    }

    @Override
    public ReplicaId freshReplica() {
      return ReplicaId.of(++ids);
    }

    @Override
    public java.time.Instant now() {
      return Docs.NOW;
    }
  }

  @Test
  void checksASchemaAgainstContent() { // M-23
    StructuredDocument document = Docs.doc(Docs.PROFILE);
    document.setTextField("name", "Alice");
    document.incrementCounter("score", 1);
    document.commit();
    DetachedHost host = Docs.host(Docs.PROFILE);
    StructuredDocument copy = host.open(AGENT);
    copy.setTextField("name", "Alice");
    copy.incrementCounter("score", 1);
    copy.commit();
    DocumentState state = host.current();
    refused(() -> state.checkSchema(Docs.PROFILE, TEXT, LIMITS), ErrorCode.SCHEMA_KIND_CHANGE);
    List<MapSchema> bad =
        List.of(
            MapSchema.of(FieldDef.of("name", FieldType.TEXT)), // the counter would vanish
            MapSchema.of(
                FieldDef.of("name", FieldType.NUMBER), FieldDef.of("score", FieldType.COUNTER)),
            MapSchema.of(
                FieldDef.of("name", FieldType.TEXT), FieldDef.of("score", FieldType.NUMBER)),
            MapSchema.of());
    for (MapSchema wanted : bad) {
      refused(() -> state.checkSchema(Docs.PROFILE, wanted, LIMITS), ErrorCode.SCHEMA_INVALID);
    }
    state.checkSchema(
        Docs.PROFILE,
        MapSchema.of(
            FieldDef.of("score", FieldType.COUNTER),
            FieldDef.of("more", FieldType.LIST).asRequired(),
            FieldDef.of("name", FieldType.TEXT).asReadOnly()),
        LIMITS);
    DetachedHost list = Docs.host(ListSchema.ofAnything());
    StructuredDocument items = list.open(AGENT);
    items.importJson(json("[1,2]"));
    items.commit();
    DocumentState two = list.current();
    refused(
        () -> two.checkSchema(ListSchema.ofAnything(), new ListSchema(null, 1), LIMITS),
        ErrorCode.SCHEMA_INVALID);
    refused(
        () ->
            two.checkSchema(
                ListSchema.ofAnything(), new ListSchema(new TextSchema(null), 9), LIMITS),
        ErrorCode.SCHEMA_INVALID);
    two.checkSchema(ListSchema.ofAnything(), new ListSchema(null, 2), LIMITS);
  }

  @Test
  void namesWhoDidWhat() { // M-36
    TrimmingHost host = new TrimmingHost();
    List<String> told = new ArrayList<>();
    StructuredDocument document =
        StructuredDocument.open(
            host.current(),
            new ForwardingHost(host) {
              @Override
              public long publish(PendingCommit commit) {
                told.add(commit.attribution() + ": " + commit.message());
                return super.publish(commit);
              }
            },
            AGENT);
    document.append("a");
    document.commit("first");
    document.append("b");
    document.replaceText("a", "c");
    document.splice(0, 0, "d");
    document.setText("z");
    document.actingAs(Actor.human("ann")).commit();
    document.actingAs(Actor.system()).append("a");
    document.actingAs(Actor.system()).commit();
    assertThat(told)
        .containsExactly(
            "append by agent:entropy: first",
            "append, replaceText, splice, … by human:ann: ",
            "append by system: ");
    for (Actor actor : List.of(AGENT, Docs.HUMAN, Actor.system())) {
      assertThat(Actor.parse(actor.toString())).isEqualTo(actor);
    }
  }

  private static class ForwardingHost implements DocumentHost {
    private final DocumentHost host;

    ForwardingHost(DocumentHost host) {
      this.host = host;
    }

    @Override
    public DocumentSettings settings() {
      return host.settings();
    }

    @Override
    public long publish(PendingCommit commit) {
      return host.publish(commit);
    }

    @Override
    public DocumentState current() {
      return host.current();
    }

    @Override
    public DocumentSubscriptions subscriptions() {
      return host.subscriptions();
    }

    @Override
    public ReplicaId freshReplica() {
      return host.freshReplica();
    }

    @Override
    public java.time.Instant now() {
      return host.now();
    }
  }
}
