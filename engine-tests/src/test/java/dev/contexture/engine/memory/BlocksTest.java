package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.store.OutboxRow;
import dev.contexture.store.memory.BlockRow;
import dev.contexture.store.memory.MemoryEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Blocks: made, read, edited, set, deleted (checklist 16, 24 to 26, 45, 46, 48, 53, 54). */
class BlocksTest extends MemoryTestBase {
  @Test
  void aNewBlockIsEmptyReadWriteAndUnpinned() { // checklist 45
    String id = memory().createBlock(ATLAS, text(NOTES));
    assertThat(id).matches("mem_[0-9a-f]{32}");
    BlockMetadata metadata = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow();
    assertThat(metadata)
        .isEqualTo(
            new BlockMetadata(
                id,
                ATLAS,
                null,
                NOTES,
                "",
                MemoryBlockType.WORKING,
                TextSchema.PLAIN,
                5_000,
                MemoryPermission.READ_WRITE,
                false,
                clock.instant(),
                clock.instant(),
                0,
                0));
    assertThat(shown(memory())).isEmpty();
    assertThat(memory().agent(ATLAS)).isPresent();
    refused(ErrorCode.LABEL_TAKEN, () -> memory().createBlock(ATLAS, text(NOTES)));
    refused(ErrorCode.INVALID_LABEL, () -> memory().createBlock(ATLAS, text("a b")));
    refused(
        ErrorCode.LIMIT_EXCEEDED,
        () -> memory().createBlock(ATLAS, text("x").charLimit(1_000_001)));
    refused(
        ErrorCode.LIMIT_EXCEEDED,
        () -> memory().createBlock(ATLAS, text("x").description("d".repeat(2_001))));
    refused(
        ErrorCode.SCHEMA_INVALID,
        () -> memory().createBlock(ATLAS, BlockSpec.of("x", MemoryBlockType.LOG)));
    assertThat(memory().listBlocks(ATLAS)).hasSize(1);
  }

  @Test
  void contentIsTheCreatorsFirstUpdate() { // checklist 45, 54
    memory()
        .createBlock(ATLAS, text(NOTES).content("initial").permission(MemoryPermission.READ_ONLY));
    memory()
        .createBlock(
            ATLAS,
            text("todo")
                .schema(BlockSchema.fromJson(JsonValue.parse("{\"kind\":\"list\"}")))
                .content(JsonValue.parse("[1,2]")));
    assertThat(memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().version()).isEqualTo(1);
    assertThat(shown(memory())).isEqualTo("initial");
    assertThat(memory().history(ATLAS, NOTES, 0, 9))
        .extracting(BlockVersion::attribution)
        .containsExactly("append by agent:atlas");
    assertThat(memory().getRenderedContent(ATLAS, "todo")).contains("1. 1\n2. 2");
    assertThat(memory().history(ATLAS, "todo", 0, 9))
        .extracting(BlockVersion::attribution)
        .containsExactly("importJson by agent:atlas");
  }

  @Test
  void idsGrowWithTime() { // M-18
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ids.add(memory().createBlock(ATLAS, text("b" + i)));
      clock.advance(java.time.Duration.ofMillis(i % 3));
    }
    assertThat(ids).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void missingBlocksReadEmptyAndTakeNoWrites() { // checklist 46
    create(NOTES, MemoryPermission.ADMIN, "x");
    memory().deleteBlock(ATLAS, NOTES);
    for (String label : List.of(NOTES, "never", "bert/never")) {
      assertThat(memory().getBlock(ATLAS, label)).isEmpty();
      assertThat(memory().getBlockMetadata(ATLAS, label)).isEmpty();
      assertThat(memory().getRenderedContent(ATLAS, label)).isEmpty();
      assertThat(memory().history(ATLAS, label, 0, 9)).isEmpty();
      assertThat(memory().getBlockAt(ATLAS, label, 0)).isEmpty();
      assertThat(memory().undoDepth(ATLAS, label)).isZero();
      refused(ErrorCode.BLOCK_NOT_FOUND, () -> memory().appendToBlock(ATLAS, label, "x"));
      refused(ErrorCode.BLOCK_NOT_FOUND, () -> memory().updateBlockText(ATLAS, label, "x"));
      refused(ErrorCode.BLOCK_NOT_FOUND, () -> memory().replaceInBlock(ATLAS, label, "x", "y"));
      refused(ErrorCode.BLOCK_NOT_FOUND, () -> memory().undoBlock(ATLAS, label));
      refused(ErrorCode.BLOCK_NOT_FOUND, () -> memory().setBlockPinned(ATLAS, label, true));
      refused(ErrorCode.BLOCK_NOT_FOUND, () -> memory().persistBlock(ATLAS, label));
      memory().deleteBlock(ATLAS, label);
    }
  }

