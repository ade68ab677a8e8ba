package dev.contexture.examples;

import dev.contexture.ContextBrowser;
import dev.contexture.ContextRequest;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.request.ToolDef;
import dev.contexture.turn.Reply;
import dev.contexture.turn.ToolCall;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * An agent without a key: the model's answers are written down here. It shows what is sent, and
 * that the second request repeats the first one byte for byte.
 */
public final class OfflineAgent {
  private static final ToolDef WEATHER =
      new ToolDef(
          "get_weather",
          "The weather in a city now",
          "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},"
              + "\"required\":[\"city\"]}");

  /** What Anthropic would answer. */
  private static final List<String> ANSWERS =
      List.of(
          """
          {"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-5","content":[\
          {"type":"text","text":"Let me look."},{"type":"tool_use","id":"toolu_1",\
          "name":"get_weather","input":{"city":"Oslo"}}],"stop_reason":"tool_use",\
          "stop_sequence":null,"usage":{"input_tokens":420,"output_tokens":40}}\
          """,
          """
          {"id":"msg_2","type":"message","role":"assistant","model":"claude-opus-5","content":[\
          {"type":"text","text":"4 degrees and light rain."}],"stop_reason":"end_turn",\
          "stop_sequence":null,"usage":{"input_tokens":480,"output_tokens":12}}\
          """);

  private OfflineAgent() {}

  /** Runs it in a new folder. */
  public static void main(String[] args) throws IOException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    run(Files.createTempDirectory("contexture-example"), out);
  }

  static void run(Path directory, PrintStream out) {
    try (Contexture cx = Contexture.open(directory)) {
      run(cx, out);
      out.println("kept in " + directory);
    }
  }

  /** One turn, with what is sent. */
  static void run(Contexture cx, PrintStream out) {
    ContextBrowser chat = cx.browser(Scope.of("acme", "shop").user("u42").conversation("c1"));
    Queue<String> model = new ArrayDeque<>(ANSWERS);
    try (Turn turn = chat.startTurn("Weather in Oslo?")) {
      Reply reply;
      do {
        ContextRequest request =
            turn.request("claude-opus-5")
                .instructions("You are Atlas. Be brief.")
                .tools(List.of(WEATHER))
                .build();
        out.println("POST " + request.path() + " " + request.headers());
        out.println(request.body());
        out.println("prefix: " + request.prefix().wireName());
        reply = turn.record(request, model.remove());
        for (ToolCall call : reply.calls()) {
          out.println("tool " + call.tool() + " " + call.arguments());
          turn.answer(call, "4 degrees, light rain");
        }
      } while (!reply.done());
      turn.finish(reply);
      out.println("answer: " + reply.text());
    }
  }
}
