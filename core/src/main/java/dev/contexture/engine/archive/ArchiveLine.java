package dev.contexture.engine.archive;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockCodec;
import dev.contexture.block.BlockPath;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.json.RecordCodec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of an archive.
 *
 * @param number from 1
 * @param type what it holds
 * @param json all members
 */
record ArchiveLine(long number, String type, JsonObject json) {
  static final String TYPE = "type";
  static final String HEADER = "archive";
  static final String CONVERSATION = "conversation";
  static final String TURN = "turn";
  static final String BLOCK = "block";
  static final String SUMMARY = "summary";
  static final String RANGE = "archived_range";
  static final String VISIBILITY = "visibility";
  static final String SOURCE = "source";
  static final String PIN = "pin";
  static final String KEPT = "turn_scoped";
  static final String CONTENT = "content";
  static final String REQUEST = "request";
  static final String EPOCH = "epoch";
  static final String AGENT = "agent";
  static final String MEMORY = "memory_block";
  static final String UPDATE = "update";
  static final String CHECKPOINT = "checkpoint";
  static final String SHARE = "share";
  static final String ENTRY = "archival";
  static final String END = "end";

  static final RecordCodec CODEC =
      RecordCodec.PLAIN
          .withText(TurnId.class, TurnId::value, TurnId::of)
          .withText(CallId.class, CallId::value, CallId::of)
          .withText(BlockPath.class, BlockPath::text, BlockPath::parse)
          .withText(Binary.class, Binary::base64, Binary::ofBase64)
          .with(Block.class, BlockCodec::write, ArchiveLine::block);

  private static Block block(JsonValue json) {
    if (json instanceof JsonObject wire) {
      return BlockCodec.readStored(wire);
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "block", json.toJson(), "an object");
  }

  <T extends Record> T read(Class<T> type) {
    try {
      return CODEC.read(json, type);
    } catch (ContextureException refused) {
      throw malformed(number, String.valueOf(refused.getMessage()), refused);
    }
  }

  static ContextureException malformed(
      long line, String problem, @Nullable RuntimeException cause) {
    return new ContextureException(
        ErrorCode.IMPORT_MALFORMED,
        "line " + line + " of the archive: " + problem + "; nothing was imported, export it again",
        Map.of("line", line),
        cause);
  }
}
