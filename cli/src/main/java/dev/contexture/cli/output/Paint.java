package dev.contexture.cli.output;

/** Colours for terminals, or none. */
public enum Paint {
  PLAIN,
  COLOURED;

  private static final String ESCAPE = "\u001b[";
  private static final String END = ESCAPE + "0m";

  public String strong(String text) {
    return in("1", text);
  }

  /** What matters less. */
  public String faint(String text) {
    return in("2", text);
  }

  public String good(String text) {
    return in("32", text);
  }

  public String doubtful(String text) {
    return in("33", text);
  }

  public String bad(String text) {
    return in("31", text);
  }

  private String in(String code, String text) {
    return this == PLAIN || text.isEmpty() ? text : ESCAPE + code + "m" + text + END;
  }
}
