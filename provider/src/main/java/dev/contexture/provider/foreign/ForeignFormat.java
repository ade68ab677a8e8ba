package dev.contexture.provider.foreign;

import dev.contexture.error.ContextureException;
import dev.contexture.request.history.HistoryFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** The files of other programs that are read: help, messages and the API name them from here. */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public enum ForeignFormat implements HistoryFormat {
  OPENAI("OpenAI Chat Completions", "messages with role and content"),
  OPENAI_RESPONSES("OpenAI Responses", "items in input or output"),
  ANTHROPIC("Anthropic Messages", "messages whose content has tool_use and tool_result"),
  GEMINI("Gemini", "contents with role and parts"),
  LANGCHAIN("LangChain", "messages with type and data, type and content, or lc and kwargs"),
  LANGCHAIN4J("LangChain4j", "messages whose type is one of SYSTEM, USER, AI"),
  VERCEL_AI("Vercel AI SDK", "messages with typed parts, or with tool-call and tool-result"),
  CHATGPT("ChatGPT export", "conversations with mapping and current_node"),
  CLAUDE("Claude.ai export", "conversations with chat_messages"),
  CLAUDE_CODE("Claude Code log", "lines with sessionId, uuid and message"),
  LETTA("Letta agent file", "agents with messages, and blocks"),
  MCP_MEMORY("MCP memory file", "lines of type entity and relation"),
  SHAREGPT("ShareGPT", "conversations whose messages have from and value");

  private final String title;
  private final String shape;

  ForeignFormat(String title, String shape) {
    this.title = title;
    this.shape = shape;
  }

  /**
   * The constant that stands for a format.
   *
   * @throws ContextureException {@code invalid_argument} if it is none of these
   */
  static ForeignFormat of(HistoryFormat format) {
    return format instanceof ForeignFormat known ? known : named(format.wireName());
  }

  /**
   * The format of a name.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  public static ForeignFormat named(String name) {
    return (ForeignFormat) HistoryFormat.named(List.of(values()), "format", name);
  }

  /** All names. */
  public static List<String> names() {
    return Arrays.stream(values()).map(ForeignFormat::wireName).toList();
  }

  @Override
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String shape() {
    return shape;
  }
}
