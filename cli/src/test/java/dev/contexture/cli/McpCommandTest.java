package dev.contexture.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.cli.McpHosts.Host;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.store.sqlite.DirectoryLock;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts on one directory, by the client of the protocol's own SDK. */
@Timeout(600)
class McpCommandTest {
  private static final String NOTES = "contexture://agents/default/blocks/notes";

  @TempDir Path directory;

  @Test
  void hostsShareADirectoryAndOutliveEachOther() throws Exception {
    Path data = directory.resolve("data");
    Host first = McpHosts.stdio(data);
    DirectoryLock.Owner owner = DirectoryLock.owner(data).orElseThrow();
    try (Host second = McpHosts.stdio(data)) {
      second.client().subscribeResource(McpSchema.SubscribeRequest.builder(NOTES).build());
      first.call("memory_create", Map.of("label", "notes", "description", "d", "content", "one"));
      assertThat(second.told().poll(2, TimeUnit.MINUTES)).isEqualTo(NOTES);
      assertThat(second.call("memory_read", Map.of("label", "notes"))).isEqualTo("one");
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(data.resolve(DirectoryLock.FILE))))
          .isEqualTo("rw-------");
      assertThat(
              Run.of("memory", "list", "default", "--data", data.toString(), "--user", "local")
                  .out())
          .contains("notes");

