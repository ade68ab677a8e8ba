package dev.contexture.provider.wire;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.prompt.SystemPart;
import dev.contexture.request.RequestInput;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The encodings of what stands before the messages. Immutable.
 *
 * @param tools the tools, as given
 * @param toolTexts their forms, in the order of the wire
 * @param aliases tools by alias
 * @param system the system parts, as given
 * @param systemTexts those that are sent
 */
record HeadEncodings(
    List<ToolDef> tools,
    List<EncodedPart> toolTexts,
    Map<String, String> aliases,
    List<SystemPart> system,
    List<SystemText> systemTexts) {
  static final HeadEncodings EMPTY =
      new HeadEncodings(List.of(), List.of(), Map.of(), List.of(), List.of());

  /**
   * One system part that is sent.
   *
   * @param encoded its form
   * @param cache whether a cache may end here
   */
  record SystemText(EncodedPart encoded, boolean cache) {}

  /**
   * What stands before the messages of a request; what it repeats is not encoded again.
   *
   * @param format who encodes it
   */
  static HeadEncodings next(HeadEncodings before, RequestInput input, BodyWriter format) {
    boolean sameTools = before.tools().equals(input.tools());
    boolean sameSystem = before.system().equals(input.system());
    if (sameTools && sameSystem) {
      return before;
    }
    Map<String, ToolDef> byWireName = sameTools ? Map.of() : byWireName(input, format);
    return new HeadEncodings(
        input.tools(),
        sameTools ? before.toolTexts() : toolTexts(byWireName, input.tools(), format),
        sameTools ? before.aliases() : aliases(byWireName),
        input.system(),
        sameSystem ? before.systemTexts : systemTexts(input, format));
  }

  private static Map<String, ToolDef> byWireName(RequestInput input, BodyWriter format) {
    Map<String, ToolDef> tools = new TreeMap<>(); // wire names are ASCII: this is their order
    for (ToolDef tool : input.tools()) {
      if (!tool.isNative() && tools.put(format.wireName(tool.name()), tool) != null) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "tools", tool.name(), "every tool once");
      }
    }
    return tools;
  }

  /** Functions by name, then the tools of the provider itself, as they are. */
  private static List<EncodedPart> toolTexts(
      Map<String, ToolDef> byWireName, List<ToolDef> all, BodyWriter format) {
    List<EncodedPart> tools = new ArrayList<>();
    byWireName.forEach(
        (name, tool) -> {
          String text = format.tool(name, tool);
          tools.add(EncodedPart.of(text.substring(0, text.length() - 1)));
        });
    all.stream()
        .flatMap(tool -> Stream.ofNullable(tool.raw()))
        .sorted()
        .forEach(raw -> tools.add(EncodedPart.of(raw.substring(0, raw.length() - 1))));
    return List.copyOf(tools);
  }

  private static Map<String, String> aliases(Map<String, ToolDef> byWireName) {
    Map<String, String> aliases = new HashMap<>();
    byWireName.forEach(
        (name, tool) -> {
          if (!name.equals(tool.name())) {
            aliases.put(name, tool.name());
          }
        });
    return Map.copyOf(aliases);
  }

  private static List<SystemText> systemTexts(RequestInput input, BodyWriter format) {
    return input.system().stream()
        .filter(part -> !part.text().isBlank())
        .map(part -> new SystemText(format.encode(new Part.Text(part.text())), part.cache()))
        .toList();
  }
}
