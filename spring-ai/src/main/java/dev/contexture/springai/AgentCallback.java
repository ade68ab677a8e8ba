package dev.contexture.springai;

import dev.contexture.ContextBrowser;
import dev.contexture.block.CallId;
import dev.contexture.block.Scope;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.tool.ToolSpec;
import dev.contexture.turn.ToolCall;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/** A built-in tool of an agent as Spring AI calls it. */
final class AgentCallback implements ToolCallback {
  private final SpringAiContext context;
  private final ToolSpec spec;
  private final Scope.@Nullable OfConversation conversation; // null: the tool context says it

  AgentCallback(
      SpringAiContext context, ToolSpec spec, Scope.@Nullable OfConversation conversation) {
    this.context = context;
    this.spec = spec;
    this.conversation = conversation;
  }

  /** The same tool for one conversation. */
  AgentCallback in(Scope.OfConversation where) {
    return new AgentCallback(context, spec, where);
  }

  @Override
  public ToolDefinition getToolDefinition() {
    return ToolDefinition.builder()
        .name(spec.name().replace('.', '_'))
        .description(spec.description())
        .inputSchema(spec.parameters().toJson())
        .build();
  }

  @Override
  public String call(String input) {
    return call(input, null);
  }

  @Override
  public String call(String input, @Nullable ToolContext given) {
    Scope.OfConversation where = conversation;
    if (where == null) {
      where =
          context.scope(given == null ? null : given.getContext().get(ChatMemory.CONVERSATION_ID));
    }
    ContextBrowser chat = context.browser(where);
    String agent = context.agent();
    AgentTools tools =
        agent == null
            ? context.engine().agentTools(chat)
            : context.engine().agentTools(chat, agent);
    return tools
        .withMaxTokens(context.maxTokens())
        .run(new ToolCall(CallId.of(spec.name()), null, spec.name(), input))
        .plainText();
  }
}