  @Test
  void oneEditStoresOneDeltaAndItsTraces() { // checklist 48
    String id = memory().createBlock(ATLAS, text(NOTES));
    long outbox = store.outbox(SHOP, 0, 9).getLast().number();
    assertThat(memory().appendToBlock(ATLAS, NOTES, "hello")).isEqualTo(1);
    assertThat(store.memory().document(SHOP, id, 0).orElseThrow().updates()).hasSize(1);
    assertThat(store.memory().preview(SHOP, id)).contains("hello");
    assertThat(store.memory().block(SHOP, id).orElseThrow().size()).isEqualTo(5);
    assertThat(store.outbox(SHOP, outbox, 9))
        .extracting(OutboxRow::entry)
        .containsExactly(new OutboxRow.MemoryBlockChanged(SHOP, id));
    List<Object> before = rows(id);
    assertThat(memory().appendToBlock(ATLAS, NOTES, "")).isEqualTo(1);
    assertThat(memory().updateBlockText(ATLAS, NOTES, "hello")).isEqualTo(1);
    assertThat(memory().replaceInBlock(ATLAS, NOTES, "absent", "x")).isFalse();
    memory().persistBlock(ATLAS, NOTES);
    assertThat(rows(id)).isEqualTo(before);
    assertThat(memory().replaceInBlock(ATLAS, NOTES, "l", "L")).isTrue();
    assertThat(shown(memory())).isEqualTo("heLlo");
  }

  private List<Object> rows(String id) {
    return List.of(
        store.memory().document(SHOP, id, 0),
        store.memory().events(SHOP, 0, 99),
        store.outbox(SHOP, 0, 99));
  }

  @Test
  void editsShowAfterCommitAndAreGoneWithTheirHandle() { // checklist 16
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    StructuredDocument handle = memory().getBlock(ATLAS, NOTES).orElseThrow();
    handle.append("b");
    assertThat(handle.render()).isEqualTo("ab");
    assertThat(shown(memory())).isEqualTo("a");
    assertThat(handle.commit("because")).isEqualTo(2);
    assertThat(shown(memory())).isEqualTo("ab");
    handle.append("c");
    handle.close();
    memory().persistBlock(ATLAS, NOTES);
    assertThat(shown(memory())).isEqualTo("ab");
    assertThat(memory().history(ATLAS, NOTES, 1, 9))
        .extracting(BlockVersion::message)
        .containsExactly("because");
  }

  @Test
  void persistCommitsTheHandlesOfTheThread() throws Exception { // M-57
    create(NOTES, MemoryPermission.READ_WRITE, "");
    StructuredDocument one = memory().getBlock(ATLAS, NOTES).orElseThrow();
    StructuredDocument two = memory().getBlock(ATLAS, NOTES).orElseThrow();
    one.append("1");
    two.append("2");
    together(
        List.<Callable<?>>of(
            () -> {
              memory().persistBlock(ATLAS, NOTES); // another thread's handles are not its own
              return true;
            }));
    assertThat(shown(memory())).isEmpty();
    memory().persistBlock(ATLAS, NOTES);
    assertThat(shown(memory())).contains("1").contains("2").hasSize(2);
    assertThat(memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().version()).isEqualTo(2);
  }

