package dev.contexture.cli.operation;

import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.BuildVersion;
import dev.contexture.cli.support.CheckResult;
import dev.contexture.cli.support.Configuration;
import dev.contexture.cli.support.Environment;
import dev.contexture.cli.support.PostgresNode;
import dev.contexture.error.ContextureException;
import dev.contexture.json.JsonObject;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.search.ParkedEntries;
import dev.contexture.search.lucene.LuceneInspection;
import dev.contexture.store.sqlite.DirectoryLock;
import dev.contexture.store.sqlite.SqliteInspection;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks at everything that a store needs, and changes nothing. Confined to one thread. */
final class Diagnostics {
  private static final int OLDEST_JAVA = 21;
  private static final long LEAST_ROOM = 64L << 20;
  private static final long MEBI = 1 << 20;
  private static final String INDEX = "index";
  private static final String VECTORS = "vectors";
  private static final int MAX_PARKED = 5; // that are named

  /** Variables that are no settings: of the launcher, and of the server's first key. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of(
          "CONTEXTURE_JAVA_HOME",
          "CONTEXTURE_JAVA_OPTS",
          "CONTEXTURE_MVN",
          "CONTEXTURE_ADMIN_KEY",
          "CONTEXTURE_URL");

  private final Path data;
  private final Environment environment;
  private final SqliteInspection.Depth depth;
  private final List<CheckResult> findings = new ArrayList<>();

  Diagnostics(Path data, Environment environment, SqliteInspection.Depth depth) {
    this.data = data;
    this.environment = environment;
    this.depth = depth;
  }

  List<CheckResult> run() {
    java();
    settings();
    if (directory()) {
      models();
      room();
      boolean served = owner();
      Optional<SqliteInspection> store = isOfDatabase() ? Optional.empty() : store();
      store.ifPresent(found -> index(found, served));
      store.ifPresent(found -> findings.add(erasures(found)));
      parked();
    }
    return List.copyOf(findings);
  }

  private void java() {
    int release = Runtime.version().feature();
    String what = "Java " + Runtime.version() + " in " + System.getProperty("java.home");
    findings.add(
        release >= OLDEST_JAVA
            ? CheckResult.ok("java", what)
            : CheckResult.wrong(
                "java", what, "use a JDK from " + OLDEST_JAVA + " on: set CONTEXTURE_JAVA_HOME"));
  }

  private void settings() {
    Map<String, String> unknown =
        new TreeMap<>(Configuration.unknownVariables(environment, OTHER_VARIABLES));
    unknown.forEach(
        (name, near) ->
            findings.add(
                CheckResult.note(
                    "settings",
                    "nothing reads the variable " + name,
                    near.isEmpty() ? "remove it" : "probably " + near + " is meant")));
    if (unknown.isEmpty()) {
      findings.add(CheckResult.ok("settings", "every variable CONTEXTURE_… is known"));
    }
  }

  /** The facts about models that were taken over; without such a file there is nothing to say. */
  private void models() {
    if (!Files.exists(data.resolve(ModelCatalogue.FILE))) {
      return;
    }
    try {
      findings.add(
          CheckResult.ok("models", "catalogue of revision " + ModelCatalogue.in(data).revision()));
    } catch (ContextureException damaged) {
      findings.add(
          CheckResult.wrong(
              "models",
              String.valueOf(damaged.getMessage()),
              "delete the file, or write it anew with contexture models --update FILE"));
    }
  }

  private boolean directory() {
    if (!Files.exists(data)) {
      return refuse("there is no " + data, "give --data; contexture serve --data DIR makes it");
    }
    if (!Files.isDirectory(data)) {
      return refuse(data + " is a file", "give the directory of a store with --data");
    }
    for (Path path : List.of(data, data.resolve(SqliteStore.FILE))) {
      boolean there = Files.exists(path);
      if (there && !(Files.isReadable(path) && Files.isWritable(path))) {
        return refuse(
            System.getProperty("user.name") + " may not read and write " + path,
            "change its owner, or its permissions: chmod u+rw " + path);
      }
    }
    findings.add(CheckResult.ok("directory", data.toAbsolutePath().normalize().toString()));
    return true;
  }

