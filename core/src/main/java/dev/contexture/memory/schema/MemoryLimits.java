package dev.contexture.memory.schema;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * Every bound of memory in one place. Lengths count code points, sizes bytes.
 *
 * @param descriptionLength description of a block
 * @param charLimit {@code char_limit} of a block that names none
 * @param maxCharLimit the largest {@code char_limit}
 * @param fields fields of a Map
 * @param sections sections of a Composite
 * @param items items of a List without {@code max_items}
 * @param logEntries entries of a Log
 * @param jsonBytes one JSON value
 * @param jsonDepth nesting of one JSON value
 * @param documentBytes an encoded document
 * @param earlyBytes updates of a document that wait for their predecessors
 * @param messageLength message of a commit
 * @param blocksPerAgent live blocks of one agent
 * @param archivalBytes one archival entry
 * @param queryLength a search query
 * @param searchResults hits of one search
 * @param cacheDocuments documents in the cache
 * @param cacheBytes their size together
 * @param subscriberQueue events that wait for one subscriber
 * @param consentWait how long a write waits for approval
 * @param pendingConsents requests for approval that wait at a time
 * @param writeAttempts repetitions of a write after conflicts
 * @param indexWait how long a search waits for the index
 * @param undoSteps newest steps of each author of a block that can be undone, or redone if they are
 * @param undoBytes updates of a block that are kept for it, together
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MemoryLimits(
    int descriptionLength,
    int charLimit,
    int maxCharLimit,
    int fields,
    int sections,
    int items,
    int logEntries,
    int jsonBytes,
    int jsonDepth,
    int documentBytes,
    int earlyBytes,
    int messageLength,
    int blocksPerAgent,
    int archivalBytes,
    int queryLength,
    int searchResults,
    int cacheDocuments,
    long cacheBytes,
    int subscriberQueue,
    Duration consentWait,
    int pendingConsents,
    int writeAttempts,
    Duration indexWait,
    int undoSteps,
    int undoBytes) {
  private static final int MIB = 1 << 20;

  /** The defaults of M-3. */
  public static final MemoryLimits DEFAULT =
      new MemoryLimits(
          2_000,
          5_000,
          1_000_000,
          256,
          64,
          10_000,
          1_000_000,
          MIB,
          32,
          64 * MIB,
          16 * MIB,
          1_000,
          10_000,
          MIB,
          10_000,
          1_000,
          1_000,
          256L * MIB,
          1_024,
          Duration.ofSeconds(300),
          1_000,
          5,
          Duration.ofSeconds(2),
          100,
          16 * MIB);

  public MemoryLimits {
    if (undoSteps < 1 || undoBytes < 1 || consentWait.isNegative()) {
      throw MemoryErrors.argument(
          "undo_steps, undo_bytes, consent_wait",
          undoSteps + ", " + undoBytes + ", " + consentWait,
          "positive numbers, and no negative time");
    }
  }

  /** The same with another time to wait for approval; 0: none. */
  public MemoryLimits withConsentWait(Duration wait) {
    return with(documentBytes, wait, undoSteps, undoBytes);
  }

  /** The same with other bounds of what can be undone. */
  public MemoryLimits withUndo(int steps, int bytes) {
    return with(documentBytes, consentWait, steps, bytes);
  }

  /** The same with another bound of an encoded document. */
  public MemoryLimits withDocumentBytes(int bytes) {
    return with(bytes, consentWait, undoSteps, undoBytes);
  }

  private MemoryLimits with(int wholeBytes, Duration wait, int steps, int stepBytes) {
    return new MemoryLimits(
        descriptionLength,
        charLimit,
        maxCharLimit,
        fields,
        sections,
        items,
        logEntries,
        jsonBytes,
        jsonDepth,
        wholeBytes,
        earlyBytes,
        messageLength,
        blocksPerAgent,
        archivalBytes,
        queryLength,
        searchResults,
        cacheDocuments,
        cacheBytes,
        subscriberQueue,
        wait,
        pendingConsents,
        writeAttempts,
        indexWait,
        steps,
        stepBytes);
  }

  /**
   * The {@code char_limit} that a block gets: the default for 0.
   *
   * @throws dev.contexture.error.ContextureException {@code limit_exceeded} above the largest,
   *     {@code invalid_argument} below 0
   */
  public int charLimitFor(int given) {
    if (given < 0) {
      throw MemoryErrors.argument("char_limit", given, "0 to " + maxCharLimit);
    }
    MemoryErrors.atMost("char_limit", maxCharLimit, given, "code points");
    return given == 0 ? charLimit : given;
  }

  /**
   * Checks the number of fields and sections of a schema.
   *
   * @throws dev.contexture.error.ContextureException {@code limit_exceeded} if there are too many
   */
  public void check(BlockSchema schema) {
    switch (schema) {
      case TextSchema _unused -> {}
      case MapSchema map -> MemoryErrors.atMost("fields", fields, map.fields().size(), "fields");
      case ListSchema list -> list.itemSchema().ifPresent(this::check);
      case LogSchema log ->
          MemoryErrors.atMost("fields", fields, log.entry().fields().size(), "fields");
      case CompositeSchema composite -> {
        MemoryErrors.atMost("sections", sections, composite.sections().size(), "sections");
        composite.sections().forEach(section -> check(section.schema()));
      }
    }
  }

  /** Checks the message of a commit. */
  public void checkMessage(String message) {
    int length = message.codePointCount(0, message.length());
    MemoryErrors.atMost("message", messageLength, length, "code points");
  }
}
