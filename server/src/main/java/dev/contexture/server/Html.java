package dev.contexture.server;

/** The pages for people: plain HTML that loads nothing from anywhere. */
final class Html {
  /** What pages may load: their own style, nothing else, and no frame may show them. */
  static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>TITLE</title>
      <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; }
      code { font: 14px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
      @media (prefers-color-scheme: dark) { body { background: #16181c; color: #e4e6ea; } a { color: #8ab4f8; } }
      </style>
      </head>
      <body>
      """;

  private static final String END = "</body>\n</html>\n";

  private Html() {}

  static String head(String title) {
    return HEAD.replace("TITLE", escape(title));
  }

  static String end() {
    return END;
  }

  /** Text that stays text in a page. */
  static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(c);
      }
    }
    return safe.toString();
  }
}
