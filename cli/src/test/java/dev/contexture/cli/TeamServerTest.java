package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.cli.support.DutyFlags;
import dev.contexture.seeds.TestCertificate;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.ServerDuties;
import dev.contexture.server.ServerOptions;
import dev.contexture.server.tls.TlsFiles;
import dev.contexture.store.sqlite.DirectoryLock;
import dev.contexture.store.sqlite.SqliteStore;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands of a server that a team shares. */
class TeamServerTest {
  @TempDir static Path made;
  private static TestCertificate first;
  private static TestCertificate second;
  @TempDir Path directory;

  @BeforeAll
  static void makeCertificates() {
    first = TestCertificate.make(made, "first", "EC");
    second = TestCertificate.make(made, "second", "EC");
  }

  private Path data() {
    return directory.resolve("data");
  }

  @Test
  void commandsTrustTheCertificateThatTheServerShows() throws Exception {
    Served.fill(data(), "c1", 1);
    TlsFiles files = new TlsFiles(directory.resolve("chain.pem"), directory.resolve("key.pem"));
    first.write(files.certificate(), files.key());
    Contexture engine = Contexture.open(data());
    ServerOptions options =
        ServerOptions.local("test").withPort(0).withDuties(ServerDuties.NONE.withTls(files));
    try (ContextureServer server = ContextureServer.start(engine, options)) {
      server.announce(((SqliteStore) engine.store())::announceServer);
      Run users = Run.of("users", "--data", data().toString());
      assertThat(users.exitCode()).as(users.err()).isZero();
      assertThat(users.out()).contains("u ");
      String before = announced();
      second.write(files.certificate(), files.key());
      awaitOther(before);
      assertThat(Run.of("users", "--data", data().toString()).exitCode()).isZero();
      ((SqliteStore) engine.store()).announceServer(server.address() + "#sha256=" + "0".repeat(64));
      Run wrong = Run.of("users", "--data", data().toString());
      assertThat(wrong.exitCode()).isEqualTo(1);
      assertThat(wrong.err()).contains("another certificate than that of the lock file");
    } finally {
      engine.close();
    }
  }

  /** A host on a directory whose server speaks TLS, also while the certificate changes. */
  @Test
  void hostsTrustTheCertificateThatTheServerShows() throws Exception {
    TlsFiles files = new TlsFiles(directory.resolve("chain.pem"), directory.resolve("key.pem"));
    first.write(files.certificate(), files.key());
    Contexture engine = Contexture.open(data());
    SqliteStore store = (SqliteStore) engine.store();
    ServerOptions options =
        ServerOptions.local("test").withPort(0).withDuties(ServerDuties.NONE.withTls(files));
    try (ContextureServer server = ContextureServer.start(engine, options)) {
      server.announce(store::announceServer);
      try (McpHosts.Host host = McpHosts.stdio(data())) {
        host.client()
            .subscribeResource(
                McpSchema.SubscribeRequest.builder("contexture://agents/default/blocks/notes")
                    .build());
        host.call("memory_create", Map.of("label", "notes", "description", "d", "content", "one"));
        assertThat(host.told().poll(2, TimeUnit.MINUTES)).endsWith("/notes");
        assertThat(DirectoryLock.owner(data()).orElseThrow().pid())
            .isEqualTo(ProcessHandle.current().pid());
        String before = announced();
        second.write(files.certificate(), files.key());
        awaitOther(before);
        assertThat(host.call("memory_read", Map.of("label", "notes"))).isEqualTo("one");
        try (McpHosts.Host other = McpHosts.stdio(data())) {
          assertThat(other.call("memory_read", Map.of("label", "notes"))).isEqualTo("one");
        }
      }
      store.announceServer(server.address() + "#sha256=" + "0".repeat(64));
      Path graph = directory.resolve("memory.jsonl");
      Files.writeString(
          graph, "{\"type\":\"entity\",\"name\":\"A\",\"entityType\":\"t\",\"observations\":[]}\n");
      Run wrong = Run.of("mcp", "--data", data().toString(), "--import", graph.toString());
      assertThat(wrong.exitCode()).isEqualTo(1);
      assertThat(wrong.err()).contains("another certificate than that of the lock file");
    } finally {
      engine.close();
    }
  }

