package dev.contexture.cli;

import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The conversations of a user. */
@Command(
    name = "conversations",
    description = "Lists, shows and erases conversations.",
    subcommands = {
      ConversationsCommand.ListAll.class,
      ConversationsCommand.Show.class,
      ConversationsCommand.Erase.class
    },
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture conversations list --user u42",
      "  contexture conversations show c1 --user u42 --json",
      "  contexture conversations show c1 --user u42 --messages"
    })
final class ConversationsCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "no command given: list, show or erase");
  }

  /** Newest activity first. */
  @Command(name = "list", description = "Lists a user's conversations, newest activity first.")
  static final class ListAll implements Callable<Integer> {
    private static final int MAX_PAGE = 200;

    @Spec private @Nullable CommandSpec spec;
    @Mixin private StoreFlags store = new StoreFlags();

    @Option(names = "--user", paramLabel = "ID", required = true, description = "The user.")
    private String user = "";

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "50",
        description = "The most conversations (default: ${DEFAULT-VALUE}).")
    private int limit = 50;

    @Override
    public Integer call() {
      if (limit < 1) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "--limit", limit, "a number from 1");
      }
      Printer printer = Printer.of(spec);
      List<JsonObject> rows = new ArrayList<>();
      boolean more;
      try (Api api = Api.open(store)) {
        more = collect(api, rows);
      }
      if (printer.json()) {
        printer.json(
            JsonObject.builder()
                .put("conversations", new JsonArray(List.<JsonValue>copyOf(rows)))
                .put("more", more)
                .build());
        return Main.DONE;
      }
      if (rows.isEmpty()) {
        printer.note("user " + user + " has no conversations");
        return Main.DONE;
      }
      printer.table(
          List.of("CONVERSATION", "LAST ACTIVITY", "TURNS", "BLOCKS", "AGENT", "TITLE"),
          rows.stream().map(ListAll::row).toList());
      if (more) {
        printer.note("there are more; raise --limit");
      }
      return Main.DONE;
    }

    /** Reads page by page, and says whether there are more than wanted. */
    private boolean collect(Api api, List<JsonObject> rows) {
      String path = "/v1/users/" + Api.id("--user", user) + "/conversations?limit=";
      String cursor = "";
      do {
        JsonObject page = api.get(path + Math.min(MAX_PAGE, limit - rows.size()) + cursor);
        rows.addAll(Printer.objects(page, "conversations"));
        cursor = page.string("next_cursor").map(next -> "&cursor=" + Api.encoded(next)).orElse("");
      } while (!cursor.isEmpty() && rows.size() < limit);
      return !cursor.isEmpty();
    }

    private static List<String> row(JsonObject row) {
      return List.of(
          row.string("conversation_id").orElse(""),
          row.string("last_activity_at").orElse(""),
          String.valueOf(Printer.number(row, "turns")),
          String.valueOf(Printer.number(row, "blocks")),
          row.string("agent").orElse("-"),
          row.string("title").orElse("-"));
    }
  }

  /** One of them. */
  @Command(name = "show", description = "Shows a conversation and its turns, oldest first.")
  static final class Show implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private StoreFlags store = new StoreFlags();

    @Option(names = "--user", paramLabel = "ID", required = true, description = "The user.")
    private String user = "";

    @Parameters(paramLabel = "CONVERSATION", description = "Its id.")
    private String conversation = "";

    @Option(
        names = "--messages",
        description = "What was said, with calls, results and summaries, in place of the turns.")
    private boolean messages;

    @Override
    public Integer call() {
      Printer printer = Printer.of(spec);
      JsonObject head;
      List<JsonObject> turns = new ArrayList<>();
      try (Api api = Api.open(store)) {
        if (messages) {
          Messages.print(printer, api, Api.conversation(user, conversation));
          return Main.DONE;
        }
        String path = Api.conversation(user, conversation);
        head = api.get(path);
        String cursor = "";
        do {
          JsonObject page = api.get(path + "/turns?limit=500" + cursor);
          turns.addAll(Printer.objects(page, "turns"));
          cursor =
              page.string("next_cursor").map(next -> "&cursor=" + Api.encoded(next)).orElse("");
        } while (!cursor.isEmpty());
      }
      if (printer.json()) {
        printer.json(head.with("turn_list", new JsonArray(List.<JsonValue>copyOf(turns))));
        return Main.DONE;
      }
      printer.line(
          printer.paint().strong(conversation) + "  " + head.string("title").orElse("(no title)"));
      printer.line(
          String.join(
              ", ",
              Printer.count(Printer.number(head, "turns"), "turn", "turns"),
              Printer.count(Printer.number(head, "blocks"), "block", "blocks"),
              Printer.count(Printer.number(head, "tokens"), "token", "tokens"),
              Printer.count(Printer.number(head, "summaries"), "summary", "summaries"),
              "version " + Printer.number(head, "version")));
      head.string("open_turn").ifPresent(turn -> printer.line("open turn: " + turn));
      printer.table(
          List.of("TURN", "STATUS", "STARTED", "BLOCKS", "AGENT"),
          turns.stream().map(Show::row).toList());
      return Main.DONE;
    }

    private static List<String> row(JsonObject turn) {
      return List.of(
          turn.string("turn_id").orElse(""),
          turn.string("status").orElse(""),
          turn.string("started_at").orElse(""),
          String.valueOf(Printer.number(turn, "blocks")),
          turn.string("agent").orElse("-"));
    }
  }

  /** Prints the messages of a conversation, as people read them. */
  private static final class Messages {
    private static final int PAGE = 1_000;

    private Messages() {}

    static void print(Printer printer, Api api, String path) {
      List<JsonObject> all = new ArrayList<>();
      long from = 1;
      int got;
      do {
        List<JsonObject> page =
            Printer.objects(
                api.get(path + "/timeline?tokens=true&limit=" + PAGE + "&from_seq=" + from),
                "blocks");
        List<JsonObject> stored =
            page.stream().filter(block -> block.find("seq").isPresent()).toList();
        all.addAll(from == 1 ? page : stored); // each page has the summaries
        got = stored.size();
        from = stored.isEmpty() ? from : Printer.number(stored.getLast(), "seq") + 1;
      } while (got == PAGE);
      if (printer.json()) {
        printer.json(JsonObject.of("blocks", new JsonArray(List.<JsonValue>copyOf(all))));
      } else {
        all.forEach(block -> print(printer, block));
      }
    }

    private static void print(Printer printer, JsonObject block) {
      String text = block.string("text").orElse("");
      if (text.isEmpty()) {
        return;
      }
      boolean hidden = block.find("hidden").filter(JsonValue.of(true)::equals).isPresent();
      printer.line(
          printer
                  .paint()
                  .strong(
                      block.find("seq").map(JsonValue::toJson).orElse("-")
                          + " "
                          + block.string("type").orElse(""))
              + block.string("author").map(author -> "  " + author).orElse("")
              + block.string("path").map(path -> "  " + path).orElse("")
              + "  "
              + Printer.count(Printer.number(block, "tokens"), "token", "tokens")
              + (hidden ? "  (hidden)" : ""));
      printer.line(text);
      printer.line("");
    }
  }

  /** Removes one for good. */
  @Command(
      name = "erase",
      description = {
        "Erases a conversation for good.",
        "Its blocks, summaries, request records, index entries, and binaries that nothing else"
            + " uses are gone; backups keep what they have. Without --yes it says what would go."
      })
  static final class Erase implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private StoreFlags store = new StoreFlags();

    @Option(names = "--user", paramLabel = "ID", required = true, description = "The user.")
    private String user = "";

    @Option(names = "--yes", description = "Do it.")
    private boolean sure;

    @Parameters(paramLabel = "CONVERSATION", description = "Its id.")
    private String conversation = "";

    @Override
    public Integer call() {
      Printer printer = Printer.of(spec);
      try (Api api = Api.open(store)) {
        String path = Api.conversation(user, conversation);
        JsonObject head = api.get(path);
        long turns = Printer.number(head, "turns");
        long blocks = Printer.number(head, "blocks");
        String what =
            Printer.count(turns, "turn", "turns")
                + " and "
                + Printer.count(blocks, "block", "blocks");
        if (!sure) {
          throw new ContextureException(
              ErrorCode.INVALID_ARGUMENT,
              String.format(
                  Locale.ROOT,
                  "erasing conversation %s of user %s removes %s for good; add --yes to do it",
                  conversation,
                  user,
                  what),
              Map.of("field", "--yes"),
              null);
        }
        api.send("DELETE", path, null, Map.of());
        if (printer.json()) {
          printer.json(
              JsonObject.builder()
                  .put("erased", conversation)
                  .put("turns", turns)
                  .put("blocks", blocks)
                  .build());
        } else {
          printer.line("erased " + conversation + ": " + what);
        }
      }
      return Main.DONE;
    }
  }
}
