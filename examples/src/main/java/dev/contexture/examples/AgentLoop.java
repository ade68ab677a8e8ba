package dev.contexture.examples;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Turn;
import dev.contexture.request.ToolDef;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolAnswer;
import dev.contexture.turn.ToolCall;
import java.io.IOException;
import java.util.List;

/**
 * An agent: asks a model, runs the tools that it calls, and goes on until it is done. Every step is
 * stored before the next one begins, so another process can {@link #resume} where this one stopped.
 *
 * <pre>{@code
 * try (Contexture cx = Contexture.open(Path.of("data"))) {
 *   ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
 *   String answer = new AgentLoop(chat, client, "claude-opus-5", tools, runner).ask("Oslo?");
 * }
 * }</pre>
 *
 * <p>With the built-in tools it remembers what it learns:
 *
 * <pre>{@code
 * AgentTools memory = cx.agentTools(chat, "atlas");
 * new AgentLoop(chat, client, "claude-opus-5", memory.definitions(), memory::run).ask("I am Ann.");
 * }</pre>
 */
public final class AgentLoop {
  private static final int MAX_ROUNDS = 20;

  private final ContextBrowser chat;
  private final ModelClient client;
  private final String model;
  private final List<ToolDef> tools;
  private final ToolRunner runner;

  public AgentLoop(
      ContextBrowser chat,
      ModelClient client,
      String model,
      List<ToolDef> tools,
      ToolRunner runner) {
    this.chat = chat;
    this.client = client;
    this.model = model;
    this.tools = List.copyOf(tools);
    this.runner = runner;
  }

  /** Does what a tool is for. What it throws is told to the model. */
  @FunctionalInterface
  public interface ToolRunner {
    ToolAnswer run(ToolCall call) throws IOException;
  }

  /** Asks something in a turn of its own and returns the model's last words. */
  public String ask(String question) throws IOException, InterruptedException {
    try (Turn turn = chat.startTurn(question)) { // closed without finish = interrupted
      return run(turn);
    }
  }

  /** Goes on with the turn that a process left open when it stopped. */
  public String resume() throws IOException, InterruptedException {
    try (Turn turn = chat.openTurn()) {
      for (ToolCall call : turn.waitingCalls()) {
        answer(turn, call);
      }
      return run(turn);
    }
  }

  private String run(Turn turn) throws IOException, InterruptedException {
    for (int round = 0; round < MAX_ROUNDS; round++) {
      ContextRequest request =
          turn.request(model).agent("atlas").tools(tools).stream(client.streams()).build();
      Reply reply =
          client.streams()
              ? turn.record(request, client.stream(request), false)
              : turn.record(request, client.post(request.body())); // text, calls, thinking, usage
      for (ToolCall call : reply.calls()) {
        answer(turn, call);
      }
      if (reply.done()) {
        turn.finish(reply);
        return reply.text();
      }
    }
    throw new IOException("the model is not done after " + MAX_ROUNDS + " answers");
  }

  private void answer(Turn turn, ToolCall call) {
    try {
      turn.answer(call, runner.run(call));
    } catch (IOException failure) {
      turn.fail(call, String.valueOf(failure.getMessage()));
    }
  }
}
