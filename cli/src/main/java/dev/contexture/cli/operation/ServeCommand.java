package dev.contexture.cli.operation;

import dev.contexture.Contexture;
import dev.contexture.cli.ContextureCommand;
import dev.contexture.cli.Main;
import dev.contexture.cli.demo.Demo;
import dev.contexture.cli.output.FailurePrinter;
import dev.contexture.cli.support.BuildVersion;
import dev.contexture.cli.support.CatalogueFlags;
import dev.contexture.cli.support.DatabaseFlags;
import dev.contexture.cli.support.DutyFlags;
import dev.contexture.cli.support.Embedders;
import dev.contexture.cli.support.Environment;
import dev.contexture.cli.support.KeysOption;
import dev.contexture.cli.support.LocalServer;
import dev.contexture.cli.support.Names;
import dev.contexture.cli.support.NodeIndex;
import dev.contexture.cli.support.PostgresNode;
import dev.contexture.cli.support.SummarizerOption;
import dev.contexture.compaction.CompactionPolicy;
import dev.contexture.compaction.summary.Summarizer;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.request.Providers;
import dev.contexture.search.Embedder;
import dev.contexture.search.lucene.LuceneIndexes;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.LibraryLog;
import dev.contexture.server.OutOfMemoryExit;
import dev.contexture.server.ServerOptions;
import dev.contexture.server.audit.AuditLog;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves the engine over HTTP until the process is told to end. */
@Command(
    name = "serve",
    description = {
      "Serves the engine over HTTP.",
      "Prints one line when it accepts requests. Ends with exit code 0 when it gets SIGTERM or"
          + " SIGINT: it finishes what runs, for 10 seconds at most, and closes the store."
    },
    footerHeading = "%nSettings:%n",
    footer = {
      "Every option is also a variable of the environment (--port: CONTEXTURE_PORT) and a line of"
          + " the file that --config or CONTEXTURE_CONFIG names (port = 8321). An option wins over"
          + " a variable, a variable over a line.",
      "",
      "Examples:",
      "  contexture serve --demo",
      "  contexture serve --data /var/lib/contexture --host 0.0.0.0 --keys keys.json",
      "  contexture serve --host 0.0.0.0 --keys keys.json --tls-cert chain.pem --tls-key key.pem",
      "  contexture serve --retain conversations=180d,requests=30d,events=90d"
    })
public final class ServeCommand implements Callable<Integer> {
  private static final String SQLITE = "sqlite";
  private static final String POSTGRES = "postgres";
  private static final String LOG_REQUESTS = "requests";
  private static final String LOG_OFF = "off";
  private static final int MAX_CONSENT_SECONDS = 300;
  private static final int MAX_UNDO_STEPS = 1_000;
  private static final Path DEFAULT_DATA = Path.of("contexture-data");

  @Spec private @Nullable CommandSpec spec;
  @Mixin private CatalogueFlags catalogue = new CatalogueFlags();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Where to listen; without --keys a loopback address (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "" + ServerOptions.DEFAULT_PORT,
      description = "Port to listen on; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int port = ServerOptions.DEFAULT_PORT;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "contexture-data",
      description = "Directory of the store; made if missing (default: ${DEFAULT-VALUE}).")
  private Path data = DEFAULT_DATA;

  @Option(
      names = "--store",
      paramLabel = "NAME",
      defaultValue = SQLITE,
      description =
          "The store: sqlite, in --data, or postgres, in the database that --jdbc-url names; --data"
              + " is then this node's own, for its index (default: ${DEFAULT-VALUE}).")
  private String store = SQLITE;

  @Option(
      names = "--index",
      paramLabel = "NAME",
      defaultValue = LuceneIndexes.KIND,
      description =
          "The search index: lucene, in --data, or, with --store postgres, postgres, in the"
              + " database, for servers without a disk (default: ${DEFAULT-VALUE}).")
  private String index = LuceneIndexes.KIND;

  @Mixin private DatabaseFlags database = new DatabaseFlags();

  @Option(
      names = "--summarizer",
      paramLabel = "WHO",
      defaultValue = "extractive",
      description =
          "Who writes summaries: extractive, anthropic=MODEL[@URL] or openai=MODEL[@URL];"
              + " keys come from ANTHROPIC_API_KEY and OPENAI_API_KEY (default: ${DEFAULT-VALUE}).")
  private String summarizer = "extractive";

