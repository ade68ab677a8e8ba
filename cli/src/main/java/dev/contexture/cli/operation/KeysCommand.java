package dev.contexture.cli.operation;

import dev.contexture.block.Durations;
import dev.contexture.block.Scope;
import dev.contexture.block.Timestamps;
import dev.contexture.cli.ContextureCommand;
import dev.contexture.cli.Main;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Arguments;
import dev.contexture.cli.support.Names;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.server.keys.KeyTerms;
import dev.contexture.server.keys.KeyUses;
import dev.contexture.server.keys.StoredKey;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Makes, lists, revokes and removes the keys of a server. */
@Command(
    name = "keys",
    description = {
      "Makes, lists, revokes and removes the keys of a server.",
      "The file holds hashes only. A running server takes changes at once."
    },
    subcommands = {
      KeysCommand.Add.class,
      KeysCommand.ListAll.class,
      KeysCommand.Revoke.class,
      KeysCommand.Remove.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture keys add --keys keys.json --tenant acme --project shop --role writer",
      "  contexture keys add --keys keys.json --tenant acme --project shop --role reader --name"
          + " dashboards --expires 90d",
      "  contexture keys list --keys keys.json",
      "  contexture keys revoke --keys keys.json 3f2a9c0d1e2b4a5f"
    })
