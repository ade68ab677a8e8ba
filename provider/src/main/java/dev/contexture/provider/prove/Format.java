package dev.contexture.provider.prove;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The wire formats whose bodies can be judged. */
enum Format {
  ANTHROPIC("anthropic-messages", "messages"),
  CHAT("openai-chat", "messages"),
  RESPONSES("openai-responses", "input"),
  GEMINI("gemini-generate-content", "contents");

  private final String wireName;
  private final String messages;

  Format(String wireName, String messages) {
    this.wireName = wireName;
    this.messages = messages;
  }

  /** The member that holds the conversation. */
  String messages() {
    return messages;
  }

  /** Whether marks are the provider's only way to a cache, so that a wrong one is refused. */
  boolean refusesMarks() {
    return this == ANTHROPIC;
  }

  /** Whether messages of two roles must take turns. */
  boolean alternates() {
    return this == ANTHROPIC || this == GEMINI;
  }

  static Format named(String name) {
    return Arrays.stream(values())
        .filter(format -> format.wireName.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                ContextureException.invalid(
                    ErrorCode.INVALID_ARGUMENT,
                    "format",
                    name,
                    Arrays.stream(values())
                        .map(format -> format.wireName)
                        .collect(Collectors.joining(" or "))));
  }
}
