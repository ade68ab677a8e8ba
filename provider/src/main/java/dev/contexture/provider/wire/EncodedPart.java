package dev.contexture.provider.wire;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.json.SendableText;
import dev.contexture.request.Fingerprint;
import dev.contexture.request.ReplyParts;
import dev.contexture.request.RequestBody;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A part in a provider's form, all but its last brace: a mark may come before that. Immutable. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EncodedPart {
  /** A part that cannot be sent. */
  public static final EncodedPart NONE = new EncodedPart(new byte[0], false);

  private static final byte[] BETWEEN = bytes("},");

  private static final byte[] CLOSE = bytes("}");

  private final byte[] open;
  private final boolean argumentsInvalid;
  private @Nullable Fingerprint fingerprint; // made when asked for; a race only makes it twice

  private EncodedPart(byte[] open, boolean argumentsInvalid) {
    this.open = open;
    this.argumentsInvalid = argumentsInvalid;
  }

  public static EncodedPart of(String open) {
    return new EncodedPart(bytes(open), false);
  }

  /**
   * An array of encoded parts, at least one, between other text; no part is rewritten.
   *
   * @param head what stands before its first item
   * @param tail what stands behind its last one, whose brace is left out
   */
  public static EncodedPart array(String head, List<EncodedPart> parts, String tail) {
    List<byte[]> pieces = new ArrayList<>(2 * parts.size() + 1);
    pieces.add(bytes(head));
    for (EncodedPart part : parts) {
      pieces.add(part.open);
      pieces.add(BETWEEN);
    }
    pieces.set(pieces.size() - 1, bytes(tail));
    return new EncodedPart(RequestBody.of(pieces).bytes(), false);
  }

  /** The bytes, shared: nobody changes them. */
  public byte[] open() {
    return open;
  }

  /** Of the whole part, its last brace included. */
  public Fingerprint fingerprint() {
    Fingerprint known = fingerprint;
    if (known == null) {
      known = Fingerprint.of(open, CLOSE);
      fingerprint = known;
    }
    return known;
  }

  public String text() {
    return new String(open, StandardCharsets.UTF_8);
  }

  public boolean argumentsInvalid() {
    return argumentsInvalid;
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A text as a JSON string, without what cannot be sent. */
  public static String quoted(String text) {
    return new JsonString(SendableText.of(text)).toJson();
  }

  /** A call whose arguments are an object; text that is none goes inside one. */
  public static EncodedPart call(String open, Part.ToolCall call, String close) {
    if (call.arguments().isBlank()) {
      return of(open + "{}" + close);
    }
    if (JsonText.isObject(call.arguments())) {
      return of(open + JsonText.minify(call.arguments()) + close);
    }
    JsonString text = new JsonString(call.arguments());
    String wrapped = JsonObject.of(ReplyParts.RAW_ARGUMENTS, text).toJson();
    return new EncodedPart(bytes(open + wrapped + close), true);
  }

  /** A part as it came. */
  public static EncodedPart verbatim(Part.Opaque opaque) {
    String raw = opaque.raw().strip();
    return JsonText.isObject(raw) ? of(raw.substring(0, raw.length() - 1)) : NONE;
  }

  /**
   * The members of a tool's definition.
   *
   * @param schema what stands between its description and its schema
   */
  public static String definition(String wireName, ToolDef tool, String schema) {
    return "\"name\":"
        + quoted(wireName)
        + (tool.description().isBlank() ? "" : ",\"description\":" + quoted(tool.description()))
        + schema
        + JsonText.minify(tool.schema());
  }

  /** The wire's id of a call: the provider's own, else the engine's. */
  public static String callId(Part.ToolCall call) {
    return call.providerId().orElse(call.id().value());
  }

  public static String callId(Part.ToolResult result) {
    return result.providerId().orElse(result.id().value());
  }
}
