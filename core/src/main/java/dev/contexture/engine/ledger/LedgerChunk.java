package dev.contexture.engine.ledger;

import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonFields;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.request.Fingerprint;
import dev.contexture.request.LedgerBlock;
import dev.contexture.request.Origin;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestBlock;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Blocks of a request with their bytes, as they are stored: a line of JSON that describes them, and
 * the bytes of one after the other, without marks. What one request adds to the one before is one
 * chunk; its content address names it. Immutable.
 *
 * @param blocks what is described
 * @param contents their bytes
 */
record LedgerChunk(List<LedgerBlock> blocks, List<byte[]> contents) {
  private static final int VERSION = 1;
  private static final Set<String> DESCRIBED =
      Set.of(
          "hash",
          "tier",
          "kind",
          "role",
          "tokens",
          "path",
          "seq",
          "actor",
          "glue",
          "size",
          "volatile",
          "opaque");

  LedgerChunk {
    blocks = List.copyOf(blocks);
    contents = List.copyOf(contents);
  }

  /** The blocks of a written request from an index on; they are described by these. */
  static LedgerChunk of(ProviderRequest request, List<LedgerBlock> described, int from) {
    List<byte[]> contents = new ArrayList<>();
    for (int i = from; i < request.blocks().size(); i++) {
      contents.add(request.body().content(request.blocks().get(i).span()));
    }
    return new LedgerChunk(described.subList(from, described.size()), contents);
  }

  /** The stored form. */
  Binary write() {
    List<JsonValue> described = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      described.add(describe(blocks.get(i), contents.get(i).length));
    }
    JsonObject head =
        JsonObject.builder().put("v", VERSION).put("blocks", new JsonArray(described)).build();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes((head.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
    contents.forEach(out::writeBytes);
    return Binary.of(out.toByteArray());
  }

  private static JsonObject describe(LedgerBlock block, int size) {
    JsonObject.Builder json =
        JsonObject.builder()
            .put("hash", block.fingerprint().hex())
            .put("tier", block.tier().wireName())
            .put("kind", block.kind())
            .put("role", block.role())
            .put("tokens", block.tokens())
            .put("path", block.origin().path())
            .put("seq", block.origin().seq())
            .put("actor", block.origin().actor())
            .put("glue", new String(block.glue().bytes(), StandardCharsets.UTF_8))
            .put("size", size);
    if (block.volatileTail()) {
      json.put("volatile", true);
    }
    if (block.opaque()) {
      json.put("opaque", true);
    }
    return json.build();
  }

  /**
   * Reads the stored form.
   *
   * @throws ContextureException {@code store_damaged} if it is none
   */
  static LedgerChunk read(Binary stored) {
    byte[] bytes = stored.bytes();
    int line = 0;
    while (line < bytes.length && bytes[line] != '\n') {
      line++;
    }
    JsonFields head =
        JsonFields.of(
            JsonValue.parse(new String(bytes, 0, line, StandardCharsets.UTF_8)),
            "chunk",
            Set.of("v", "blocks"));
    if (head.number("v").orElse(0) != VERSION) {
      throw damaged(stored, "version " + head.number("v").orElse(0));
    }
    List<LedgerBlock> blocks = new ArrayList<>();
    List<byte[]> contents = new ArrayList<>();
    int at = line + 1;
    for (JsonObject each : head.objects("blocks")) {
      JsonFields block = JsonFields.of(each, DESCRIBED);
      int size = (int) block.number("size").orElse(-1);
      if (size < 0 || size > bytes.length - at) {
        throw damaged(stored, "a block of " + size + " bytes at " + at);
      }
      blocks.add(block(block));
      contents.add(Arrays.copyOfRange(bytes, at, at + size));
      at += size;
    }
    return new LedgerChunk(blocks, contents);
  }

  private static LedgerBlock block(JsonFields json) {
    return new LedgerBlock(
        RequestBlock.Tier.valueOf(json.requiredString("tier").toUpperCase(Locale.ROOT)),
        json.requiredString("kind"),
        json.requiredString("role"),
        Fingerprint.ofHex(json.requiredString("hash")),
        json.number("tokens").orElse(0),
        new Origin(
            json.string("path").orElse(""),
            json.number("seq").orElse(0),
            json.string("actor").orElse("")),
        json.flag("volatile", false),
        json.flag("opaque", false),
        LedgerBlock.Glue.of(json.string("glue").orElse("").getBytes(StandardCharsets.UTF_8)));
  }

  private static ContextureException damaged(Binary stored, String what) {
    return new ContextureException(
        ErrorCode.STORE_DAMAGED,
        "the record of a request cannot be read: " + what,
        Map.of("sha256", stored.sha256()),
        null);
  }
}
