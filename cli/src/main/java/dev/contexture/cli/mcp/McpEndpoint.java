package dev.contexture.cli.mcp;

import dev.contexture.cli.support.LocalServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server that speaks the protocol.
 *
 * @param address of the protocol, with what the session is for in its query
 * @param headers that go with every request
 * @param client that trusts the server
 * @param own null: another process serves
 */
record McpEndpoint(
    URI address, Map<String, String> headers, HttpClient client, @Nullable LocalServer own)
    implements AutoCloseable {
  McpEndpoint {
    headers = Map.copyOf(headers);
  }

  /** Lets what is under way come to its end, and ends the server if it is one of this process. */
  @Override
  public void close() {
    client.shutdown();
    if (own != null) {
      own.close();
    }
  }
}