  private boolean refuse(String detail, String todo) {
    findings.add(CheckResult.wrong("directory", detail, todo));
    return false;
  }

  private void room() {
    try {
      long free = Files.getFileStore(data).getUsableSpace();
      Path file = data.resolve(SqliteStore.FILE);
      long size = Files.exists(file) ? Files.size(file) : 0;
      String what = free / MEBI + " MiB are free, the store has " + size / MEBI + " MiB";
      if (free < LEAST_ROOM) {
        findings.add(CheckResult.wrong("disk", what, "free some: writes are refused without room"));
      } else if (free < size) {
        findings.add(CheckResult.note("disk", what, "a backup needs another disk"));
      } else {
        findings.add(CheckResult.ok("disk", what));
      }
    } catch (IOException unreadable) {
      findings.add(CheckResult.wrong("disk", unreadable.toString(), "check the disk of " + data));
    }
  }

  /** Whether a server that answers has the directory open. */
  private boolean owner() {
    DirectoryLock.@Nullable Owner owner;
    try {
      owner = DirectoryLock.owner(data).orElse(null);
    } catch (ContextureException unreadable) {
      findings.add(
          CheckResult.wrong(
              "server",
              String.valueOf(unreadable.getMessage()),
              "change its permissions, or remove it while no process has the store open"));
      return false;
    }
    if (owner == null) {
      findings.add(CheckResult.ok("server", "no process has the store open"));
      return false;
    }
    String address = owner.server();
    if (address == null) {
      findings.add(
          CheckResult.wrong(
              "server",
              "process " + owner.pid() + " has the store open, and serves nobody",
              "stop it, or do there what is to be done: other commands are refused meanwhile"));
      return false;
    }
    return answers(owner.pid(), address);
  }

  private void embedding(JsonObject progress) {
    long lag = Printer.number(progress, "lag");
    String model = progress.string("model").orElse("");
    findings.add(
        lag == 0
            ? CheckResult.ok(VECTORS, "everything is embedded, by " + model)
            : CheckResult.note(
                VECTORS,
                Printer.count(lag, "change is", "changes are")
                    + " not embedded yet; "
                    + Printer.number(progress, "per_minute")
                    + " entries in the last minute, by "
                    + model,
                "wait; what is not embedded is found by words"));
  }

  private boolean answers(long pid, String address) {
    String who = "process " + pid + " at " + address;
    try (Api api = Api.at(address)) {
      JsonObject health = api.get("/healthz");
      String version = health.string("version").orElse("");
      String what = who + " answers; version " + version;
      long lag = Printer.number(health, "index_lag");
      String kind = health.string("index").map(index -> " in " + index).orElse("");
      findings.add(
          version.equals(BuildVersion.text())
              ? CheckResult.ok("server", what)
              : CheckResult.note(
                  "server",
                  what + ", this is " + BuildVersion.text(),
                  "use the same version for both"));
      findings.add(
          lag == 0
              ? CheckResult.ok(INDEX, "everything is indexed" + kind)
              : CheckResult.note(
                  INDEX,
                  Printer.count(lag, "change is", "changes are") + " not indexed yet" + kind,
                  "wait; search says so meanwhile"));
      health.object("embedding").ifPresent(this::embedding);
      return true;
    } catch (ContextureException silent) {
      findings.add(
          CheckResult.wrong(
              "server",
              who + " does not answer: " + silent.getMessage(),
              "look at its log; if it hangs, end process " + pid + " and start it again"));
      return false;
    }
  }

  /** What is in a database is looked at there. */
  private boolean isOfDatabase() {
    Optional<String> database = PostgresNode.database(data);
    database.ifPresent(
        address ->
            findings.add(
                CheckResult.note(
                    "store",
                    "the index is of the PostgreSQL database " + address,
                    "give --jdbc-url to have that checked too")));
    return database.isPresent();
  }