      ProcessHandle.of(owner.pid()).orElseThrow().destroyForcibly();
      assertThat(patiently(second, "memory_read")).isEqualTo("one");
      second.told().clear();
      second.call("memory_append", Map.of("label", "notes", "content", "\ntwo"));
      assertThat(second.told().poll(2, TimeUnit.MINUTES)).isEqualTo(NOTES);
      assertThat(DirectoryLock.owner(data).orElseThrow().pid()).isNotEqualTo(owner.pid());
      try (Host third = McpHosts.stdio(data)) {
        assertThat(third.call("memory_read", Map.of("label", "notes"))).isEqualTo("one\ntwo");
      }
    } finally {
      first.close();
    }
  }

  /** Reads; a call that was under way when the owner ended is refused, and may be repeated. */
  private static String patiently(Host host, String tool) {
    try {
      return host.call(tool, Map.of("label", "notes"));
    } catch (RuntimeException ended) {
      return host.call(tool, Map.of("label", "notes"));
    }
  }

  @Test
  void speaksThroughAServerAndByHttp() {
    Path data = directory.resolve("data");
    try (Served served = Served.open(data, true);
        Host stdio = McpHosts.stdio(data, "--agent", "atlas", "--user", "ann");
        Host http =
            McpHosts.http(
                Objects.requireNonNull(DirectoryLock.owner(data).orElseThrow().server()),
                "/mcp?agent=atlas&user=ann&max_result=4000")) {
      assertThat(http.client().listTools().tools())
          .hasSameSizeAs(stdio.client().listTools().tools())
          .allSatisfy(tool -> assertThat(tool.name()).matches("[A-Za-z0-9_-]{1,64}"));
      stdio.call(
          "memory_create",
          Map.of("label", "notes", "description", "d", "content", "x".repeat(4_900)));
      assertThat(http.call("memory_read", Map.of("label", "notes")))
          .startsWith("xxx")
          .contains("call again with offset")
          .hasSizeLessThan(4_000);
      assertThat(http.client().listResources().resources()).hasSize(1);
      assertThat(http.client().listPrompts().prompts()).hasSize(2);
      assertThat(http.client().listResourceTemplates().resourceTemplates()).hasSize(3);
      http.client().ping();
      assertThatThrownBy(() -> http.call("memory_read", Map.of("label", "nope")))
          .hasMessageStartingWith("block_not_found: ");
      assertThat(served.run("memory", "list", "atlas", "--user", "ann").out()).contains("notes");
    }
  }

  @Test
  void importsTheFileOfTheReferenceServerOnce() throws IOException {
    Path data = directory.resolve("data");
    Path file = directory.resolve("memory.jsonl");
    Files.writeString(
        file,
        """
        {"type":"entity","name":"Ann","entityType":"person","observations":["likes tea"]}
        {"type":"entity","name":"Harbour","entityType":"place","observations":[]}
        {"type":"relation","from":"Ann","to":"Harbour","relationType":"works at"}
        """);
    Run run = Run.of("--json", "mcp", "--data", data.toString(), "--import", file.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.json().toJson())
        .isEqualTo("{\"entities\":2,\"observations\":0,\"relations\":1,\"known\":0}");
    Files.writeString(file, Files.readString(file).replace("likes tea\"", "likes tea\",\"tall\""));
    assertThat(Run.of("mcp", "--data", data.toString(), "--import", file.toString()).out())
        .isEqualTo(
            "new: 0 entities, 1 observations of known ones, 0 relations; known: 3"
                + System.lineSeparator());
    Files.writeString(
        file,
        "{\"type\":\"entity\",\"name\":\"X\",\"entityType\":\"t\","
            + "\"observations\":[]}\n{\"kind\":\"x\"}\n");
    Run refused = Run.of("mcp", "--data", data.toString(), "--import", file.toString());
    assertThat(refused.exitCode()).isEqualTo(Main.FAILED);
    assertThat(refused.err()).contains("import_malformed", "line 2");
    try (Host host = McpHosts.stdio(data, "--profile", "graph")) {
      assertThat(host.call("read_graph", Map.of()))
          .contains("likes tea", "tall", "works at")
          .doesNotContain("\"X\"");
    }
  }

  /** Either command takes the file in as the other, and the tools work over it. */
  @Test
  void toolsWorkOverWhatEitherCommandImported() throws IOException {
    Path data = directory.resolve("data");
    Path file = directory.resolve("memory.jsonl");
    Files.writeString(
        file,
        """
        {"type":"entity","name":"Ann Holm","entityType":"person","observations":["likes tea"]}
        {"type":"relation","from":"Ann Holm","to":"Ystad","relationType":"lives in"}
        {"type":"relation","from":"Ystad","to":"Ann Holm","relationType":"home of"}
        """);
    String[] whole = {
      "import", file.toString(), "--data", data.toString(), "--user", "local", "--agent", "default"
    };
    Run run = Run.of(whole);
    assertThat(run.exitCode()).as(run.err()).isZero();
    Run again = Run.of("mcp", "--data", data.toString(), "--import", file.toString());
    assertThat(again.out())
        .startsWith("new: 0 entities, 0 observations of known ones, 0 relations; known: 3");
    try (Host host = McpHosts.stdio(data, "--profile", "graph")) {
      assertThat(host.call("open_nodes", Map.of("names", List.of("Ann Holm"))))
          .contains("likes tea", "lives in", "home of");
      host.call(
          "create_entities",
          Map.of(
              "entities",
              List.of(Map.of("name", "Ystad", "entityType", "town", "observations", List.of()))));
      host.call(
          "add_observations",
          Map.of(
              "observations",
              List.of(Map.of("entityName", "Ann Holm", "contents", List.of("is tall")))));
      host.call("delete_entities", Map.of("entityNames", List.of("Ystad")));
      assertThat(host.call("read_graph", Map.of()))
          .contains("likes tea", "is tall")
          .doesNotContain("Ystad");
    }
    awaitNobodyIn(data); // the client does not wait for the end of the process that it stops
    Run changed = Run.of(whole);
    assertThat(changed.err()).contains("label_taken");
    Path other = directory.resolve("other");
    whole[3] = other.toString();
    Run.of("mcp", "--data", other.toString(), "--import", file.toString());
    Run same = Run.of(whole);
    assertThat(same.exitCode()).as(same.err()).isZero();
  }

  /** Whatever comes, standard output has answers only, and the end of the input ends it. */
  @Test
  void printsNothingButTheProtocol() throws Exception {
    Path data = directory.resolve("data");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "mcp",
            "--data",
            data.toString());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process
        .getOutputStream()
        .write(
            """
            no json
            [1]

            {"jsonrpc":"2.0","id":"a","method":"tools/list"}
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":2,"method":"ping"}
            {"jsonrpc":"2.0","id":3,"method":"tools/list"}
            """
                .getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
    List<String> ids = new ArrayList<>();
    for (String line : out.split("\n", -1)) {
      if (!line.isEmpty()) {
        JsonObject message = (JsonObject) JsonValue.parse(line);
        assertThat(message.string("jsonrpc")).contains("2.0");
        ids.add(message.find("id").map(JsonValue::toJson).orElse("none"));
      }
    }
    assertThat(ids).containsExactlyInAnyOrder("null", "null", "\"a\"", "1", "2", "3");
  }

  @Test
  void refusesOptionsThatAreWrong() {
    assertThat(Run.of("mcp", "--profile", "x").err()).contains("memory, graph, files");
    assertThat(Run.of("mcp", "--max-result", "3").err()).contains("4000 to 1000000");
  }

  private static void awaitNobodyIn(Path data) {
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (DirectoryLock.owner(data).isPresent() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    assertThat(DirectoryLock.owner(data)).isEmpty();
  }

  private static final Pattern JSON = Pattern.compile("(?s)```json\\n(.*?)```");
  private static final Pattern SERVER =
      Pattern.compile("(?m)^claude mcp add .*? -- \\S*contexture (.*)$");

  /** What the pages say to paste is JSON, and its command lines are taken. */
  @ParameterizedTest
  @ValueSource(strings = {"claude-desktop", "claude-code", "vs-code", "cursor"})
  void thePagesHaveConfigurationsThatWork(String host) throws IOException {
    Path root = Path.of(Objects.requireNonNull(System.getProperty("contexture.root")));
    String page = Files.readString(root.resolve("docs/mcp/" + host + ".md"));
    assertThat(Files.readString(root.resolve("docs/mcp.md"))).contains("(mcp/" + host + ".md)");
    Set<String> found = new TreeSet<>();
    Matcher json = JSON.matcher(page);
    while (json.find()) {
      JsonObject whole = (JsonObject) JsonValue.parse(json.group(1));
      found.add(
          server(
              whole
                  .object("mcpServers")
                  .or(() -> whole.object("servers"))
                  .flatMap(servers -> servers.object("contexture"))
                  .orElseThrow()));
    }
    assertThat(found).containsExactly("http", "posix", "windows");
    Matcher line = SERVER.matcher(page);
    while (line.find()) {
      taken(line.group(1).split(" ", -1));
    }
  }

  /** Which kind of server it is; all of it is looked at. */
  private static String server(JsonObject server) {
    List<String> args =
        server.array("args").map(JsonArray::items).orElse(List.of()).stream()
            .map(arg -> ((JsonString) arg).value())
            .toList();
    String command = server.string("command").orElse("");
    if (command.endsWith("/contexture")) {
      taken(args.toArray(String[]::new));
      assertThat(Path.of(args.get(2))).isAbsolute();
      return "posix";
    }
    if (command.equals("cmd")) {
      assertThat(args.subList(0, 2)).containsExactly("/c", "C:\\contexture\\contexture.cmd");
      taken(args.subList(2, args.size()).toArray(String[]::new));
      assertThat(args.get(4)).matches("[A-Z]:\\\\.+");
      return "windows";
    }
    String url = server.string("url").orElseGet(() -> args.get(2));
    assertThat(url).matches("http://127.0.0.1:8321/mcp\\?agent=[a-z]+&user=ann");
    assertThat(server.toJson()).contains("Bearer ");
    return "http";
  }

  private static void taken(String... args) {
    assertThat(Main.commandLine().parseArgs(args).subcommand().commandSpec().name())
        .isEqualTo("mcp");
  }
}