  private void awaitOther(String before) {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (announced().equals(before)) {
      assertThat(System.nanoTime()).as("in two minutes").isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /** The directory of a node of PostgreSQL, which is not running. */
  @Test
  void hostsAndImportsMakeNoStoreBesideADatabase() throws Exception {
    Files.createDirectories(data());
    Files.writeString(data().resolve("index-postgres.of"), "jdbc:postgresql://db/team\n1\n");
    Path chat = directory.resolve("chat.json");
    Files.writeString(chat, "[{\"role\":\"user\",\"content\":\"hello\"}]");
    for (Run refused :
        List.of(
            Run.of("mcp", "--data", data().toString()),
            Run.of("import", chat.toString(), "--user", "u", "--data", data().toString()))) {
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err())
          .contains("no server uses", "jdbc:postgresql://db/team", "serve --store postgres");
    }
    assertThat(data().resolve(SqliteStore.FILE)).doesNotExist();
  }

  /** Not read from the file: this process would lose its lock on it. */
  private String announced() {
    return Objects.requireNonNull(DirectoryLock.owner(data()).orElseThrow().server());
  }

  @Test
  void retentionTellsAndErasesAndTheAuditShowsIt() {
    for (String chat : new String[] {"c1", "c2", "c3"}) {
      Served.fill(data(), chat, 1);
    }
    String at = data().toString();
    Run dry = Run.of("retention", "--data", at, "--retain", "conversations=1", "--dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains("c1", "c2", "would erase 2 conversations, 0 request records, 0 events")
        .doesNotContain("c3");
    assertThat(Run.of("audit", "--data", at).out()).doesNotContain("conversation=");
    Run done = Run.of("retention", "--data", at, "--retain", "conversations=1");
    assertThat(done.out()).contains("erased 2 conversations");
    Run list = Run.of("conversations", "list", "--user", "u", "--data", at);
    assertThat(list.out()).contains("c3").doesNotContain("c1", "c2");
    Run audit = Run.of("audit", "--data", at);
    assertThat(audit.out())
        .contains("POST /v1/retention", "retention", "local/local user=u conversation=c1");
    assertThat(Run.of("audit", "--data", at, "--limit", "1", "--json").json().toJson())
        .startsWith("{\"entries\":[{");
    assertThat(Run.of("audit", "--data", at, "--limit", "0").exitCode()).isEqualTo(Main.USAGE);
    Run none = Run.of("retention", "--data", at);
    assertThat(none.exitCode()).isNotZero();
    assertThat(none.err()).contains("there are no rules");
    assertThat(Run.of("retention", "--data", at, "--retain", "chats=1").err()).contains("chats");
  }

  @Test
  void erasingWithoutAServerIsAuditedToo() {
    Served.fill(data(), "c1", 1);
    String at = data().toString();
    assertThat(Run.of("erase", "user", "u", "--data", at, "--yes").exitCode()).isZero();
    assertThat(Run.of("audit", "--data", at).out())
        .contains("DELETE /v1/users/{user}", "user=u", "done");
  }

  @Test
  void serveRefusesDutiesThatItCannotDo() throws Exception {
    Path cert = directory.resolve("chain.pem");
    Path key = directory.resolve("key.pem");
    first.write(cert, key);
    String at = data().toString();
    assertThat(Run.of("serve", "--data", at, "--tls-cert", cert.toString()).err())
        .contains("--tls-key is missing");
    Files.writeString(key, second.keyPem());
    assertThat(
            Run.of(
                    "serve",
                    "--data",
                    at,
                    "--tls-cert",
                    cert.toString(),
                    "--tls-key",
                    key.toString())
                .err())
        .contains("it is not the key of the certificate");
    assertThat(Run.of("serve", "--data", at, "--metrics", "all").err()).contains("admin or open");
    assertThat(Run.of("serve", "--data", at, "--retain", "x=1").err()).contains("retain");
    assertThat(data()).as("nothing was made").doesNotExist();
  }

  @Test
  void auditIsInTheDirectoryUnlessItIsElsewhereOrOff() {
    assertThat(Objects.requireNonNull(duties().audit()).file())
        .isEqualTo(data().resolve("audit.jsonl"));
    assertThat(duties("--audit", "off").audit()).isNull();
    assertThat(Objects.requireNonNull(duties("--audit", "/var/log/x.jsonl").audit()).file())
        .isEqualTo(Path.of("/var/log/x.jsonl"));
    assertThat(duties("--metrics", "open").openMetrics()).isTrue();
    assertThat(duties("--retain", "events=2w").retention()).hasToString("events=20160m");
  }

  private ServerDuties duties(String... args) {
    DutyFlags flags = new DutyFlags();
    new CommandLine(flags).parseArgs(args);
    return flags.read(data());
  }
}
