package dev.contexture.cli.operation;

import dev.contexture.cli.ContextureCommand;
import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Erases something for good. */
@Command(
    name = "erase",
    description = {
      "Erases a user, an agent, a memory block, a conversation or the project for good.",
      "Nothing of it stays in the store, its log, its index or its request records; backups keep"
          + " what they have. It asks first, unless --yes is given."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture erase user u42",
      "  contexture erase block notes --agent atlas --yes",
      "  contexture erase block notes --agent atlas --user u42 --yes"
    })
public final class EraseCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  /** A kind of thing that can be erased, as it is typed. */
  private enum Kind {
    USER("with all conversations"),
    AGENT("with its memory, shares and activity"),
    BLOCK("with its history"),
    CONVERSATION("with everything in it"),
    PROJECT("with all users, agents and memory");

    private final String what;

    Kind(String what) {
      this.what = what;
    }

    String typed() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--user",
      paramLabel = "ID",
      description = "Whose conversation, or whose memory block of the agent.")
  private @Nullable String user;

  @Option(names = "--agent", paramLabel = "ID", description = "Whose memory block.")
  private @Nullable String agent;

  @Option(names = "--yes", description = "Do it without a question.")
  private boolean sure;

  @Parameters(
      index = "0",
      paramLabel = "KIND",
      description = "user, agent, block, conversation or project.")
  private String kind = "";

  @Parameters(
      index = "1",
      paramLabel = "ID",
      description = "Its id; of a memory block the label or, once deleted, the id.")
  private String id = "";

  @Override
  public Integer call() {
    Printer printer = Printer.of(spec);
    Kind erased = kind();
    String path = path(erased);
    confirm(erased);
    try (Api api = Api.open(store)) {
      JsonObject answer = api.send("DELETE", path, null, headers(erased));
      JsonObject counts = answer.object("erased").orElse(JsonObject.EMPTY);
      boolean pending = answer.isTrue("pending");
      if (printer.json()) {
        printer.json(
            JsonObject.builder()
                .put("kind", erased.typed())
                .put("id", id)
                .put("erased", counts)
                .put("pending", pending)
                .build());
      } else {
        printer.line("erased " + kind + " " + id + summary(counts));
        if (pending) {
          printer.note(
              "somebody still reads the files: copies go as soon as that ends, or when the store"
                  + " is opened again");
        }
      }
    }
    return Main.DONE;
  }

  private Kind kind() {
    for (Kind known : Kind.values()) {
      if (known.typed().equals(kind)) {
        return known;
      }
    }
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(),
        "cannot erase a '" + kind + "': give user, agent, block, conversation or project");
  }

  /** Where it is; what narrows it down is never left out, since more would go than was meant. */
  private String path(Kind erased) {
    if (erased != Kind.BLOCK) {
      refused("--agent", agent, erased);
    }
    if (erased != Kind.BLOCK && erased != Kind.CONVERSATION) {
      refused("--user", user, erased);
    }
    return switch (erased) {
      case USER -> "/v1/users/" + Api.encoded(id);
      case AGENT -> "/v1/agents/" + Api.encoded(id);
      case BLOCK -> {
        String owner = required("--agent", agent);
        String label = "/v1/agents/" + Api.encoded(owner) + "/blocks/" + Api.encoded(id);
        yield label + "?purge=true" + (user == null ? "" : "&user=" + Api.encoded(user));
      }
      case CONVERSATION -> Api.conversation(required("--user", user), id);
      case PROJECT -> "/v1/project";
    };
  }

  private static void refused(String option, @Nullable String given, Kind erased) {
    if (given != null) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          option,
          given,
          "left out: to erase " + erased.typed() + "s it narrows nothing down");
    }
  }

  private static String required(String option, @Nullable String given) {
    if (given == null) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          option + " is missing: it says whose it is",
          Map.of("field", option),
          null);
    }
    return given;
  }

  private Map<String, String> headers(Kind erased) {
    return switch (erased) {
      case BLOCK -> Map.of("X-Actor", "system");
      case PROJECT -> Map.of("X-Confirm", id);
      case USER, AGENT, CONVERSATION -> Map.of();
    };
  }

  /** Asks, where somebody can answer. */
  private void confirm(Kind erased) {
    String what = erased.typed() + " " + id + " " + erased.what;
    if (sure) {
      return;
    }
    String said =
        ContextureCommand.of(spec).environment().ask("Erase " + what + " for good? Type yes: ");
    if (said == null || !said.strip().equals("yes")) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT,
          "nothing was erased: " + what + " goes for good; answer yes, or add --yes to do it",
          Map.of("field", "--yes"),
          null);
    }
  }

  private static String summary(JsonObject counts) {
    StringJoiner all = new StringJoiner(", ", ": ", "").setEmptyValue("");
    counts.members().forEach((name, count) -> all.add(count.toJson() + " " + name));
    return all.toString();
  }
}
