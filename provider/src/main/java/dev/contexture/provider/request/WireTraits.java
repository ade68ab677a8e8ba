package dev.contexture.provider.request;

import java.util.regex.Pattern;

/**
 * What repairs must know about a format.
 *
 * @param name the catalogue's name for it
 * @param alternates whether roles take turns and results of a group share a message
 * @param resultsFirst whether results stand before everything else of their message
 * @param anyId whether ids may have any form
 */
record WireTraits(String name, boolean alternates, boolean resultsFirst, boolean anyId) {
  static final WireTraits ANTHROPIC = new WireTraits("anthropic-messages", true, true, false);
  static final WireTraits CHAT = new WireTraits("openai-chat", false, false, false);
  static final WireTraits RESPONSES = new WireTraits("openai-responses", false, false, false);
  static final WireTraits GEMINI = new WireTraits("gemini-generate-content", true, false, true);

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  boolean takesId(String id) {
    return anyId || ID.matcher(id).matches();
  }
}
