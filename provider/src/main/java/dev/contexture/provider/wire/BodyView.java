package dev.contexture.provider.wire;

import dev.contexture.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A body, taken apart, or its end.
 *
 * @param format how it is written
 * @param tools their definitions
 * @param system the parts before all messages
 * @param entries the messages
 * @param settings everything else
 * @param before what came before the first of these messages
 * @param apiVersion the version of the interface that it is for; empty if there are none
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BodyView(
    WireFormat format,
    List<BodyPart> tools,
    List<BodyPart> system,
    List<BodyMessage> entries,
    JsonObject settings,
    PriorMessages before,
    String apiVersion) {
  public BodyView {
    tools = List.copyOf(tools);
    system = List.copyOf(system);
    entries = List.copyOf(entries);
  }

  public static BodyView of(
      WireFormat format,
      BodyParser.Head head,
      List<BodyMessage> entries,
      PriorMessages before,
      String apiVersion) {
    return new BodyView(
        format, head.tools(), head.system(), entries, head.settings(), before, apiVersion);
  }

  /** All blocks that are in view, in the order in which caches see them. */
  public List<BodyPart> blocks() {
    List<BodyPart> blocks = new ArrayList<>(tools);
    blocks.addAll(system);
    entries.forEach(entry -> blocks.addAll(entry.items()));
    return blocks;
  }

  /** The thinking of the conversation, in order. */
  public List<BodyPart> thinking() {
    return entries.stream().flatMap(entry -> entry.all(BodyPart.Kind.THINKING).stream()).toList();
  }

  public boolean hasCalls() {
    return before.hasCalls() || entries.stream().anyMatch(entry -> entry.has(BodyPart.Kind.CALL));
  }
}
