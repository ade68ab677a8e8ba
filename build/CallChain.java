import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes one call between two classes that mark its beginning and its end in the log of loaded
 * classes.
 *
 * <p>Arguments: fill, request, memory or block, and the directory of a store, which fill has
 * filled.
 */
public class CallChain {
  private static final Scope SHOP = Scope.of("acme", "shop");

  static final class Begin {
    static void mark() {}
  }

  static final class End {
    static void mark() {}
  }

  public static void main(String[] args) throws Exception {
    try (Contexture cx = Contexture.open(Path.of(args[1]))) {
      var chat = cx.browser(SHOP.user("u42").conversation("c1"));
      switch (args[0]) {
        case "fill" -> {
          cx.memory(SHOP)
              .createBlock("atlas", BlockSpec.of("notes", MemoryBlockType.CORE).content("x"));
          chat.startTurn("Where is it?");
        }
        case "request" -> {
          var turn = chat.openTurn();
          var tool = new ToolDef("find", "finds", "{\"type\":\"object\"}");
          Begin.mark();
          turn.request("claude-opus-5").agent("atlas").tools(List.of(tool)).build();
          End.mark();
        }
        case "memory" -> {
          var memory = cx.memory(SHOP);
          Begin.mark();
          memory.appendToBlock("atlas", "notes", "y");
          End.mark();
        }
        default -> post(cx);
      }
    }
    System.exit(0);
  }

  private static void post(Contexture cx) throws Exception {
    try (var server = ContextureServer.start(cx, ServerOptions.local("test").withPort(0))) {
      HttpClient client = HttpClient.newHttpClient();
      URI health = URI.create(server.address() + "/health");
      client.send(HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.ofString());
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create(server.address() + "/v1/users/u42/conversations/c1/blocks"))
              .header("Content-Type", "application/json")
              .header("X-Tenant", "acme")
              .header("X-Project", "shop")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"blocks\":[{\"type\":\"react.note\",\"text\":\"looking\"}]}"))
              .build();
      Begin.mark();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      End.mark();
      if (answer.statusCode() / 100 != 2) {
        throw new IllegalStateException(answer.body());
      }
    }
  }
}