  @Option(
      names = "--embedder",
      paramLabel = "NAME",
      defaultValue = Embedders.NONE,
      description =
          "What makes search by meaning possible: none, local or local=MODEL for a model in this"
              + " process, or openai=MODEL@URL for any service that speaks OpenAI's format; its key"
              + " is read from OPENAI_API_KEY (default: ${DEFAULT-VALUE}).")
  private String embedder = Embedders.NONE;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "balanced",
      completionCandidates = Names.Policies.class,
      description =
          "How conversations are compacted where a request does not say so:"
              + " ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private String policy = "balanced";

  @Option(
      names = "--consent-timeout",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description =
          "How long a write that needs approval waits for the partner of its agent; 0 refuses it at"
              + " once (default: ${DEFAULT-VALUE}).")
  private int consentTimeout = 20;

  @Option(
      names = "--agent-wide-writes",
      description =
          "Lets models make memory for all users of an agent in a conversation of one, if they ask"
              + " for it; by default it belongs to the user.")
  private boolean agentWideWrites;

  @Option(
      names = "--undo-steps",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "How many of the newest steps of each author of a memory block can be undone (default:"
              + " ${DEFAULT-VALUE}).")
  private int undoSteps = 100;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description =
          "The keys that callers need, made with 'keys add'; with CONTEXTURE_ADMIN_KEY that one is"
              + " taken too (default: no keys, which serves this machine only).")
  private @Nullable Path keys;

  @Mixin private DutyFlags duties = new DutyFlags();

  @Option(
      names = "--log",
      paramLabel = "WHAT",
      defaultValue = LOG_REQUESTS,
      description =
          "What goes to standard error beside failures: requests, one line of JSON for each, or off"
              + " (default: ${DEFAULT-VALUE}).")
  private String log = LOG_REQUESTS;

  @Option(
      names = "--demo",
      description =
          "Shows a conversation of a support agent with its memory: loads it into a new directory,"
              + " contexture-demo unless --data names another one.")
  private boolean demo;

  private final CountDownLatch stopped = new CountDownLatch(1);

  @Override
  public Integer call() throws InterruptedException {
    LocalServer.quiet();
    OutOfMemoryExit.install();
    LibraryLog log = LibraryLog.install(lines(), InstantSource.system());
    try {
      return serve();
    } catch (ContextureException refused) {
      return refused(refused);
    } finally {
      log.close();
    }
  }

  /** What reads the log finds the reason there too; people at a terminal get it as always. */
  private Integer refused(ContextureException refused) {
    ContextureCommand root = ContextureCommand.of(spec);
    if (root.environment().errIsTerminal() || root.looks().json()) {
      throw refused;
    }
    lines()
        .accept(
            JsonObject.builder()
                .put("ts", InstantSource.system().instant().toString())
                .put("event", "start_refused")
                .put("code", refused.code().wireName())
                .put("message", String.valueOf(refused.getMessage()))
                .build()
                .toJson());
    return FailurePrinter.exitCode(refused);
  }

  private Integer serve() throws InterruptedException {
    checkStore();
    if (demo && data.equals(DEFAULT_DATA)) {
      data = Demo.DIRECTORY;
    }
    Environment environment = ContextureCommand.of(spec).environment();
    ServerOptions options =
        ServerOptions.local(BuildVersion.text())
            .withKeys(KeysOption.open(keys, environment.variable(KeysOption.ADMIN_KEY)))
            .withHost(host)
            .withPort(port)
            .withStore(store)
            .withData(data.toString())
            .withDuties(duties.read(data))
            .withLog(lines(), logsRequests());
    CompactionPolicy preset = CompactionPolicy.named(policy);
    Summarizer writer = SummarizerOption.open(summarizer, environment::variable);
    Embedder found = Embedders.of(embedder);
    MemoryLimits memory = memoryLimits();
    Providers providers = BuiltInProviders.of(catalogue.open(data));
    if (store.equals(POSTGRES) || !Files.exists(data.resolve(SqliteStore.FILE))) {
      options.requireFreePort(); // before a store is made that nobody will use
    }
    if (demo) {
      Demo.load(data);
    }
    UnaryOperator<Contexture.Builder> settings =
        builder ->
            builder
                .summarizer(writer)
                .embedder(found)
                .policy(preset)
                .memoryLimits(memory)
                .agentWideWrites(agentWideWrites)
                .providers(providers);
    ContextureServer server =
        store.equals(POSTGRES) ? startNode(settings, options) : startAlone(settings, options);
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.println("contexture ready on " + server.address() + " data=" + data + " store=" + store);
    out.flush();
    stopped.await();
    return Main.DONE;
  }

  private MemoryLimits memoryLimits() {
    if (consentTimeout < 0 || consentTimeout > MAX_CONSENT_SECONDS) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--consent-timeout",
          consentTimeout,
          "0 to " + MAX_CONSENT_SECONDS + " seconds");
    }
    if (undoSteps < 1 || undoSteps > MAX_UNDO_STEPS) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--undo-steps", undoSteps, "1 to " + MAX_UNDO_STEPS);
    }
    MemoryLimits limits = MemoryLimits.DEFAULT;
    return limits
        .withConsentWait(Duration.ofSeconds(consentTimeout))
        .withUndo(undoSteps, limits.undoBytes());
  }

  private boolean logsRequests() {
    return switch (log) {
      case LOG_REQUESTS -> true;
      case LOG_OFF -> false;
      default ->
          throw ContextureException.invalid(
              ErrorCode.INVALID_ARGUMENT, "--log", log, LOG_REQUESTS + " or " + LOG_OFF);
    };
  }

  /** Where the lines of the log go: each is one write, so that lines do not mix. */
  private Consumer<String> lines() {
    PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
    return line -> {
      synchronized (err) {
        err.println(line);
        err.flush();
      }
    };
  }

  private void checkStore() {
    boolean shared = store.equals(POSTGRES);
    if (!shared && !store.equals(SQLITE)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--store", store, SQLITE + " or " + POSTGRES);
    }
    if (!shared && database.isGiven()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--store", store, POSTGRES + " with --jdbc-url");
    }
    if (!shared && NodeIndex.of(index) == NodeIndex.POSTGRES) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--index", index, "lucene with --store sqlite");
    }
    if (shared && demo) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--store", store, SQLITE + " with --demo");
    }
    if (shared) {
      database.settings(); // refused before anything is made
      NodeIndex unused = NodeIndex.of(index);
    }
  }

  private ContextureServer startNode(
      UnaryOperator<Contexture.Builder> settings, ServerOptions options) {
    PostgresNode node = PostgresNode.open(data, database.settings(), NodeIndex.of(index), settings);
    try {
      ContextureServer server = ContextureServer.start(node.engine(), options);
      server.announce(node::announceServer);
      stopAtEnd(server, node::close);
      return server;
    } catch (RuntimeException refused) {
      node.close();
      throw refused;
    }
  }

  private ContextureServer startAlone(
      UnaryOperator<Contexture.Builder> settings, ServerOptions options) {
    Contexture engine = Contexture.open(data, settings);
    ContextureServer server = start(engine, options);
    stopAtEnd(server, engine::close);
    return server;
  }

  private static void stopAtEnd(ContextureServer server, Closeable engine) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, engine), "stop"));
  }

  /** A resource that is closed behind the server, without a failure that callers must expect. */
  private interface Closeable {
    void close();
  }

  private ContextureServer start(Contexture engine, ServerOptions options) {
    try {
      if (demo) {
        Demo.check(engine, data);
      }
      AuditLog audit = options.duties().audit();
      if (audit != null) {
        audit.requireWritable();
      }
      ContextureServer server = ContextureServer.start(engine, options);
      if (engine.store() instanceof SqliteStore sqlite) {
        server.announce(sqlite::announceServer);
      }
      return server;
    } catch (RuntimeException refused) {
      engine.close();
      throw refused;
    }
  }

  /** Ends in order, and with the exit code of success: the process was asked to end. */
  private static void stop(ContextureServer server, Closeable engine) {
    try {
      server.close();
    } finally {
      engine.close();
      Runtime.getRuntime().halt(Main.DONE);
    }
  }
}
