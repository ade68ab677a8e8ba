package dev.contexture.examples;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.TurnRun;
import dev.contexture.request.ToolDef;
import dev.contexture.turn.Reply;
import java.io.IOException;
import java.util.List;

/**
 * An agent: asks a model, runs the tools that it calls, and goes on until it is done. Every step is
 * stored before the next one begins, so another process can {@link #resume} where this one stopped.
 * A refused, truncated or empty answer ends it as well; {@link Reply#outcome} says which.
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
  private final TurnRun.ToolRunner runner;

  public AgentLoop(
      ContextBrowser chat,
      ModelClient client,
      String model,
      List<ToolDef> tools,
      TurnRun.ToolRunner runner) {
    this.chat = chat;
    this.client = client;
    this.model = model;
    this.tools = List.copyOf(tools);
    this.runner = runner;
  }

  /** Asks something in a turn of its own and returns the model's last words. */
  public String ask(String question) throws IOException, InterruptedException {
    try (Turn turn = chat.startTurn(question)) { // closed without finish = interrupted
      return run(turn);
    }
  }

  /** Goes on with the turn that a process left open when it stopped; calls that wait come first. */
  public String resume() throws IOException, InterruptedException {
    try (Turn turn = chat.openTurn()) {
      return run(turn);
    }
  }

  private String run(Turn turn) throws IOException, InterruptedException {
    TurnRun run =
        turn.run(model)
            .request(request -> request.agent("atlas").tools(tools).stream(client.streams()))
            .tools(runner)
            .maxModelCalls(MAX_ROUNDS);
    Reply reply = client.streams() ? run.send(client::stream) : run.post(client::post);
    turn.finish(reply);
    return reply.text();
  }
}
