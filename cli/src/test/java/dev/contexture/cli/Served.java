package dev.contexture.cli;

import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.cli.support.BuildVersion;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.ServerOptions;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.turn.TurnStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A data directory that a server has open, or nobody. */
public final class Served implements AutoCloseable {
  private final Path directory;
  private final @Nullable Contexture engine;
  private final @Nullable ContextureServer server;

  private Served(Path directory, @Nullable Contexture engine, @Nullable ContextureServer server) {
    this.directory = directory;
    this.engine = engine;
    this.server = server;
  }

  public static Served open(Path directory, boolean byServer) {
    if (!byServer) {
      return new Served(directory, null, null);
    }
    Contexture engine = Contexture.open(directory);
    ContextureServer server =
        ContextureServer.start(engine, ServerOptions.local(BuildVersion.text()).withPort(0));
    ((SqliteStore) engine.store()).announceServer(server.address());
    return new Served(directory, engine, server);
  }

  /** Writes turns of the user u: each a question and an answer. */
  public static void fill(Path directory, String conversation, int turns) {
    try (Contexture engine = Contexture.open(directory)) {
      Scope.OfConversation chat = Scope.of("local", "local").user("u").conversation(conversation);
      for (int i = 1; i <= turns; i++) {
        TurnStart start = TurnStart.prompt("Where is windmill " + i + "?").agent("atlas");
        try (Turn turn = engine.browser(chat).startTurn(start)) {
          turn.finish("Behind hill " + i + ". " + "It turns all day. ".repeat(20));
        }
      }
    }
  }

  /** Runs a command on the directory. */
  public Run run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--data");
    all.add(directory.toString());
    return Run.of(all.toArray(String[]::new));
  }

  @Override
  public void close() {
    if (server != null && engine != null) {
      server.close();
      engine.close();
    }
  }
}
