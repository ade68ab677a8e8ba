package dev.contexture.langchain4j;

import dev.contexture.ContextBrowser;
import dev.contexture.block.CallId;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.tool.ToolSpec;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.ToolExecutor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The built-in tools of an agent as tools of LangChain4j: its memory, its archive, search, and
 * reading again what is no longer shown. Without an agent only the last. A tool works in the
 * conversation of the memory id that it is called with, and for its user.
 *
 * <p>Providers allow no dots in names: {@code react.read} is {@code react_read} here. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LangChainTools {
  private final LangChainContext context;

  LangChainTools(LangChainContext context) {
    this.context = context;
  }

  /** All of them, for {@code AiServices.tools}. */
  public Map<ToolSpecification, ToolExecutor> all() {
    List<ToolSpec> specs =
        AgentTools.all().stream()
            .filter(tool -> context.agent() != null || tool.name().startsWith("react."))
            .toList();
    Map<ToolSpecification, ToolExecutor> tools = new LinkedHashMap<>();
    for (ToolSpec spec : specs) {
      ToolSpecification described =
          ToolSpecification.builder()
              .name(spec.name().replace('.', '_'))
              .description(spec.description())
              .parameters(ToolSchemas.of(spec.parameters()))
              .build();
      tools.put(described, (request, memoryId) -> run(spec.name(), request, memoryId));
    }
    return tools;
  }

  private String run(String tool, ToolExecutionRequest request, @Nullable Object memoryId) {
    ContextBrowser chat = context.browser(context.scope(memoryId));
    String agent = context.agent();
    AgentTools tools =
        agent == null
            ? context.engine().agentTools(chat)
            : context.engine().agentTools(chat, agent);
    boolean named = request.id() != null && !request.id().isEmpty();
    CallId call = CallId.of(named ? request.id() : tool);
    String arguments = request.arguments() == null ? "{}" : request.arguments();
    ToolAnswer answer =
        tools
            .withMaxTokens(context.maxTokens())
            .run(new ToolCall(call, request.id(), tool, arguments));
    return answer.plainText();
  }
}
