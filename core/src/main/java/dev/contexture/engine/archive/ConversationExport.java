package dev.contexture.engine.archive;

import dev.contexture.block.Binary;
import dev.contexture.block.BlockCodec;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.store.Head;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.StoredWindow;
import dev.contexture.timeline.Summary;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes all of a conversation: turns, blocks, what stands for them, and requests. */
final class ConversationExport {
  private final Store store;
  private final Scope.OfConversation conversation;
  private final ArchiveOutput out;

  ConversationExport(Store store, Scope.OfConversation conversation, ArchiveOutput out) {
    this.store = store;
    this.conversation = conversation;
    this.out = out;
  }

  void write() {
    StoredWindow window =
        store
            .load(conversation)
            .orElseThrow(
                () ->
                    ContextureException.invalid(
                        ErrorCode.NOT_FOUND,
                        "conversation",
                        conversation.conversation(),
                        "one that exists"));
    head(window.head());
    turns();
    blocks();
    summaries();
    store.archivedRanges(conversation).forEach(row -> record(ArchiveLine.RANGE, row));
    store.visibility(conversation).forEach(row -> record(ArchiveLine.VISIBILITY, row));
    store.sources(conversation).forEach(row -> record(ArchiveLine.SOURCE, row));
    window.pins().forEach(row -> record(ArchiveLine.PIN, row));
    window.turnScoped().forEach(row -> record(ArchiveLine.KEPT, row));
    requests();
    store.epochs(conversation).forEach(row -> record(ArchiveLine.EPOCH, row));
  }

  private void record(String type, Record row) {
    out.line(type, ArchiveLine.CODEC.write(row));
  }

  private void head(Head head) {
    JsonObject.Builder line =
        JsonObject.builder()
            .put("user", conversation.user())
            .put("conversation", conversation.conversation())
            .putIfPresent("title", head.title())
            .put("created_at", head.createdAt().toString())
            .put("last_activity_at", head.lastActivityAt().toString());
    if (head.touch() != null) {
      line.put("touch", ArchiveLine.CODEC.write(head.touch()));
    }
    out.line(ArchiveLine.CONVERSATION, line.build());
  }

  private void turns() {
    TurnId after = null;
    while (true) {
      List<StoredTurn> page = store.turns(conversation, after, Store.MAX_PAGE);
      for (StoredTurn turn : page) {
        JsonArray feedback =
            new JsonArray(
                turn.feedback().stream()
                    .<JsonValue>map(each -> ArchiveLine.CODEC.write(each))
                    .toList());
        out.line(
            ArchiveLine.TURN,
            ArchiveLine.CODEC.write(turn.row().withLease(null)).with("feedback", feedback));
      }
      if (page.size() < Store.MAX_PAGE) {
        return;
      }
      after = page.getLast().turn();
    }
  }

  private void blocks() {
    long from = 1;
    while (true) {
      List<StoredBlock> page = store.readRange(conversation, from, Long.MAX_VALUE, Store.MAX_PAGE);
      for (StoredBlock stored : page) {
        out.line(
            ArchiveLine.BLOCK,
            JsonObject.builder()
                .put("seq", stored.seq())
                .put("block", BlockCodec.write(stored.block()))
                .build());
      }
      if (page.size() < Store.MAX_PAGE) {
        return;
      }
      from = page.getLast().seq() + 1;
    }
  }

  private void summaries() {
    Pages.of(
        before -> store.summaries(conversation, before, Store.MAX_PAGE),
        Summary::id,
        summary -> record(ArchiveLine.SUMMARY, summary));
  }

  private void requests() {
    Set<String> written = new HashSet<>();
    Pages.of(
        before -> store.requests(conversation, before, Store.MAX_PAGE),
        RequestRow::id,
        request -> {
          for (String sha : request.binaries()) {
            if (written.add(sha)) {
              store.binary(conversation, sha).ifPresent(this::content);
            }
          }
          record(ArchiveLine.REQUEST, request);
        });
  }

  private void content(Binary content) {
    out.line(ArchiveLine.CONTENT, JsonObject.of("data", JsonValue.of(content.base64())));
  }
}