  private Optional<SqliteInspection> store() {
    try {
      SqliteInspection found = SqliteInspection.of(data, depth);
      String what =
          String.format(
              Locale.ROOT,
              "%d conversations, %d memory blocks%s",
              found.conversations(),
              found.memoryBlocks(),
              rows(found));
      findings.add(CheckResult.ok("store", what));
      findings.add(schema(found));
      return Optional.of(found);
    } catch (ContextureException refused) {
      findings.add(unsound(refused));
      return Optional.empty();
    }
  }

  /** Rows of an older schema are not read: the next start changes them. */
  private String rows(SqliteInspection found) {
    boolean read = depth == SqliteInspection.Depth.ROWS && found.schema() == found.newestSchema();
    return read ? "; every row is sound" : "; rows not checked";
  }

  private static CheckResult schema(SqliteInspection found) {
    return found.schema() == found.newestSchema()
        ? CheckResult.ok("schema", found.schema() + ", the newest")
        : CheckResult.note(
            "schema",
            found.schema() + "; this version writes " + found.newestSchema(),
            "the next start brings it there; make a backup before");
  }

  private static CheckResult unsound(ContextureException refused) {
    String what = Objects.requireNonNullElse(refused.getMessage(), refused.code().wireName());
    return switch (refused.code()) {
      case NOT_FOUND ->
          CheckResult.note("store", what, "contexture serve and contexture import make it");
      case STORE_DAMAGED ->
          CheckResult.wrong(
              "store", what, "keep the directory as it is, and use a backup: --data BACKUP");
      case STORE_NEWER -> CheckResult.wrong("store", what, "update Contexture");
      case STORE_FOREIGN -> CheckResult.wrong("store", what, "give another directory with --data");
      default -> CheckResult.wrong("store", what, "try again; then look at the disk");
    };
  }

  private void index(SqliteInspection store, boolean served) {
    if (served) {
      return; // its server has said more
    }
    boolean there = isFilled(data.resolve(INDEX));
    findings.add(
        there || store.projects() == 0
            ? CheckResult.ok(
                INDEX, there ? "there; a search brings it up to date" : "not needed yet")
            : CheckResult.note(
                INDEX,
                "missing, although " + store.projects() + " projects have something to be found",
                "nothing: it is built anew by itself; contexture reindex does it now"));
  }

  private static CheckResult erasures(SqliteInspection store) {
    return store.erasures() == 0
        ? CheckResult.ok("erasures", "nothing is left to be erased")
        : CheckResult.note(
            "erasures",
            store.erasures() + " are not finished: copies may still be in the files",
            "nothing: a server finishes them by itself, or the next one that starts; whoever"
                + " reads the database file for long, such as a backup, holds them up");
  }

  /** Entries that are not found, since they cannot be indexed or embedded. */
  private void parked() {
    ParkedEntries parked;
    try {
      parked = LuceneInspection.parked(PostgresNode.index(data, INDEX), MAX_PARKED);
    } catch (ContextureException unreadable) {
      String todo = "nothing: what is damaged is built anew by itself, when it is used";
      findings.add(CheckResult.note("parked", String.valueOf(unreadable.getMessage()), todo));
      return;
    }
    String first =
        parked.first().stream()
            .map(
                entry ->
                    String.join(
                        " ",
                        entry.scope().tenant() + "/" + entry.scope().project(),
                        entry.id(),
                        "(" + entry.reason() + ")"))
            .collect(Collectors.joining(", "));
    String more = parked.count() > parked.first().size() ? ", …" : "";
    findings.add(
        parked.count() == 0
            ? CheckResult.ok("parked", "no entry was left out of the index")
            : CheckResult.note(
                "parked",
                parked.count() + " left out of the index, and not found: " + first + more,
                "contexture reindex tries them again, once the reason is gone"));
  }

  private static boolean isFilled(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isPresent();
    } catch (IOException missing) {
      return false;
    }
  }
}
