package dev.contexture.engine.ledger;

import dev.contexture.block.Binary;
import dev.contexture.engine.session.Session;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.store.RequestRow;
import dev.contexture.store.Row;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The requests of a conversation that were recorded. Thread-safe. */
@API(status = API.Status.STABLE, since = "0.1")
public final class RequestLog {
  /** The member of a record that keeps what was answered to its step. */
  @API(status = API.Status.INTERNAL, since = "0.3")
  public static final String STEP = "step";

  private static final int PAGE = 64;

  private final Session session;

  public RequestLog(Session session) {
    this.session = session;
  }

  /**
   * Records, newest first.
   *
   * @param before the last one of the page before; null for the first page
   */
  public List<RequestRow> list(@Nullable String before, int limit) {
    return store().requests(session.scope(), before, limit);
  }

  /**
   * One record.
   *
   * @throws ContextureException {@code not_found}
   */
  public RequestRow get(String id) {
    return store()
        .request(session.scope(), id)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.NOT_FOUND, "request_id", id, "a request of the conversation"));
  }

  /**
   * The exact body of a request, put together again.
   *
   * @throws ContextureException {@code not_found} if there is no such request or its body is not
   *     kept
   */
  public String body(String id) {
    RequestRow row = get(id);
    JsonFields ledger = ledger(row);
    return LedgerRecord.body(ledger).rebuild(chunks(ledger));
  }

  /**
   * What differs from the request before it to the same model.
   *
   * @throws ContextureException {@code not_found} as {@link #body}
   */
  public RequestDifference differenceToPrevious(String id) {
    RequestRow row = get(id);
    LedgerRecord now = record(row);
    Optional<LedgerRecord> before = previous(row).map(this::record);
    return RequestDifference.between(before.orElse(null), now, row);
  }

  /**
   * Why a request holds what it holds, and not the rest.
   *
   * @throws ContextureException {@code not_found} as {@link #body}
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.3")
  public RequestReasons reasons(String id) {
    RequestRow row = get(id);
    return new RequestReasons(session, this, row, record(row));
  }

  /**
   * Keeps with a request what was answered to the step that asked for it.
   *
   * @param answer all of it but the body
   */
  @API(status = API.Status.INTERNAL, since = "0.3")
  public void keepStep(String id, String step, JsonObject answer) {
    session.locked(
        () -> {
          JsonObject kept =
              JsonObject.builder().put("id", step).put("answer", answer.toJson()).build();
          RequestRow row = get(id);
          WriteSet set =
              WriteSet.of(session.scope(), session.services().now())
                  .add(new Row.PutRequest(row.withRecord(row.record().with(STEP, kept))))
                  .build();
          return session.commit(set, before -> before);
        });
  }

  /** The members of what was answered to a step, with the body of its request; if it is kept. */
  @API(status = API.Status.INTERNAL, since = "0.3")
  public Optional<String> ofStep(String step) {
    for (RequestRow row : list(null, PAGE)) {
      JsonObject kept = row.record().object(STEP).orElse(JsonObject.EMPTY);
      if (kept.string("id").filter(step::equals).isPresent() && !row.sent().isEmpty()) {
        String answer = kept.string("answer").orElse("{}");
        return Optional.of(
            "," + answer.substring(1, answer.length() - 1) + ",\"request\":" + body(row.id()));
      }
    }
    return Optional.empty();
  }

  private Optional<RequestRow> previous(RequestRow row) {
    List<RequestRow> page = list(row.id(), PAGE);
    while (!page.isEmpty()) {
      for (RequestRow earlier : page) {
        if (Ledger.isSameSeries(row, earlier) && LedgerRecord.fields(earlier).isPresent()) {
          return Optional.of(earlier);
        }
      }
      page = list(page.getLast().id(), PAGE);
    }
    return Optional.empty();
  }

  /** The record with its blocks; empty if they are not all kept. */
  Optional<LedgerRecord> recordIfKept(RequestRow row) {
    Optional<JsonFields> ledger = LedgerRecord.fields(row);
    boolean kept =
        ledger.isPresent()
            && LedgerRecord.chunks(ledger.get()).stream()
                .allMatch(chunk -> store().binary(session.scope(), chunk.sha256()).isPresent());
    return kept ? Optional.of(record(row)) : Optional.empty();
  }

  /** The text of one block of a record, without its mark; empty if it is not kept. */
  String content(LedgerRecord record, int block) {
    int left = block;
    for (LedgerRecord.ChunkRef ref : record.chunks()) {
      if (left < ref.blocks()) {
        boolean kept = store().binary(session.scope(), ref.sha256()).isPresent();
        return kept ? new String(chunk(ref).contents().get(left), StandardCharsets.UTF_8) : "";
      }
      left -= ref.blocks();
    }
    throw new IllegalStateException("block " + block + " of " + record.blocks().size());
  }

  LedgerRecord record(RequestRow row) {
    JsonFields ledger = ledger(row);
    return LedgerRecord.of(row, ledger, chunks(ledger));
  }

  private static JsonFields ledger(RequestRow row) {
    return LedgerRecord.fields(row)
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.NOT_FOUND, "request_id", row.id(), "a request whose body is kept"));
  }

  private List<LedgerChunk> chunks(JsonFields ledger) {
    List<LedgerChunk> chunks = new ArrayList<>();
    for (LedgerRecord.ChunkRef ref : LedgerRecord.chunks(ledger)) {
      chunks.add(chunk(ref));
    }
    return chunks;
  }

  private LedgerChunk chunk(LedgerRecord.ChunkRef ref) {
    Binary stored =
        store()
            .binary(session.scope(), ref.sha256())
            .orElseThrow(
                () ->
                    ContextureException.invalid(
                        ErrorCode.NOT_FOUND, "sha256", ref.sha256(), "content that is kept"));
    LedgerChunk whole = LedgerChunk.read(stored);
    return new LedgerChunk(
        whole.blocks().subList(0, ref.blocks()), whole.contents().subList(0, ref.blocks()));
  }

  private Store store() {
    return session.services().store();
  }
}
