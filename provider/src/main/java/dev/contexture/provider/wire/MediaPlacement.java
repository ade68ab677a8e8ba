package dev.contexture.provider.wire;

import dev.contexture.block.Binary;
import dev.contexture.view.Part;
import java.util.List;
import org.apiguardian.api.API;

/** Pictures and documents where a format has its own idea of their place. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MediaPlacement {
  /** Stands in a result for media that follow it. */
  public static final String BELOW = "[see media below]";

  private MediaPlacement() {}

  /**
   * Adds the media of a result to those that follow it, behind a text that says whose they are.
   *
   * @param index of the result in its message
   */
  public static void hoist(
      Part.ToolResult result, int index, String id, List<BodyWriter.Sent> hoisted) {
    List<Part> media =
        result.content().stream().filter(part -> !(part instanceof Part.Text)).toList();
    if (!media.isEmpty()) {
      hoisted.add(new BodyWriter.Sent(new Part.Text("[media of result " + id + "]"), index, false));
      media.forEach(part -> hoisted.add(new BodyWriter.Sent(part, index, false)));
    }
  }

  /** Bytes as a quoted data URL. */
  public static String dataUrl(String mediaType, Binary data) {
    return EncodedPart.quoted("data:" + mediaType + ";base64," + data.base64());
  }
}
