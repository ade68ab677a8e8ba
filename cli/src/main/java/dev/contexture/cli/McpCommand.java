package dev.contexture.cli;

import dev.contexture.cli.mcp.GraphImport;
import dev.contexture.cli.mcp.McpLink;
import dev.contexture.cli.mcp.McpLocator;
import dev.contexture.cli.mcp.StdioBridge;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.Embedders;
import dev.contexture.cli.support.LocalServer;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.json.JsonObject;
import dev.contexture.mcp.McpProfile;
import dev.contexture.mcp.McpSettings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Speaks the Model Context Protocol over standard input and output. */
@Command(
    name = "mcp",
    description = {
      "Serves memory, search and conversations to a host of the Model Context Protocol over"
          + " standard input and output, and ends when its input ends.",
      "Several at once on one directory, also beside a server, share it: the first opens it, the"
          + " others speak through the first."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture mcp --data /home/ann/contexture --agent notes",
      "  contexture mcp --data /home/ann/contexture --profile memory,graph",
      "  contexture mcp --data /home/ann/contexture --import memory.jsonl"
    })
final class McpCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(
      names = "--user",
      paramLabel = "ID",
      description = "For whom the agent works (default: local; with --key the user of the key).")
  private @Nullable String user;

  @Option(
      names = "--agent",
      paramLabel = "ID",
      description = "Whose memory it is (default: default; with --key the agent of the key).")
  private @Nullable String agent;

  @Option(
      names = "--profile",
      paramLabel = "NAMES",
      description =
          "Which tools there are, with commas between them: memory, graph (those of the reference"
              + " memory server), files (those of Anthropic's memory tool) (default: memory).")
  private @Nullable String profile;

  @Option(
      names = "--max-result",
      paramLabel = "BYTES",
      description = "The most bytes of one result of a tool (default: 40000).")
  private @Nullable Integer maxResult;

  @Option(
      names = "--embedder",
      paramLabel = "NAME",
      defaultValue = Embedders.NONE,
      description =
          "As for serve; where another process has the store open it uses its own (default:"
              + " ${DEFAULT-VALUE}).")
  private String embedder = Embedders.NONE;

  @Option(
      names = "--import",
      paramLabel = "FILE",
      description =
          "Take the file of the reference memory server (memory.jsonl) into the graph, say what was"
              + " new, and end.")
  private @Nullable Path file;

  @Override
  public Integer call() throws IOException, InterruptedException {
    LocalServer.quiet();
    Set<McpProfile> profiles = McpProfile.parse(profile());
    McpSettings.of(McpSettings.DEFAULT_AGENT).withResultBytes(resultBytes()); // refused before
    McpLocator locator = new McpLocator(store, Embedders.settings(embedder), query(profiles));
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try (McpLink link = new McpLink(locator)) {
      Thread ended = new Thread(link::close, "end of the store");
      Runtime.getRuntime().addShutdownHook(ended);
      link.connect();
      if (file != null) {
        print(new GraphImport(link).run(file));
      } else {
        keepOutputClean();
        new StdioBridge(link, System.in, out).run();
      }
    }
    return Main.DONE;
  }

  private String profile() {
    if (file != null) {
      return McpProfile.GRAPH.wireName();
    }
    return profile == null ? McpProfile.MEMORY.wireName() : profile;
  }

  private int resultBytes() {
    if (file != null) {
      return McpSettings.MOST_RESULT_BYTES; // each answer is counted as a whole
    }
    return maxResult == null ? McpSettings.DEFAULT_RESULT_BYTES : maxResult;
  }

  /** What the session is for, as the address says it. */
  private String query(Set<McpProfile> profiles) {
    StringBuilder query = new StringBuilder("profile=");
    query.append(String.join(",", profiles.stream().sorted().map(McpProfile::wireName).toList()));
    query.append("&max_result=").append(resultBytes());
    String whose = agent != null || store.hasKey() ? agent : McpSettings.DEFAULT_AGENT;
    if (whose != null) {
      query.append("&agent=").append(Api.id("--agent", whose));
    }
    String whom = user != null || store.hasKey() ? user : McpSettings.DEFAULT_USER;
    if (whom != null) {
      query.append("&user=").append(Api.id("--user", whom));
    }
    return query.toString();
  }

  /** What a library prints goes to standard error: the output is for the protocol alone. */
  private static void keepOutputClean() {
    System.setOut(
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
  }

  private void print(GraphImport.Imported imported) {
    Printer printer = Printer.of(spec);
    if (printer.json()) {
      printer.json(
          JsonObject.builder()
              .put("entities", imported.entities())
              .put("observations", imported.observations())
              .put("relations", imported.relations())
              .put("known", imported.known())
              .build());
      return;
    }
    printer.line(
        "new: "
            + imported.entities()
            + " entities, "
            + imported.observations()
            + " observations of known ones, "
            + imported.relations()
            + " relations; known: "
            + imported.known());
  }
}
