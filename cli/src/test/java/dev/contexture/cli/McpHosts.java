package dev.contexture.cli;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Hosts with the client of the protocol's own SDK. */
final class McpHosts {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private McpHosts() {}

  /** A host that is connected, and what it was told. */
  record Host(McpSyncClient client, BlockingQueue<String> told) implements AutoCloseable {
    /** Calls a tool and returns its text, or fails with it. */
    String call(String tool, Map<String, Object> arguments) {
      McpSchema.CallToolResult result =
          client.callTool(McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
      String text = ((McpSchema.TextContent) result.content().getFirst()).text();
      if (Boolean.TRUE.equals(result.isError())) {
        throw new IllegalStateException(text);
      }
      return text;
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** A host that starts the command on a directory, as its users configure it. */
  static Host stdio(Path data, String... options) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "mcp",
                "--data",
                data.toString()));
    args.addAll(List.of(options));
    ServerParameters command =
        ServerParameters.builder(Path.of(System.getProperty("java.home"), "bin", "java").toString())
            .args(args)
            .build();
    return connect(new StdioClientTransport(command, McpJsonDefaults.getMapper()));
  }

  /** A host of a server. */
  static Host http(String address, String endpoint) {
    return connect(HttpClientStreamableHttpTransport.builder(address).endpoint(endpoint).build());
  }

  private static Host connect(McpClientTransport transport) {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    McpSyncClient client =
        McpClient.sync(transport)
            .requestTimeout(PATIENCE)
            .initializationTimeout(PATIENCE)
            .resourcesUpdateConsumer(contents -> contents.forEach(one -> told.add(one.uri())))
            .build();
    client.initialize();
    return new Host(client, told);
  }
}
