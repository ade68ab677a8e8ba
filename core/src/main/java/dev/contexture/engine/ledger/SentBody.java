package dev.contexture.engine.ledger;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestBody;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parts of a body that a record holds beside its blocks: the text before the first one and
 * behind the last one, and the marks. With the blocks they give the body again, byte for byte.
 * Immutable.
 *
 * @param head the text before the first block
 * @param tail the text behind the last one
 * @param marks by the index of a block, the text that closes it instead of a brace
 */
record SentBody(String head, String tail, Map<Integer, String> marks) {
  SentBody {
    marks = java.util.Collections.unmodifiableMap(new TreeMap<>(marks));
  }

  static SentBody of(ProviderRequest request) {
    RequestBody body = request.body();
    List<RequestBlock> blocks = request.blocks();
    if (blocks.isEmpty()) {
      return new SentBody(body.text(), "", Map.of());
    }
    Map<Integer, String> marks = new TreeMap<>();
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i).mark().isPresent()) {
        int close = blocks.get(i).span().close();
        marks.put(i, text(body.bytes(close, close + 1)));
      }
    }
    return new SentBody(
        text(body.bytes(0, blocks.getFirst().span().own())),
        text(body.bytes(blocks.getLast().span().close() + 1, body.pieces().size())),
        marks);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The exact body. */
  String rebuild(List<LedgerChunk> chunks) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    int index = 0;
    for (LedgerChunk chunk : chunks) {
      for (int i = 0; i < chunk.blocks().size(); i++, index++) {
        if (index > 0) {
          out.writeBytes(chunk.blocks().get(i).glue().bytes());
        }
        byte[] content = chunk.contents().get(i);
        String mark = marks.get(index);
        out.write(content, 0, mark == null ? content.length : content.length - 1);
        if (mark != null) {
          out.writeBytes(mark.getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    out.writeBytes(tail.getBytes(StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  JsonObject write() {
    List<JsonValue> marked = new ArrayList<>();
    marks.forEach(
        (block, text) ->
            marked.add(JsonObject.builder().put("block", block).put("text", text).build()));
    return JsonObject.builder()
        .put("head", head)
        .put("tail", tail)
        .put("marks", new JsonArray(marked))
        .build();
  }

  static SentBody read(JsonObject json) {
    Map<Integer, String> marks = new TreeMap<>();
    for (JsonValue value : json.array("marks").map(JsonArray::items).orElse(List.of())) {
      if (value instanceof JsonObject mark
          && mark.find("block").orElse(null) instanceof JsonNumber block) {
        marks.put((int) block.asLong().orElse(0), mark.string("text").orElse(""));
      }
    }
    return new SentBody(json.string("head").orElse(""), json.string("tail").orElse(""), marks);
  }
}
