package dev.contexture.block;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.apiguardian.api.API;

/**
 * Every bound of the engine in one place. At the limit is accepted, one above is refused as a
 * whole, and nothing is ever cut to fit.
 *
 * @param textBytes text of a block, in UTF-8
 * @param dataBytes decoded binary content of a block
 * @param metaBytes metadata and unknown fields of a block, as compact JSON in UTF-8
 * @param metaDepth nesting of the metadata
 * @param blocksPerContribute blocks in one call
 * @param blocksPerTurn blocks of one turn
 * @param replacementChars text that stands for a hidden block
 * @param announceBlocks announce blocks at a time
 * @param announceBytes their text together, in UTF-8
 * @param sources rows in the sources pool
 * @param sourceChars text of one source
 * @param attachments attachments of one turn
 * @param attachmentsBytes their content together
 * @param titleChars title of a conversation
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Limits(
    int textBytes,
    int dataBytes,
    int metaBytes,
    int metaDepth,
    int blocksPerContribute,
    int blocksPerTurn,
    int replacementChars,
    int announceBlocks,
    int announceBytes,
    int sources,
    int sourceChars,
    int attachments,
    int attachmentsBytes,
    int titleChars) {

  /** The most paths that one conversation keeps in context. */
  public static final int MAX_PINS = 100;

  /** The defaults of T-100. */
  public static final Limits DEFAULT =
      new Limits(
          1 << 20, 10 << 20, 64 << 10, 16, 256, 10_000, 4_000, 16, 32 << 10, 1_000, 200_000, 20,
          50 << 20, 200);

  /**
   * Checks the sizes of a block.
   *
   * @throws ContextureException {@code text_too_large}, {@code data_too_large}, {@code
   *     meta_too_large} or {@code replacement_too_long}
   */
  public void check(Block block) {
    block.text().ifPresent(text -> checkBytes(ErrorCode.TEXT_TOO_LARGE, "text", text, textBytes));
    block
        .data()
        .ifPresent(
            data -> atMost(ErrorCode.DATA_TOO_LARGE, "data", dataBytes, data.sizeBytes(), "bytes"));
    checkMeta(block);
    block.replacementText().ifPresent(this::checkReplacement);
  }

  private void checkMeta(Block block) {
    if (block.meta().isEmpty() && block.unknownFields().isEmpty()) {
      return;
    }
    long depth = Math.max(depth(block.meta()), depth(block.unknownFields()));
    atMost(ErrorCode.META_TOO_LARGE, "meta", metaDepth, depth, "levels of nesting");
    long bytes = 0;
    for (JsonObject part : new JsonObject[] {block.meta(), block.unknownFields()}) {
      bytes += part.isEmpty() ? 0 : utf8(part.toJson());
    }
    atMost(ErrorCode.META_TOO_LARGE, "meta", metaBytes, bytes, "bytes with unknown fields");
  }

  /** Checks the number of blocks in one call. */
  public void checkBatch(Collection<?> blocks) {
    atMost(
        ErrorCode.TOO_MANY_BLOCKS,
        "blocks",
        blocksPerContribute,
        blocks.size(),
        "blocks in one call");
  }

  /** Checks the number of blocks that a turn would hold. */
  public void checkTurn(TurnId turn, long blocks) {
    atMost(ErrorCode.TURN_FULL, "turn " + turn, blocksPerTurn, blocks, "blocks");
  }

  /** Checks the text that is to stand for a hidden block. */
  public void checkReplacement(String text) {
    long chars = text.codePointCount(0, text.length());
    atMost(
        ErrorCode.REPLACEMENT_TOO_LONG, "replacement_text", replacementChars, chars, "characters");
  }

  /** Checks the blocks of one announcement. */
  public void checkAnnounce(Collection<Block> blocks) {
    atMost(ErrorCode.ANNOUNCE_TOO_LARGE, "announce", announceBlocks, blocks.size(), "blocks");
    long bytes = blocks.stream().mapToLong(block -> utf8(block.text().orElse(""))).sum();
    atMost(ErrorCode.ANNOUNCE_TOO_LARGE, "announce", announceBytes, bytes, "bytes of text");
  }

  /** Checks the number of rows of a sources pool. */
  public void checkSources(long rows) {
    atMost(ErrorCode.SOURCES_TOO_MANY, "sources", sources, rows, "rows");
  }

  /** Checks the text of one source. */
  public void checkSourceText(String text) {
    long chars = text.codePointCount(0, text.length());
    atMost(ErrorCode.SOURCE_TOO_LARGE, "text", sourceChars, chars, "characters");
  }

  /** Checks how many attachments a turn has, and how large they are together. */
  public void checkAttachments(int count, long bytes) {
    atMost(
        ErrorCode.TOO_MANY_ATTACHMENTS, "attachments", attachments, count, "attachments in a turn");
    atMost(ErrorCode.ATTACHMENTS_TOO_LARGE, "attachments", attachmentsBytes, bytes, "bytes");
  }

  /** Checks the title of a conversation. */
  public void checkTitle(String title) {
    long chars = title.codePointCount(0, title.length());
    atMost(ErrorCode.TITLE_TOO_LONG, "title", titleChars, chars, "characters");
  }

  private static void checkBytes(ErrorCode code, String field, String text, int limit) {
    if (text.length() > limit / 3) { // a UTF-16 unit takes at most three bytes
      atMost(code, field, limit, utf8(text), "bytes");
    }
  }

  private static void atMost(ErrorCode code, String field, long limit, long actual, String unit) {
    if (actual > limit) {
      throw ContextureException.limit(code, field, limit, actual, unit);
    }
  }

  private static long utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static int depth(JsonValue value) {
    Collection<JsonValue> inner =
        value instanceof JsonObject object
            ? object.members().values()
            : value instanceof JsonArray array ? array.items() : null;
    if (inner == null) {
      return 0;
    }
    int deepest = 0;
    for (JsonValue item : inner) {
      deepest = Math.max(deepest, depth(item));
    }
    return deepest + 1;
  }
}
