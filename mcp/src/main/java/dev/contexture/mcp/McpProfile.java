package dev.contexture.mcp;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** A set of tools that a host is offered. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum McpProfile {
  /** Memory blocks, the archive, search and conversations. */
  MEMORY,
  /** Entities, relations and observations: the nine tools of the reference memory server. */
  GRAPH,
  /** Text blocks as files under {@code /memories}, by the verbs of Anthropic's memory tool. */
  FILES;

  /** The name on the wire and in options. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All names, for messages. */
  public static String names() {
    return Arrays.stream(values()).map(McpProfile::wireName).collect(Collectors.joining(", "));
  }

  /**
   * Reads names with commas between them.
   *
   * @throws ContextureException {@code invalid_argument} if one is unknown
   */
  public static Set<McpProfile> parse(String text) {
    EnumSet<McpProfile> found = EnumSet.noneOf(McpProfile.class);
    for (String name : text.split(",", -1)) {
      found.add(
          Arrays.stream(values())
              .filter(profile -> profile.wireName().equals(name.strip()))
              .findFirst()
              .orElseThrow(
                  () ->
                      ContextureException.invalid(
                          ErrorCode.INVALID_ARGUMENT,
                          "profile",
                          name,
                          names() + ", several with commas between them")));
    }
    return Collections.unmodifiableSet(found);
  }
}
