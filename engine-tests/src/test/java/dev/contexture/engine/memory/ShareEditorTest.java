package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ErrorCode;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.store.memory.ShareRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sharing (section 10, checklist 55 to 57). */
class ShareEditorTest extends MemoryTestBase {
  private static final String THEIRS = ATLAS + "/" + NOTES;

  @ParameterizedTest
  @EnumSource
  void eachLevelAllowsWhatItShould(MemoryPermission level) { // checklist 55
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    memory().actingAs(Actor.system()).shareBlock(ATLAS, NOTES, BERT, level);
    MemoryStore bert = process().actingAs(Actor.agent(BERT));
    assertThat(bert.getRenderedContent(BERT, THEIRS)).contains("a");
    switch (level) {
      case READ_ONLY -> denied(ErrorCode.PERMISSION_DENIED, bert, true, true, true);
      case PARTNER, HUMAN -> {
        denied(ErrorCode.CONSENT_DENIED, bert, true, true, false);
        denied(ErrorCode.PERMISSION_DENIED, bert, false, false, true);
      }
      case APPEND -> {
        assertThat(bert.appendToBlock(BERT, THEIRS, "b")).isEqualTo(2);
        denied(ErrorCode.PERMISSION_DENIED, bert, false, true, true);
      }
      case READ_WRITE -> {
        assertThat(bert.appendToBlock(BERT, THEIRS, "b")).isEqualTo(2);
        assertThat(bert.updateBlockText(BERT, THEIRS, "c")).isEqualTo(3);
        assertThat(shown(memory())).isEqualTo("c");
        denied(ErrorCode.PERMISSION_DENIED, bert, false, false, true);
      }
      case ADMIN -> {
        bert.updateBlockText(BERT, THEIRS, "c");
        assertThat(memory().history(ATLAS, NOTES, 1, 9))
            .extracting(BlockVersion::attribution)
            .containsExactly("setText by agent:bert");
        memory().appendToBlock(ATLAS, NOTES, "d");
        assertThat(bert.getSharedBlock(BERT, ATLAS, NOTES).orElseThrow().render()).isEqualTo("cd");
        bert.deleteBlock(BERT, THEIRS);
        assertThat(memory().getBlock(ATLAS, NOTES)).isEmpty();
      }
    }
  }

  private static void denied(
      ErrorCode code, MemoryStore bert, boolean append, boolean overwrite, boolean delete) {
    if (append) {
      refused(code, () -> bert.appendToBlock(BERT, THEIRS, "x"));
    }
    if (overwrite) {
      refused(code, () -> bert.updateBlockText(BERT, THEIRS, "x"));
      StructuredDocument handle = bert.getSharedBlock(BERT, ATLAS, NOTES).orElseThrow();
      refused(
          code,
          () -> {
            handle.setText("x");
            handle.commit();
          });
    }
    if (delete) {
      refused(code, () -> bert.deleteBlock(BERT, THEIRS));
    }
  }