public final class KeysCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @ParentCommand private @Nullable ContextureCommand parent;

  @Override
  public Integer call() {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    throw new CommandLine.ParameterException(line, "no command given: add, list, revoke or remove");
  }

  private boolean json() {
    return parent != null && parent.json;
  }

  /** The file that all of them work on. */
  static final class FileFlag {
    @Option(
        names = "--keys",
        paramLabel = "FILE",
        required = true,
        description = "The key file, as for serve --keys.")
    private @Nullable Path path;

    KeyFile file() {
      return new KeyFile(Objects.requireNonNull(path));
    }
  }

  /** Makes a key and prints it, once. */
  @Command(
      name = "add",
      description = {
        "Makes a key, adds it to the file, and prints it.",
        "It is shown this once: the file holds its hash only, and is made if it is missing."
      })
  static final class Add implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @ParentCommand private @Nullable KeysCommand parent;
    @Mixin private FileFlag keys = new FileFlag();

    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Map<String, String> OPTIONS =
        Map.of(
            "tenant", "--tenant",
            "project", "--project",
            "role", "--role",
            "user", "--user",
            "agent", "--agent",
            "name", "--name",
            "expires", "--expires");

    @Option(
        names = "--tenant",
        paramLabel = "ID",
        required = true,
        description = "The tenant that the key is for.")
    private String tenant = "";

    @Option(
        names = "--project",
        paramLabel = "ID",
        required = true,
        description = "The project that the key is for.")
    private String project = "";

    @Option(
        names = "--role",
        paramLabel = "ROLE",
        required = true,
        completionCandidates = Names.Roles.class,
        description = "What it may do: ${COMPLETION-CANDIDATES}.")
    private String role = "";

    @Option(
        names = "--user",
        paramLabel = "ID",
        description = "The only user whose conversations it reaches (default: all).")
    private @Nullable String user;

    @Option(
        names = "--agent",
        paramLabel = "ID",
        description = "The only agent that it reaches (default: all).")
    private @Nullable String agent;

    @Option(
        names = "--name",
        paramLabel = "TEXT",
        description = "What people call it, in lists and in the audit log (default: no name).")
    private @Nullable String name;

    @Option(
        names = "--expires",
        paramLabel = "WHEN",
        description =
            "When it ends: after a time such as 90d or 12h, or at a time such as 2027-01-31"
                + " (default: never).")
    private @Nullable String expires;

    @Override
    public Integer call() {
      CommandLine line = Objects.requireNonNull(spec).commandLine();
      Instant now = InstantSource.system().instant().truncatedTo(ChronoUnit.SECONDS);
      KeyFile.Made made = made(now);
      if (Objects.requireNonNull(parent).json()) {
        JsonObject json = made.stored().describe().with("key", JsonValue.of(made.key()));
        line.getOut().println(json.toJson());
      } else {
        line.getOut().println(made.key());
        line.getErr().println("key " + made.stored().id() + "; it is not shown again");
      }
      return Main.DONE;
    }

    private KeyFile.Made made(Instant now) {
      try {
        Grant grant =
            Grant.of(Scope.of(tenant, project), KeyRole.named(role))
                .withUser(user)
                .withAgent(agent);
        KeyTerms terms = KeyTerms.NONE.withName(name).withExpiry(end(now));
        return keys.file().add(grant, terms, new SecureRandom(), now);
      } catch (ContextureException refused) {
        throw Arguments.named(refused, OPTIONS);
      }
    }

    private @Nullable Instant end(Instant now) {
      if (expires == null) {
        return null;
      }
      return Durations.isDuration(expires)
          ? now.plus(Durations.read(expires, "expires"))
          : Timestamps.read(JsonValue.of(midnight(expires)), "expires");
    }

    /** A day is meant from its beginning, in UTC. */
    private static String midnight(String given) {
      return DAY.matcher(given).matches() ? given + "T00:00:00Z" : given;
    }
  }

  /** Lists the keys, without anything secret. */
  @Command(name = "list", description = "Lists the keys of the file, oldest first.")
  static final class ListAll implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private FileFlag keys = new FileFlag();

    @Override
    public Integer call() {
      Printer printer = Printer.of(spec);
      List<StoredKey> all = keys.file().read();
      Map<String, Instant> uses = KeyUses.of(keys.file());
      if (printer.json()) {
        List<JsonValue> rows = new ArrayList<>();
        all.forEach(key -> rows.add(described(key, uses.get(key.id()))));
        printer.json(JsonObject.of("keys", new JsonArray(rows)));
      } else {
        Instant now = InstantSource.system().instant();
        printer.table(
            List.of(
                "ID",
                "NAME",
                "ROLE",
                "SCOPE",
                "USER",
                "AGENT",
                "CREATED",
                "EXPIRES",
                "LAST USE",
                "STATE"),
            all.stream().map(key -> row(key, uses.get(key.id()), now)).toList());
      }
      return Main.DONE;
    }

    private static JsonObject described(StoredKey key, @Nullable Instant used) {
      return used == null
          ? key.describe()
          : key.describe().with("last_used_at", JsonValue.of(used.toString()));
    }

    private static List<String> row(StoredKey key, @Nullable Instant used, Instant now) {
      Grant grant = key.grant();
      Scope scope = Objects.requireNonNull(grant.scope());
      return List.of(
          key.id(),
          Objects.requireNonNullElse(key.terms().name(), "-"),
          grant.role().wireName(),
          scope.tenant() + "/" + scope.project(),
          Objects.requireNonNullElse(grant.user(), "all"),
          Objects.requireNonNullElse(grant.agent(), "all"),
          key.createdAt().toString(),
          text(key.terms().expiresAt(), "never"),
          text(used, "never"),
          state(key, now));
    }

    private static String text(@Nullable Instant time, String none) {
      return time == null ? none : time.toString();
    }

    private static String state(StoredKey key, Instant now) {
      if (key.revoked()) {
        return "revoked " + key.revokedAt();
      }
      return key.expired(now) ? "expired" : "valid";
    }
  }

  /** Revokes a key. */
  @Command(
      name = "revoke",
      description = "Revokes a key; a running server refuses it from the next request on.")
  static final class Revoke implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @ParentCommand private @Nullable KeysCommand parent;
    @Mixin private FileFlag keys = new FileFlag();

    @Parameters(paramLabel = "ID", description = "The id of the key, as list shows it.")
    private String id = "";

    @Override
    public Integer call() {
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      StoredKey revoked =
          keys.file().revoke(id, InstantSource.system().instant().truncatedTo(ChronoUnit.SECONDS));
      if (Objects.requireNonNull(parent).json()) {
        out.println(revoked.describe().toJson());
      } else {
        out.println("revoked " + revoked.id());
      }
      return Main.DONE;
    }
  }

  /** Removes a key from the file. */
  @Command(
      name = "remove",
      description = {
        "Removes a key from the file, revoked or not.",
        "A running server refuses it from the next request on, and no list shows it any more."
      })
  static final class Remove implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private FileFlag keys = new FileFlag();

    @Parameters(paramLabel = "ID", description = "The id of the key, as list shows it.")
    private String id = "";

    @Override
    public Integer call() {
      Printer printer = Printer.of(spec);
      StoredKey removed = keys.file().remove(id);
      if (printer.json()) {
        printer.json(removed.describe());
      } else {
        printer.line("removed " + removed.id());
      }
      return Main.DONE;
    }
  }
}
