package dev.contexture.springai;

import dev.contexture.engine.agent.AgentTools;
import java.util.List;
import org.apiguardian.api.API;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;

/**
 * The built-in tools of an agent as tools of Spring AI: its memory, its archive, search, and
 * reading again what is no longer shown. Without an agent only the last. A tool works in the
 * conversation of the call of the ChatClient, and for its user; without {@link SpringAiTurnAdvisor}
 * the tool context must name the conversation.
 *
 * <p>Providers allow no dots in names: {@code react.read} is {@code react_read} here. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SpringAiTools implements ToolCallbackProvider {
  private final SpringAiContext context;

  SpringAiTools(SpringAiContext context) {
    this.context = context;
  }

  /** All of them, new ones with each call. */
  @Override
  public ToolCallback[] getToolCallbacks() {
    List<AgentCallback> tools =
        AgentTools.all().stream()
            .filter(tool -> context.agent() != null || tool.name().startsWith("react."))
            .map(tool -> new AgentCallback(context, tool, null))
            .toList();
    return tools.toArray(ToolCallback[]::new);
  }
}
