package dev.contexture.server.http;

import org.apiguardian.api.API;

/** The pages for people: plain HTML that loads nothing from anywhere. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Html {
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
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }
      nav a { margin-right: .8rem; }
      h2 { margin: 2.5rem 0 .5rem; }
      h3 { margin: 0; font-size: 1rem; }
      h3 a { text-decoration: none; }
      article { border-top: 1px solid #8884; padding: .8rem 0; }
      article:target { outline: 2px solid #3b5bdb; outline-offset: 4px; }
      p { margin: .2rem 0; }
      small { opacity: .75; }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .3rem 0 .3rem 1rem; }
      dd { margin: 0; overflow-wrap: anywhere; }
      code, pre { font: 14px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
      pre { white-space: pre-wrap; background: #8882; padding: .6rem; border-radius: 6px; max-height: 30rem; overflow: auto; }
      .of { position: absolute; left: -9999px; }
      @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-left: 1rem; } }
      @media (prefers-color-scheme: dark) { body { background: #16181c; color: #e4e6ea; } a { color: #8ab4f8; } }
      </style>
      </head>
      <body>
      """;

  private static final String END = "</body>\n</html>\n";

  private Html() {}

  public static String head(String title) {
    return HEAD.replace("TITLE", escape(title));
  }

  public static String end() {
    return END;
  }

  /** Text that stays text in a page. */
  public static String escape(String text) {
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
