package dev.contexture.provider.request;

import dev.contexture.request.SystemPart;
import dev.contexture.request.ToolDef;
import java.util.List;
import java.util.Map;

/**
 * The encodings of what stands before the messages. Immutable.
 *
 * @param tools the tools, as given
 * @param toolTexts their forms, in the order of the wire
 * @param aliases tools by alias
 * @param system the system parts, as given
 * @param systemTexts those that are sent
 */
record HeadMemory(
    List<ToolDef> tools,
    List<Encoded> toolTexts,
    Map<String, String> aliases,
    List<SystemPart> system,
    List<SystemText> systemTexts) {
  static final HeadMemory EMPTY =
      new HeadMemory(List.of(), List.of(), Map.of(), List.of(), List.of());

  /**
   * One system part that is sent.
   *
   * @param encoded its form
   * @param cache whether a cache may end here
   */
  record SystemText(Encoded encoded, boolean cache) {}
}