  @Test
  void anotherShareChangesTheLevelAndRevocationIsImmediate() { // checklist 56
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.READ_ONLY);
    memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.READ_WRITE);
    assertThat(memory().listShares(ATLAS, NOTES))
        .extracting(ShareRow::level)
        .containsExactly("read_write");
    refused(
        ErrorCode.PERMISSION_DENIED,
        () -> memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.ADMIN));
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () -> memory().shareBlock(ATLAS, NOTES, ATLAS, MemoryPermission.APPEND));
    refused(
        ErrorCode.BLOCK_NOT_FOUND,
        () -> memory().shareBlock(ATLAS, "none", BERT, MemoryPermission.APPEND));
    MemoryStore bert = process().actingAs(Actor.agent(BERT));
    StructuredDocument handle = bert.getSharedBlock(BERT, ATLAS, NOTES).orElseThrow();
    handle.append("b");
    memory().unshareBlock(ATLAS, NOTES, BERT);
    memory().unshareBlock(ATLAS, NOTES, BERT);
    refused(ErrorCode.PERMISSION_DENIED, handle::commit);
    assertThat(bert.getSharedBlock(BERT, ATLAS, NOTES)).isEmpty();
    assertThat(bert.getRenderedContent(BERT, THEIRS)).isEmpty();
    assertThat(bert.listSharedBlocks(BERT)).isEmpty();
    refused(ErrorCode.BLOCK_NOT_FOUND, () -> bert.appendToBlock(BERT, THEIRS, "x"));
    assertThat(shown(memory())).isEqualTo("a");
    memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.READ_WRITE); // shared again
    assertThat(handle.commit()).isEqualTo(2);
  }

  @Test
  void sharesHaveTheirOwnPinAndAreListed() { // checklist 57, M-68, M-70, M-72
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    memory().createBlock(BERT, text(NOTES).content("own"));
    memory().createBlock("carl", text(NOTES).description("carl's"));
    memory().putAgent("carl", "Carl", null);
    memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.APPEND);
    memory().shareBlock("carl", NOTES, BERT, MemoryPermission.READ_ONLY);
    MemoryStore bert = memory().actingAs(Actor.agent(BERT));
    assertThat(bert.getRenderedContent(BERT, NOTES)).contains("own");
    assertThat(bert.getRenderedContent(BERT, THEIRS)).contains("a");
    assertThat(bert.getSharedBlock(BERT, BERT, NOTES).orElseThrow().render()).isEqualTo("own");
    assertThat(bert.listSharedBlocks(BERT))
        .extracting(SharedBlockInfo::owner, SharedBlockInfo::ownerName, SharedBlockInfo::pinned)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(ATLAS, "", true),
            org.assertj.core.groups.Tuple.tuple("carl", "Carl", true));
    bert.setBlockPinned(BERT, THEIRS, false);
    assertThat(bert.listSharedBlocks(BERT))
        .extracting(SharedBlockInfo::pinned)
        .containsExactly(false, true);
    assertThat(memory().getBlockMetadata(ATLAS, NOTES).orElseThrow().pinned()).isFalse();
    memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.READ_ONLY); // keeps the pin
    assertThat(bert.listSharedBlocks(BERT))
        .extracting(SharedBlockInfo::pinned)
        .containsExactly(false, true);
    refused(
        ErrorCode.PERMISSION_DENIED,
        () ->
            bert.configureBlock(
                BERT, THEIRS, BlockChanges.NONE.permission(MemoryPermission.ADMIN)));
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () -> bert.shareBlock(BERT, THEIRS, "dora", MemoryPermission.READ_ONLY));
  }

  @Test
  void aBlockIsNotSharedWithAnAgentThatNobodyKnows() { // M-67
    create(NOTES, MemoryPermission.READ_WRITE, "a");
    refused(
        ErrorCode.NOT_FOUND,
        () -> memory().shareBlock(ATLAS, NOTES, "phantom", MemoryPermission.READ_ONLY));
    assertThat(memory().listShares(ATLAS, NOTES)).isEmpty();
    assertThat(memory().agent("phantom")).isEmpty();
  }

  @Test
  void aRecipientSeesItsLevelAndPinAndSetsItsPinOnly() { // M-16, M-70
    create(NOTES, MemoryPermission.ADMIN, "a");
    memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.READ_ONLY);
    BlockMetadata seen = memory().getBlockMetadata(BERT, THEIRS).orElseThrow();
    assertThat(seen.permission()).isEqualTo(MemoryPermission.READ_ONLY);
    assertThat(seen.pinned()).isTrue();
    assertThat(memory().setBlockPinned(BERT, THEIRS, false).pinned()).isFalse();
    assertThat(memory().getBlockMetadata(BERT, THEIRS).orElseThrow().pinned()).isFalse();
    refused(
        ErrorCode.PERMISSION_DENIED,
        () -> memory().configureBlock(BERT, THEIRS, BlockChanges.NONE.description("mine")));
    memory().shareBlock(ATLAS, NOTES, BERT, MemoryPermission.ADMIN);
    memory().configureBlock(BERT, THEIRS, BlockChanges.NONE.description("ours").pinned(true));
    BlockMetadata own = memory().getBlockMetadata(ATLAS, NOTES).orElseThrow();
    assertThat(own.description()).isEqualTo("ours");
    assertThat(own.pinned()).isFalse();
    assertThat(memory().getBlockMetadata(BERT, THEIRS).orElseThrow().pinned()).isTrue();
  }
}
