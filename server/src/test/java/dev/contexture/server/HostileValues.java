package dev.contexture.server;

import java.util.List;
import java.util.random.RandomGenerator;

/** Values that no caller should send, as JSON text and as parts of paths, queries and headers. */
final class HostileValues {
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "-1",
          "-5",
          "1",
          "2",
          "0.5",
          "-0.5",
          "1e400",
          "-1e400",
          "1e5000",
          "1e-5000",
          "1E+2",
          "1e999999999",
          "2147483647",
          "2147483648",
          "-2147483649",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775809",
          "4294967296",
          "1.0000000000000000000001",
          "253402300800",
          "99999999999999999999999999999999999999");
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "x",
          "t1",
          "c1",
          "atlas",
          "notes",
          "ar:t1.n",
          "ar:t1.user.prompt",
          "*",
          "..",
          "../../etc/passwd",
          "a/b",
          "-1",
          "true",
          "null",
          "2026-01-01T00:00:00Z",
          "+999999999-12-31T23:59:59Z",
          "2026-02-30T00:00:00Z",
          "\\u0000",
          "\\u0000a\\u0001\\u007f",
          "\\ud83d",
          "\\udc00\\ud800",
          "a\\ud83d b",
          "\\ufeff",
          "\\u202e",
          "\\u4e2d\\u200d",
          "\\uffff",
          "\\r\\n\\r\\n",
          "</block:x>",
          "<script>",
          "'; DROP TABLE x; --",
          "%s%n%x",
          "${jndi:x}",
          "{}",
          "[]",
          "\\\"",
          "\\\\",
          "e\\u0301\\u0301\\u0301",
          "\\ud83d\\ude00",
          "so:1",
          "su:t1.x",
          "tc_1",
          "tc:t1.c1.call",
          "iVBORw0KGgo=",
          "====",
          "/a{9}/",
          "a AND (",
          "((((((((",
          "\\\"a",
          "field:x",
          "own:*",
          "a~9 b^9e9",
          "[a TO *",
          "/(/");
  private static final List<String> JSON =
      List.of(
          "null",
          "true",
          "false",
          "{}",
          "[]",
          "[[]]",
          "[null]",
          "{\\\"\\\":null}",
          "[{}]",
          "{\"type\":\"text\"}",
          "{\"a\":{\"a\":{\"a\":1}}}",
          "[1,\"a\",null,true,{},[]]",
          "{\"type\":5}",
          "{\"op\":\"nope\"}",
          "{\"$ref\":\"#\"}",
          "[\"\",\"\"]");
  private static final int LONG = 20_000;

  private HostileValues() {}

  private static String one(List<String> of, RandomGenerator random) {
    return of.get(random.nextInt(of.size()));
  }

  /** A JSON value of any type. */
  static String json(RandomGenerator random) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> one(NUMBERS, random);
      case 3, 4, 5, 6 -> string(random);
      case 7, 8, 9 -> one(JSON, random).replace("\\\"", "\"");
      case 10 -> deep(random);
      default -> many(random);
    };
  }

  /** A JSON string. */
  static String string(RandomGenerator random) {
    if (random.nextInt(25) == 0) {
      String piece = one(List.of("a", " ", "(", "\\u4e2d", "\\ud83d\\ude00", "\\ud800"), random);
      return '"' + piece.repeat(random.nextInt(LONG)) + '"';
    }
    return '"' + one(TEXTS, random) + '"';
  }

  private static String deep(RandomGenerator random) {
    int depth = random.nextInt(1, 200);
    return random.nextBoolean()
        ? "[".repeat(depth) + "]".repeat(depth)
        : "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
  }

  private static String many(RandomGenerator random) {
    String item = one(List.of("1", "\"a\"", "{}", "null", "\"t1\""), random);
    return "[" + (item + ",").repeat(random.nextInt(1, 2_000)) + item + "]";
  }

  /** Text that is no JSON, or no object. */
  static String noObject(RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0 -> "";
      case 1 -> "{";
      case 2 -> "{\"a\":1,}";
      case 3 -> "{\"a\" 1}";
      case 4 -> "\ufeff{}";
      case 5 -> "{} {}";
      case 6 -> "prompt=hello&x=1";
      default -> json(random);
    };
  }

  /** A part of a path or a query, as bytes that may stand in a request line. */
  static String part(RandomGenerator random) {
    return one(
        List.of(
            "x",
            "t1",
            "atlas",
            "notes",
            "ar:t1.n",
            "ar%3At1.n",
            "0",
            "-1",
            "1e9",
            "5000000000000",
            "99999999999999999999",
            "true",
            "TRUE",
            "previous",
            "core",
            "%00",
            "%0d%0a",
            "%u0041",
            "%u",
            "%",
            "%zz",
            "%2",
            "%ff",
            "%c0%ae",
            "%ed%a0%80",
            "%f0%9f%98%80",
            "%F0%9F",
            "..",
            "%2e%2e",
            ".",
            "a;b",
            ";",
            "a%2fb",
            "%2F",
            "a+b",
            "%20",
            "a%5cb",
            "~",
            "x".repeat(300),
            "%41".repeat(200),
            "*",
            "'",
            "%22",
            "%3Cb%3E",
            "%E4%B8%AD%E2%80%8D",
            "eyJhIjoxfQ==",
            "=",
            "%3D",
            ":",
            "@",
            "!$&'()",
            "rq_1",
            "su_1"),
        random);
  }

  /** A header that a request may have, without its line end. */
  static String header(RandomGenerator random) {
    String value =
        one(
            List.of(
                "",
                "x",
                "agent:atlas",
                "agent:",
                "human:pat",
                "system",
                "agent:..",
                "local",
                "0",
                "-1",
                "99999999999999999999",
                "a b",
                "\u00e9",
                "null",
                "http://evil.example",
                "application/json",
                "text/plain",
                "gzip",
                "cross-site",
                "Bearer x",
                "1".repeat(500),
                "POST",
                "DELETE",
                "BEFORE",
                "100-continue",
                "bytes=0-1",
                "*/*"),
            random);
    String name =
        one(
            List.of(
                "X-Tenant",
                "X-Project",
                "X-Actor",
                "Last-Event-ID",
                "Origin",
                "Content-Type",
                "Accept",
                "Accept-Encoding",
                "Content-Encoding",
                "Sec-Fetch-Site",
                "Authorization",
                "X-HTTP-Method-Override",
                "If-None-Match",
                "Range",
                "Cookie",
                "X-Confirm",
                "Accept-Language"),
            random);
    return name + ": " + value;
  }
}
