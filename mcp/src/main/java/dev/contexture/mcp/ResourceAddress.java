package dev.contexture.mcp;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The target of a resource URI: a memory block, a conversation, a path of one, or the knowledge
 * graph. Closed.
 */
sealed interface ResourceAddress {
  /** A memory block of an agent. */
  record OfBlock(String owner, String label) implements ResourceAddress {}

  /** A conversation of the user. */
  record OfConversation(String conversation) implements ResourceAddress {}

  /** The content of a path of a conversation. */
  record OfPath(String conversation, String path) implements ResourceAddress {}

  /** The knowledge graph. */
  record OfGraph() implements ResourceAddress {}

  String SCHEME = "contexture://";
  String BLOCKS = SCHEME + "agents/{agent}/blocks/{label}";
  String CONVERSATIONS = SCHEME + "conversations/{conversation}";
  String PATHS = SCHEME + "conversations/{conversation}/paths/{path}";
  String GRAPH = "memory://knowledge-graph";

  /** Reads a URI; empty if it names nothing that there can be. */
  static Optional<ResourceAddress> parse(String uri) {
    if (uri.equals(GRAPH)) {
      return Optional.of(new OfGraph());
    }
    if (!uri.startsWith(SCHEME)) {
      return Optional.empty();
    }
    List<String> parts = List.of(uri.substring(SCHEME.length()).split("/", 4));
    boolean conversation = parts.getFirst().equals("conversations");
    if (parts.size() == 4 && parts.get(0).equals("agents") && parts.get(2).equals("blocks")) {
      return Optional.of(new OfBlock(decoded(parts.get(1)), decoded(parts.get(3))));
    }
    if (parts.size() == 4 && conversation && parts.get(2).equals("paths")) {
      return Optional.of(new OfPath(decoded(parts.get(1)), decoded(parts.get(3))));
    }
    return parts.size() == 2 && conversation
        ? Optional.of(new OfConversation(decoded(parts.get(1))))
        : Optional.empty();
  }

  private static String decoded(String part) {
    try {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException broken) {
      return part; // names nothing
    }
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("%3A", ":")
        .replace("%40", "@");
  }

  static String block(String owner, String label) {
    return SCHEME + "agents/" + encoded(owner) + "/blocks/" + encoded(label);
  }

  static String conversation(String conversation) {
    return SCHEME + "conversations/" + encoded(conversation);
  }
}