  @Test
  void threadsOnOneBlockLoseNothing() throws Exception { // checklist 16, M-59
    create(NOTES, MemoryPermission.READ_WRITE, "");
    List<Callable<?>> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String mark = "<" + i + ">";
      calls.add(() -> memory().appendToBlock(ATLAS, NOTES, mark));
      calls.add(
          () -> {
            StructuredDocument handle = memory().getBlock(ATLAS, NOTES).orElseThrow();
            handle.append(mark.replace("<", "("));
            return handle.commit();
          });
    }
    together(calls);
    for (int i = 0; i < 16; i++) {
      assertThat(shown(memory())).contains("<" + i + ">").contains("(" + i + ">");
    }
    assertThat(memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().version()).isEqualTo(32);
    assertThat(process().getRenderedContent(ATLAS, NOTES)).contains(shown(memory()));
  }

  @Test
  void aLoweredPermissionStopsAnOpenHandle() { // checklist 24
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    StructuredDocument handle = memory().getBlock(ATLAS, NOTES).orElseThrow();
    handle.append("b");
    process()
        .actingAs(Actor.system())
        .configureBlock(ATLAS, NOTES, BlockChanges.NONE.permission(MemoryPermission.READ_ONLY));
    refused(ErrorCode.PERMISSION_DENIED, handle::commit);
    assertThat(shown(memory())).isEqualTo("a");
    assertThat(handle.hasUncommittedEdits()).isTrue();
    process()
        .actingAs(Actor.system())
        .configureBlock(ATLAS, NOTES, BlockChanges.NONE.permission(MemoryPermission.APPEND));
    assertThat(handle.commit()).isEqualTo(2);
  }

  @Test
  void anAgentsViewEndsAtItsNamespace() { // checklist 25
    create(NOTES, MemoryPermission.ADMIN, "secret");
    MemoryStore bert = memory().actingAs(Actor.agent(BERT));
    assertThat(bert.getBlock(ATLAS, NOTES)).isEmpty();
    assertThat(bert.getRenderedContent(ATLAS, NOTES)).isEmpty();
    assertThat(bert.listBlocks(ATLAS)).isEmpty();
    assertThat(bert.listBlocksByLabelPrefix("")).isEmpty();
    assertThat(bert.history(ATLAS, NOTES, 0, 9)).isEmpty();
    assertThat(bert.listShares(ATLAS, NOTES)).isEmpty();
    refused(ErrorCode.ACCESS_DENIED, () -> bert.appendToBlock(ATLAS, NOTES, "x"));
    refused(ErrorCode.ACCESS_DENIED, () -> bert.createBlock(ATLAS, text("other")));
    refused(ErrorCode.ACCESS_DENIED, () -> bert.deleteBlock(ATLAS, NOTES));
    refused(ErrorCode.ACCESS_DENIED, () -> bert.undoBlock(ATLAS, NOTES));
    refused(ErrorCode.ACCESS_DENIED, () -> bert.setBlockPinned(ATLAS, NOTES, true));
    refused(ErrorCode.ACCESS_DENIED, () -> bert.insertArchival(ATLAS, "x", null));
    refused(ErrorCode.ACCESS_DENIED, () -> bert.putAgent(ATLAS, "x", null));
    refused(
        ErrorCode.ACCESS_DENIED, () -> bert.shareBlock(ATLAS, NOTES, BERT, MemoryPermission.ADMIN));
    refused(ErrorCode.ACCESS_DENIED, () -> bert.restoreBlock("mem_1"));
    refused(ErrorCode.ACCESS_DENIED, () -> bert.purgeBlock("mem_1"));
    refused(ErrorCode.ACCESS_DENIED, bert::pendingConsents);
    assertThat(memory().appendToBlock(ATLAS, NOTES, "!")).isEqualTo(2); // as atlas itself
    MemoryStore human = memory().actingAs(Actor.human("eve"));
    assertThat(human.appendToBlock(ATLAS, NOTES, "?")).isEqualTo(3);
    assertThat(memory().history(ATLAS, NOTES, 1, 9))
        .extracting(BlockVersion::attribution)
        .containsExactly("append by agent:atlas", "append by human:eve");
  }

  @Test
  void coreCannotBeSwappedOutBelowAdmin() { // checklist 26
    memory().createBlock(ATLAS, BlockSpec.of("core", MemoryBlockType.CORE));
    create(NOTES, MemoryPermission.READ_ONLY, "x");
    refused(
        ErrorCode.PERMISSION_DENIED,
        () -> memory().setBlockType(ATLAS, "core", MemoryBlockType.ARCHIVAL));
    refused(
        ErrorCode.PERMISSION_DENIED,
        () -> memory().setBlockType(ATLAS, NOTES, MemoryBlockType.CORE));
    assertThat(memory().setBlockType(ATLAS, NOTES, MemoryBlockType.ARCHIVAL).type())
        .isEqualTo(MemoryBlockType.ARCHIVAL); // the owner, at any level
    assertThat(memory().setBlockPinned(ATLAS, NOTES, true).pinned()).isTrue();
    refused(
        ErrorCode.PERMISSION_DENIED,
        () ->
            memory()
                .configureBlock(
                    ATLAS, NOTES, BlockChanges.NONE.permission(MemoryPermission.ADMIN)));
    MemoryStore system = memory().actingAs(Actor.system());
    assertThat(system.setBlockType(ATLAS, "core", MemoryBlockType.WORKING).type())
        .isEqualTo(MemoryBlockType.WORKING);
  }

  @Test
  void readOnlyIsNotLiftedThroughTheSchema() { // checklist 26, M-12
    JsonValue readOnly =
        JsonValue.parse(
            "{\"kind\":\"map\",\"fields\":[{\"name\":\"a\",\"type\":\"text\",\"read_only\":true}]}");
    JsonValue open =
        JsonValue.parse("{\"kind\":\"map\",\"fields\":[{\"name\":\"a\",\"type\":\"text\"}]}");
    memory().createBlock(ATLAS, text("map").schema(BlockSchema.fromJson(readOnly)));
    refused(
        ErrorCode.PERMISSION_DENIED,
        () -> memory().updateBlockSchema(ATLAS, "map", BlockSchema.fromJson(open)));
    MemoryStore system = memory().actingAs(Actor.system());
    refused(
        ErrorCode.SCHEMA_KIND_CHANGE,
        () -> system.updateBlockSchema(ATLAS, "map", TextSchema.PLAIN));
    system.updateBlockSchema(ATLAS, "map", BlockSchema.fromJson(open));
    memory()
        .edit(
            ATLAS,
            "map",
            "",
            d -> {
              d.setField("a", JsonValue.of("x"));
              return true;
            });
    JsonValue other =
        JsonValue.parse("{\"kind\":\"map\",\"fields\":[{\"name\":\"b\",\"type\":\"text\"}]}");
    refused(
        ErrorCode.SCHEMA_INVALID,
        () -> system.updateBlockSchema(ATLAS, "map", BlockSchema.fromJson(other)));
  }

  @Test
  void anOwnerMovesTheViewportAtAnyLevel() { // M-12
    create(NOTES, MemoryPermission.READ_ONLY, "a\nb\nc");
    JsonValue viewport =
        JsonValue.parse("{\"kind\":\"text\",\"viewport\":{\"start_line\":2,\"display_lines\":1}}");
    memory().updateBlockSchema(ATLAS, NOTES, BlockSchema.fromJson(viewport));
    assertThat(shown(memory())).isEqualTo("[lines 2-2 of 3]\nb");
    String id = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().id();
    assertThat(store.memory().preview(SHOP, id)).contains("a\nb\nc");
  }

  @Test
  void aDeletedLabelIsFreeAndPurgeLeavesNothing() { // checklist 53
    create(NOTES, MemoryPermission.READ_WRITE, "old");
    refused(ErrorCode.PERMISSION_DENIED, () -> memory().deleteBlock(ATLAS, NOTES));
    MemoryStore human = memory().actingAs(Actor.human("ann"));
    String old = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().id();
    memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.READ_ONLY);
    human.deleteBlock(ATLAS, NOTES);
    assertThat(memory().listSharedBlocks(BERT)).isEmpty();
    assertThat(memory().listBlocks(ATLAS)).isEmpty();
    create(NOTES, MemoryPermission.READ_WRITE, "new");
    refused(ErrorCode.LABEL_TAKEN, () -> human.restoreBlock(old));
    human.deleteBlock(ATLAS, NOTES);
    human.restoreBlock(old);
    assertThat(shown(memory())).isEqualTo("old");
    assertThat(memory().listSharedBlocks(BERT)).hasSize(1);
    human.purgeBlock(old);
    assertThat(memory().getBlock(ATLAS, NOTES)).isEmpty();
    assertThat(store.memory().block(SHOP, old)).isEmpty();
    assertThat(store.memory().events(SHOP, 0, 99))
        .extracting(MemoryEvent::block)
        .doesNotContain(old);
    assertThat(store.outbox(SHOP, 0, 99))
        .extracting(OutboxRow::entry)
        .contains(new OutboxRow.MemoryBlockErased(SHOP, old));
  }

  @Test
  void listsGoByLabelTypeAndLiteralPrefix() { // M-57
    memory().createBlock(ATLAS, text("b_1"));
    memory().createBlock(ATLAS, BlockSpec.of("a", MemoryBlockType.CORE));
    memory().createBlock(BERT, text("b_1"));
    memory().createBlock(BERT, text("bx1"));
    assertThat(memory().listBlocks(ATLAS))
        .extracting(BlockMetadata::label)
        .containsExactly("a", "b_1");
    assertThat(memory().listBlocksByType(ATLAS, MemoryBlockType.CORE))
        .extracting(BlockMetadata::label)
        .containsExactly("a");
    assertThat(memory().listBlocksByLabelPrefix("b_"))
        .extracting(BlockMetadata::owner)
        .containsExactly(ATLAS, BERT);
    memory().shareBlock(BERT, "bx1", ATLAS, MemoryPermission.READ_ONLY);
    assertThat(memory().actingAs(Actor.agent(ATLAS)).listBlocksByLabelPrefix("b"))
        .extracting(BlockMetadata::label)
        .containsExactly("b_1", "bx1");
  }

  @Test
  void everyCommitOfAnAgentOrHumanIsAnEvent() { // M-110
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    memory().appendToBlock(ATLAS, NOTES, "b");
    memory().actingAs(Actor.human("ann")).appendToBlock(ATLAS, NOTES, "c");
    memory().actingAs(Actor.system()).appendToBlock(ATLAS, NOTES, "d");
    assertThat(memory().activity(clock.instant(), Long.MAX_VALUE, 9))
        .extracting(MemoryEvent::agent)
        .containsExactly(null, ATLAS, ATLAS);
    assertThat(memory().activity(clock.instant().plusSeconds(1), Long.MAX_VALUE, 9)).isEmpty();
    assertThat(store.memory().events(SHOP, 0, 9)).hasSize(4);
  }

  @Test
  void unreadableSettingsAreNoDefaults() { // M-6
    String id = memory().createBlock(ATLAS, text(NOTES));
    BlockRow row = store.memory().block(SHOP, id).orElseThrow();
    var settings = row.settings();
    var broken =
        new dev.contexture.store.memory.BlockSettings(
            settings.description(),
            settings.type(),
            dev.contexture.json.JsonObject.of("kind", JsonValue.of("tree")),
            settings.charLimit(),
            settings.permission(),
            settings.pinned());
    store.commit(
        dev.contexture.store.WriteSet.of(SHOP, clock.instant())
            .add(new dev.contexture.store.MemoryRow.PutSettings(id, broken))
            .build());
    refused(ErrorCode.STORE_DAMAGED, () -> memory().getBlock(ATLAS, NOTES));
  }

  @Test
  void archivalEntriesAreKeptAndErased() { // M-73
    String id = memory().insertArchival(ATLAS, "fact \u0000", JsonValue.parse("{\"n\":1.10}"));
    assertThat(id).matches("arc_[0-9a-f]{32}");
    ArchivalEntry entry = memory().getArchival(ATLAS, id).orElseThrow();
    assertThat(entry.content()).isEqualTo("fact \ufffd");
    assertThat(entry.metadata()).isEqualTo(JsonValue.parse("{\"n\":1.10}"));
    assertThat(memory().getArchival(BERT, id)).isEmpty();
    assertThat(memory().listArchival(ATLAS, null, 9)).containsExactly(entry);
    refused(ErrorCode.INVALID_ARGUMENT, () -> memory().insertArchival(ATLAS, " ", null));
    refused(
        ErrorCode.LIMIT_EXCEEDED,
        () -> memory().insertArchival(ATLAS, "x".repeat((1 << 20) + 1), null));
    MemoryStore bert = memory().actingAs(Actor.agent(BERT));
    refused(ErrorCode.ACCESS_DENIED, () -> bert.deleteArchival(id));
    memory().actingAs(Actor.agent(ATLAS)).deleteArchival(id);
    memory().deleteArchival(id);
    assertThat(memory().getArchival(ATLAS, id)).isEmpty();
  }

  @Test
  void labelsThatClientsTakeForThePathAreRefused() { // M-17
    for (String label : List.of(".", "..")) {
      refused(ErrorCode.INVALID_LABEL, () -> memory().createBlock(ATLAS, text(label)));
    }
    memory().createBlock(ATLAS, text("..."));
  }
}
