package dev.contexture.cli;

/** Colours for terminals, or none. */
enum Paint {
  PLAIN,
  COLOURED;

  private static final String ESCAPE = "\u001b[";
  private static final String END = ESCAPE + "0m";

  String strong(String text) {
    return in("1", text);
  }

  /** What matters less. */
  String faint(String text) {
    return in("2", text);
  }

  String good(String text) {
    return in("32", text);
  }

  String doubtful(String text) {
    return in("33", text);
  }

  String bad(String text) {
    return in("31", text);
  }

  private String in(String code, String text) {
    return this == PLAIN || text.isEmpty() ? text : ESCAPE + code + "m" + text + END;
  }
}
