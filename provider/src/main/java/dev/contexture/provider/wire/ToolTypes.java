package dev.contexture.provider.wire;

import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Tells by its type whose a provider's own tool is. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolTypes {
  /** Anthropic's end with the day of their version. */
  private static final Pattern ANTHROPIC = Pattern.compile(".+_\\d{8}|mcp_toolset");

  private static final Pattern OPENAI_DATED = Pattern.compile(".+_\\d{4}_\\d{2}_\\d{2}");
  private static final Set<String> OPENAI =
      Set.of(
          "function",
          "web_search",
          "web_search_preview",
          "file_search",
          "code_interpreter",
          "image_generation",
          "computer",
          "computer_use_preview",
          "local_shell",
          "shell",
          "apply_patch",
          "mcp");

  private ToolTypes() {}

  public static boolean isOfAnthropic(String type) {
    return ANTHROPIC.matcher(type).matches();
  }

  public static boolean isOfOpenAi(String type) {
    return OPENAI.contains(type) || OPENAI_DATED.matcher(type).matches();
  }
}
