package dev.contexture.springai;

import dev.contexture.ContextRequest;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.request.ToolDef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.definition.ToolDefinition;

/** Makes one request of a turn, and the messages of Spring AI that say the same. */
final class RequestMaker {
  private static final String SEPARATOR = "\n\n";

  private final SpringAiContext context;
  private final Turn turn;
  private final List<String> instructions;

  RequestMaker(SpringAiContext context, Turn turn, List<String> instructions) {
    this.context = context;
    this.turn = turn;
    this.instructions = instructions;
  }

  /**
   * Builds the request: system text, memory, conversation and tools within the budget, proved and
   * kept in the ledger.
   *
   * @param compact whether the provider refused it as too long
   */
  ContextRequest make(@Nullable ChatOptions options, boolean compact) {
    RequestBuilder builder =
        turn.request(context.provider(), context.target().model().model())
            .carrier(SpringAiContext.NAME)
            .adds(context.adds())
            .forceCompaction(compact)
            .tools(tools(options));
    if (context.agent() != null) {
      builder.agent(context.agent());
    }
    if (context.config() != null) {
      builder.config(context.config());
    }
    if (options != null && options.getMaxTokens() != null) {
      builder.maxOutputTokens(options.getMaxTokens());
    }
    instructions.forEach(builder::instructions);
    return builder.build();
  }

  private static List<ToolDef> tools(@Nullable ChatOptions options) {
    if (!(options instanceof ToolCallingChatOptions calling)
        || calling.getToolCallbacks() == null) {
      return List.of();
    }
    return calling.getToolCallbacks().stream()
        .map(tool -> define(tool.getToolDefinition()))
        .toList();
  }

  private static ToolDef define(ToolDefinition tool) {
    return new ToolDef(
        tool.name(), tool.description() == null ? "" : tool.description(), tool.inputSchema());
  }

  /**
   * The messages of a request.
   *
   * @param prompt what the user said
   * @param shown what the model is told instead, such as the same with retrieved content
   */
  List<Message> messages(
      ContextRequest made, @Nullable UserMessage prompt, @Nullable UserMessage shown) {
    List<Message> messages = new ArrayList<>();
    if (!made.assembled().system().isEmpty()) {
      messages.add(new SystemMessage(String.join(SEPARATOR, made.assembled().system())));
    }
    messages.addAll(SpringMessages.of(made.assembled().messages()));
    if (prompt != null && shown != null) {
      String said = UserInput.text(prompt);
      if (!said.equals(UserInput.text(shown))) {
        replace(messages, said, UserInput.text(shown));
      }
    }
    return messages;
  }

  /** Says what other advisors want said in the place of the newest prompt. */
  private static void replace(List<Message> messages, String said, String instead) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      if (messages.get(i) instanceof UserMessage user && UserInput.text(user).equals(said)) {
        messages.set(i, user.mutate().text(instead).build());
        return;
      }
    }
  }
}
