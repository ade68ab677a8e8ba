package dev.contexture.cli;

import dev.contexture.cli.memory.MemoryCommand;
import dev.contexture.cli.operation.AuditCommand;
import dev.contexture.cli.operation.BackupCommand;
import dev.contexture.cli.operation.CopyCommand;
import dev.contexture.cli.operation.DoctorCommand;
import dev.contexture.cli.operation.EraseCommand;
import dev.contexture.cli.operation.KeysCommand;
import dev.contexture.cli.operation.ReindexCommand;
import dev.contexture.cli.operation.RetentionCommand;
import dev.contexture.cli.operation.ServeCommand;
import java.util.List;
import java.util.Set;

/**
 * The commands by name. A command is made only for arguments that name it, so that no other one's
 * classes are loaded: that is most of what a short command would wait for.
 */
public final class Commands {
  /** In the order in which help shows them. */
  static final List<String> NAMES =
      List.of(
          "help",
          "serve",
          "mcp",
          "users",
          "conversations",
          "requests",
          "memory",
          "erase",
          "search",
          "keys",
          "audit",
          "retention",
          "import",
          "export",
          "compact",
          "render",
          "replay",
          "simulate",
          "models",
          "backup",
          "copy",
          "reindex",
          "doctor",
          "completion");

  /** Those that tell about all the others. */
  private static final Set<String> WHOLE = Set.of("help", "--help", "-h", "completion");

  private static final Set<List<String>> VERSION = Set.of(List.of("--version"), List.of("-V"));

  private Commands() {}

  /** Whether nothing but the version is wanted. */
  static boolean asksForVersion(List<String> args) {
    return VERSION.contains(args);
  }

  /** The commands that arguments may mean; all of them where that cannot be told. */
  public static List<String> meant(List<String> args) {
    List<String> named = NAMES.stream().filter(args::contains).toList();
    boolean all = named.isEmpty() || args.stream().anyMatch(WHOLE::contains);
    return all ? NAMES : named;
  }

  /** Makes a command. */
  public static Object make(String name) {
    return switch (name) {
      case "help" -> new HelpCommand();
      case "serve" -> new ServeCommand();
      case "mcp" -> new McpCommand();
      case "users" -> new UsersCommand();
      case "conversations" -> new ConversationsCommand();
      case "requests" -> new RequestsCommand();
      case "memory" -> new MemoryCommand();
      case "erase" -> new EraseCommand();
      case "search" -> new SearchCommand();
      case "keys" -> new KeysCommand();
      case "audit" -> new AuditCommand();
      case "retention" -> new RetentionCommand();
      case "import" -> new ImportCommand();
      case "export" -> new ExportCommand();
      case "compact" -> new CompactCommand();
      case "render" -> new RenderCommand();
      case "replay" -> new ReplayCommand();
      case "simulate" -> new SimulateCommand();
      case "models" -> new ModelsCommand();
      case "backup" -> new BackupCommand();
      case "copy" -> new CopyCommand();
      case "reindex" -> new ReindexCommand();
      case "doctor" -> new DoctorCommand();
      case "completion" -> new CompletionCommand();
      default -> throw new IllegalArgumentException("there is no command " + name);
    };
  }
}
