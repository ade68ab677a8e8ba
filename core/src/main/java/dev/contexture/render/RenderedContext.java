package dev.contexture.render;

import dev.contexture.timeline.GrowingList;
import dev.contexture.view.Media;
import dev.contexture.view.Part;
import dev.contexture.view.View;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The rendered context, as a model gets it. Immutable.
 *
 * @param view the stable stream it was made from
 * @param transcript the parts of the one user message; empty in the native dialect
 * @param messages the messages; a transcript is one
 * @param points where the cache points lie
 * @param tailParts how many parts at the end belong to the tail
 * @param report what was done and why
 * @param origins where the parts of the messages come from; a transcript says it itself
 */
@API(status = API.Status.STABLE, since = "0.1")
public record RenderedContext(
    View view,
    List<RenderedPart> transcript,
    List<Message> messages,
    List<RenderedPoint> points,
    int tailParts,
    RenderReport report,
    PartOrigins origins) {
  public RenderedContext {
    transcript = List.copyOf(transcript);
    messages = GrowingList.immutable(messages);
    points = List.copyOf(points);
  }

  /** The flat view of a transcript: all parts in one text, binaries as marker lines. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (RenderedPart rendered : transcript) {
      switch (rendered.part()) {
        case Part.Text part -> text.append(part.text());
        case Part.Image part ->
            text.append(Media.marker(part.mediaType(), part.data())).append("\n\n");
        case Part.Document part ->
            text.append(Media.marker(part.mediaType(), part.data())).append("\n\n");
        case Part.ToolCall _unused -> throw notInTranscript();
        case Part.ToolResult _unused -> throw notInTranscript();
        case Part.Opaque _unused -> throw notInTranscript();
      }
    }
    return text.toString();
  }

  private static IllegalStateException notInTranscript() {
    return new IllegalStateException("a transcript holds texts, images and documents only");
  }
}
