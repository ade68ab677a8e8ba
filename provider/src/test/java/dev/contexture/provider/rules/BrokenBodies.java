package dev.contexture.provider.rules;

import static dev.contexture.provider.Requests.CLAUDE;
import static dev.contexture.provider.Requests.GEMINI;
import static dev.contexture.provider.Requests.GPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.Requests;
import dev.contexture.provider.wire.ProofFacts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Golden bodies with one change each, by the rule that it breaks. */
final class BrokenBodies {
  private BrokenBodies() {}

  static final String A = "anthropic-messages";
  static final String C = "openai-chat";
  static final String R = "openai-responses";
  static final String G = "gemini-generate-content";
  private static final ModelRef DEEP = new ModelRef("deepseek", "deepseek-chat");

  static String body(String format) {
    return switch (format) {
      case A -> Requests.anthropic(Requests.golden(CLAUDE)).body().text();
      case C -> Requests.chat(Requests.golden(GPT)).body().text();
      case R -> Requests.responses(Requests.golden(GPT)).body().text();
      default -> Requests.gemini(Requests.golden(GEMINI)).body().text();
    };
  }

  static ModelRef model(String format) {
    return switch (format) {
      case A -> CLAUDE;
      case C, R -> GPT;
      default -> GEMINI;
    };
  }

  /** A golden body with one change. */
  record Broken(RequestRule rule, String format, ModelRef model, String body, ProofFacts facts) {
    Broken(RequestRule rule, String format, String was, String now) {
      this(rule, format, BrokenBodies.model(format), changed(format, was, now), ProofFacts.NONE);
    }

    static String changed(String format, String was, String now) {
      String golden = BrokenBodies.body(format);
      assertThat(golden).contains(was);
      int at = golden.indexOf(was);
      return golden.substring(0, at) + now + golden.substring(at + was.length());
    }

    @Override
    public String toString() {
      return rule + " " + format;
    }
  }

  static final String THOUGHT = "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}";
  static final String OTHER_THOUGHT =
      "{\"type\":\"thinking\",\"thinking\":\"so\",\"signature\":\"t\"}";
  static final String CHECKING = "{\"type\":\"text\",\"text\":\"Checking both.\"}";
  private static final String A_RESULT_2 =
      ",{\"type\":\"tool_result\",\"tool_use_id\":\"call_2\",\"content\":"
          + "[{\"type\":\"text\",\"text\":\"14:05\"}]}";
  private static final String C_RESULT_1 =
      "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":"
          + "[{\"type\":\"text\",\"text\":\"4 C, rain\"}]},";
  private static final String R_RESULT_1 =
      "{\"type\":\"function_call_output\",\"call_id\":\"call_1\",\"output\":"
          + "[{\"type\":\"input_text\",\"text\":\"4 C, rain\"}]},";
  private static final String G_RESULT_1 =
      "{\"functionResponse\":{\"id\":\"call_1\",\"name\":\"get_weather\","
          + "\"response\":{\"output\":\"4 C, rain\"}}},";
  private static final String G_RESULT_2 =
      "{\"functionResponse\":{\"id\":\"call_2\",\"name\":\"get_time\","
          + "\"response\":{\"output\":\"14:05\"}}}";
  private static final String SEARCH =
      "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\",\"input\":{}},";
  private static final String FOUND =
      "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":[]},";
  private static final String A_LAST = "{\"role\":\"user\",\"content\":[{\"type\":\"image\"";
  private static final String C_LAST = "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"";
  private static final String R_LAST =
      "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_image\"";
  private static final String REASONING =
      "{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[],\"encrypted_content\":\"e\"},";
  private static final String R_SAID =
      "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"Checking both.\"}";
  private static final String MARK = ",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"5m\"}";

  static Stream<Broken> broken() {
    return Stream.of(
            places(),
            pairs(),
            thinking(),
            marksAndTools(),
            settings(),
            texts(),
            limits(),
            BrokenParams.all())
        .flatMap(List::stream);
  }

  private static List<Broken> places() {
    return List.of(
        new Broken(RequestRule.V42, A, CHECKING, SEARCH + CHECKING),
        new Broken(RequestRule.V42, A, CHECKING, FOUND + CHECKING),
        whole(RequestRule.V01, A, CLAUDE, "{\"model\":\"m\",\"max_tokens\":1,\"messages\":[]}"),
        whole(
            RequestRule.V01,
            C,
            GPT,
            "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"s\"}]}"),
        whole(RequestRule.V01, R, GPT, "{\"model\":\"m\",\"input\":[]}"),
        whole(RequestRule.V01, G, GEMINI, "{}"),
        new Broken(
            RequestRule.V02,
            A,
            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Weather",
            "{\"role\":\"assistant\",\"content\":["
                + CHECKING
                + "]},{\"role\":\"user\",\"content\":"
                + "[{\"type\":\"text\",\"text\":\"Weather"),
        new Broken(
            RequestRule.V02,
            G,
            "\"contents\":[",
            "\"contents\":[{\"role\":\"model\",\"parts\":[{\"text\":\"a\"}]},"),
        new Broken(
            RequestRule.V03,
            A,
            A_LAST,
            "{\"role\":\"assistant\",\"content\":[" + CHECKING + "]}," + A_LAST),
        new Broken(
            RequestRule.V03,
            G,
            "\"contents\":[",
            "\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"a\"}]},"),
        new Broken(RequestRule.V04, A, "Checking both.", " "),
        new Broken(RequestRule.V04, A, "4 C, rain", ""),
        new Broken(RequestRule.V04, A, "You are Atlas, a travel assistant.", ""),
        new Broken(RequestRule.V04, C, "Is this the same place?", "\\n"),
        new Broken(RequestRule.V04, R, "Checking both.", ""),
        new Broken(RequestRule.V04, G, "4 C, rain", " "),
        new Broken(RequestRule.V05, A, "," + lastOf(A), ""),
        new Broken(RequestRule.V05, C, "," + lastOf(C), ""),
        new Broken(RequestRule.V05, R, "," + lastOf(R), ""),
        new Broken(
            RequestRule.V05,
            G,
            GEMINI,
            Broken.changed(G, "," + lastOf(G), "")
                .replace(
                    "\"args\":{\"city\":\"Oslo\"}}}",
                    "\"args\":{\"city\":\"Oslo\"}},\"thoughtSignature\":\"cw==\"}"),
            ProofFacts.NONE),
        new Broken(
            RequestRule.V19,
            G,
            "{\"role\":\"model\",\"parts\":[{\"text\":\"Checking both.\"},",
            "{\"role\":\"model\",\"parts\":[{\"text\":\"Checking both.\"}]},"
                + "{\"role\":\"model\",\"parts\":["),
        new Broken(
            RequestRule.V25,
            A,
            A_LAST,
            "{\"role\":\"system\",\"content\":[" + CHECKING + "]}," + A_LAST),
        new Broken(
            RequestRule.V26,
            C,
            "{\"type\":\"text\",\"text\":\"4 C, rain\"}",
            "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,AA==\"}}"),
        new Broken(RequestRule.V26, A, "image/png", "video/mp4"),
        new Broken(
            RequestRule.V26,
            G,
            "\"response\":{\"output\":\"4 C, rain\"}",
            "\"response\":{\"output\":\"x\"},\"parts\":[{\"inlineData\":{\"mimeType\":"
                + "\"image/png\",\"data\":\"AA==\"}}]"));
  }

  private static List<Broken> pairs() {
    return List.of(
        new Broken(RequestRule.V06, A, A_RESULT_2, A_RESULT_2 + A_RESULT_2.replace("call_2", "x")),
        new Broken(RequestRule.V06, C, C_LAST, C_RESULT_1.replace("call_1", "x") + C_LAST),
        new Broken(RequestRule.V06, R, R_LAST, R_RESULT_1.replace("call_1", "x") + R_LAST),
        new Broken(
            RequestRule.V06, G, G_RESULT_2, G_RESULT_2 + "," + G_RESULT_2.replace("l_2", "")),
        new Broken(RequestRule.V07, A, A_RESULT_2, ""),
        new Broken(RequestRule.V07, C, C_RESULT_1, ""),
        new Broken(RequestRule.V07, R, R_RESULT_1, ""),
        new Broken(RequestRule.V07, G, G_RESULT_1, ""),
        moved(RequestRule.V08, A, A_RESULT_2, A_LAST.substring(0, 26)),
        moved(RequestRule.V08, C, C_RESULT_1, C_LAST),
        moved(RequestRule.V08, R, R_RESULT_1, R_LAST),
        new Broken(
            RequestRule.V09,
            A,
            "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"",
            "{\"role\":\"user\",\"content\":[" + CHECKING + ",{\"type\":\"tool_result\""),
        new Broken(RequestRule.V10, A, A_RESULT_2, A_RESULT_2 + A_RESULT_2),
        new Broken(RequestRule.V10, C, C_RESULT_1, C_RESULT_1 + C_RESULT_1),
        new Broken(RequestRule.V10, R, R_RESULT_1, R_RESULT_1 + R_RESULT_1),
        new Broken(RequestRule.V10, G, G_RESULT_2, G_RESULT_2 + "," + G_RESULT_2),
        renamed(RequestRule.V11, A),
        renamed(RequestRule.V11, C),
        renamed(RequestRule.V11, R),
        new Broken(
            RequestRule.V12,
            A,
            A_RESULT_2,
            "]},{\"role\":\"user\",\"content\":[" + A_RESULT_2.substring(1)),
        new Broken(
            RequestRule.V12,
            G,
            G_RESULT_1 + G_RESULT_2,
            G_RESULT_2 + "," + G_RESULT_1.substring(0, G_RESULT_1.length() - 1)));
  }

  private static List<Broken> thinking() {
    String two = Broken.changed(A, CHECKING, OTHER_THOUGHT + "," + THOUGHT + "," + CHECKING);
    String one = Broken.changed(A, CHECKING, THOUGHT + "," + CHECKING);
    ModelRef bound = new ModelRef("anthropic", "claude-opus-5-5");
    return List.of(
        new Broken(
            RequestRule.V13,
            A,
            CLAUDE,
            two,
            received(
                Map.of(
                    THOUGHT, made("claude-opus-5", 0), OTHER_THOUGHT, made("claude-opus-5", 1)))),
        new Broken(RequestRule.V14, A, CHECKING, THOUGHT.replace("\"s\"", "\"\"") + "," + CHECKING),
        new Broken(
            RequestRule.V14,
            A,
            CLAUDE,
            one,
            received(Map.of(OTHER_THOUGHT, made("claude-opus-5", 0)))),
        new Broken(RequestRule.V14, R, R_SAID, REASONING.replace("\"e\"", "\"\"") + R_SAID),
        new Broken(
            RequestRule.V15, A, CLAUDE, one, received(Map.of(THOUGHT, made("claude-opus-4-5", 0)))),
        new Broken(
            RequestRule.V16,
            A,
            bound,
            one,
            new ProofFacts(Map.of(), Map.of(), OptionalInt.of(4), 0, 0)),
        new Broken(RequestRule.V17, R, R_LAST, REASONING + R_LAST),
        new Broken(
            RequestRule.V17,
            R,
            GPT,
            Broken.changed(
                R, "{\"type\":\"function_call\",", "{\"type\":\"function_call\",\"id\":\"fc_1\","),
            new ProofFacts(Map.of(), Map.of("fc_1", "rs"), OptionalInt.empty(), 0, 0)),
        whole(
            RequestRule.V18,
            G,
            GEMINI,
            "{\"tools\":[{\"functionDeclarations\":[{\"name\":\"f\"}]}],\"contents\":["
                + "{\"role\":\"user\",\"parts\":[{\"text\":\"q\"}]},{\"role\":\"model\",\"parts\":"
                + "[{\"functionCall\":{\"name\":\"f\"}}]},{\"role\":\"user\",\"parts\":"
                + "[{\"functionResponse\":{\"name\":\"f\",\"response\":{\"output\":\"r\"}}}]}]}"),
        new Broken(RequestRule.V30, C, DEEP, unmarked(body(C)), ProofFacts.NONE));
  }

  private static List<Broken> marksAndTools() {
    String five =
        body(A).replace("\"required\":[\"city\"]}}", "\"required\":[\"city\"]}" + MARK + "}");
    return List.of(
        new Broken(RequestRule.V20, A, CLAUDE, five, ProofFacts.NONE),
        new Broken(RequestRule.V20, C, new ModelRef("openai", "gpt-5.5"), body(C), ProofFacts.NONE),
        new Broken(
            RequestRule.V21,
            A,
            CHECKING,
            THOUGHT.substring(0, THOUGHT.length() - 1) + MARK + "}," + CHECKING),
        new Broken(
            RequestRule.V21,
            C,
            CHECKING,
            CHECKING.replace("}", ",\"prompt_cache_breakpoint\":{\"mode\":\"explicit\"}}")),
        new Broken(RequestRule.V21, A, CLAUDE, body(A), ProofFacts.NONE.withVolatileBlocks(1)),
        new Broken(
            RequestRule.V22,
            A,
            "\"text\":\"Oslo: 4 C, rain, 14:05.\",\"cache_control\":"
                + "{\"type\":\"ephemeral\",\"ttl\":\"5m\"}",
            "\"text\":\"Oslo: 4 C, rain, 14:05.\",\"cache_control\":"
                + "{\"type\":\"ephemeral\",\"ttl\":\"1h\"}"),
        new Broken(RequestRule.V23, A, CLAUDE, withoutTools(A), ProofFacts.NONE),
        new Broken(RequestRule.V23, C, GPT, withoutTools(C), ProofFacts.NONE),
        new Broken(RequestRule.V23, R, GPT, withoutTools(R), ProofFacts.NONE),
        new Broken(RequestRule.V23, G, GEMINI, withoutTools(G), ProofFacts.NONE),
        new Broken(
            RequestRule.V24, A, "\"name\":\"get_time\",\"desc", "\"name\":\"get.time\",\"desc"),
        new Broken(
            RequestRule.V24, C, "\"name\":\"get_time\",\"desc", "\"name\":\"get.time\",\"desc"),
        new Broken(
            RequestRule.V24, R, "\"name\":\"get_time\",\"desc", "\"name\":\"get_weather\",\"desc"),
        new Broken(RequestRule.V24, G, "\"name\":\"get_time\",\"desc", "\"name\":\"1st\",\"desc"));
  }

  private static List<Broken> texts() {
    return List.of(
        new Broken(RequestRule.V31, A, "Checking both.", "Checking \\ud83d both."),
        new Broken(RequestRule.V31, C, "Checking both.", "\\udc00"),
        new Broken(RequestRule.V31, R, "14:05", "\\uD83D\\uD83D\\uDE00"),
        new Broken(RequestRule.V31, G, "4 C, rain", "\\ude00\\ud83d"),
        new Broken(RequestRule.V31, A, "{\"city\":", "{\"city\\ud83d\":"),
        new Broken(RequestRule.V31, C, "\"description\":\"", "\"description\":\"\\ud83d"),
        new Broken(RequestRule.V31, G, "\"description\":\"", "\"description\":\"\\udc00"));
  }

  private static List<Broken> settings() {
    return List.of(
        new Broken(RequestRule.V27, A, CLAUDE, body(A), ProofFacts.NONE.withHighTokens(999_999)),
        new Broken(
            RequestRule.V28, A, "\"max_tokens\":1024", "\"max_tokens\":1024,\"temperature\":1"),
        new Broken(
            RequestRule.V28,
            A,
            "\"max_tokens\":1024",
            "\"max_tokens\":2048,\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1024}"),
        new Broken(
            RequestRule.V28,
            R,
            "\"store\":false",
            "\"store\":false,\"prompt_cache_retention\":\"24h\""),
        new Broken(RequestRule.V28, G, "{\"system", "{\"cachedContent\":\"c\",\"system"),
        new Broken(
            RequestRule.V28, C, new ModelRef("openai", "gpt-6-sol"), body(C), ProofFacts.NONE),
        new Broken(
            RequestRule.V28,
            R,
            new ModelRef("openai", "gpt-6.1-sol"),
            Broken.changed(
                R, "\"store\":false", "\"store\":false,\"reasoning\":{\"effort\":\"none\"}"),
            ProofFacts.NONE),
        new Broken(RequestRule.V29, A, "metric units.", "metric units at 2026-01-02T03:04."),
        new Broken(RequestRule.V29, C, "metric units.", "metric units, 1794700800."),
        new Broken(
            RequestRule.V29, R, "metric units.", "units 123e4567-e89b-12d3-a456-426614174000."),
        new Broken(RequestRule.V29, G, "metric units.", "metric units, 1794700800000."));
  }

  /** What a version of the interface, a tool or a limit cannot be. */
  private static List<Broken> limits() {
    ModelRef haiku = new ModelRef("anthropic", "claude-haiku-4-5");
    String sampled = Broken.changed(A, "\"max_tokens\"", "\"temperature\":1,\"max_tokens\"");
    String schema = "\"input_schema\":{\"type\":\"object\",";
    return List.of(
        whole(RequestRule.V32, A, haiku, sampled),
        new Broken(
            RequestRule.V32,
            A,
            CHECKING,
            "{\"type\":\"document\",\"source\":{\"type\":\"text\",\"media_type\":\"text/plain\","
                + "\"data\":\"d\"}},"
                + CHECKING),
        new Broken(
            RequestRule.V32,
            A,
            "\"text\":\"4 C, rain\"",
            "\"text\":\"4 C, rain\",\"citations\":[{\"type\":\"char_location\"}]"),
        new Broken(RequestRule.V33, A, schema, "\"input_schema\":{"),
        new Broken(RequestRule.V33, C, "\"parameters\":{\"type\":\"object\",", "\"parameters\":{"),
        new Broken(RequestRule.V33, R, "\"parameters\":{\"type\":\"object\",", "\"parameters\":{"),
        new Broken(
            RequestRule.V33,
            G,
            "\"parametersJsonSchema\":{\"type\":\"object\",",
            "\"parametersJsonSchema\":{"),
        new Broken(RequestRule.V34, A, "\"max_tokens\":1024,", ""),
        new Broken(RequestRule.V34, A, "\"max_tokens\":1024", "\"max_tokens\":0"),
        new Broken(
            RequestRule.V34, C, "\"max_completion_tokens\":1024", "\"max_completion_tokens\":0"),
        new Broken(RequestRule.V34, R, "\"max_output_tokens\":1024", "\"max_output_tokens\":0"),
        new Broken(RequestRule.V34, G, "\"maxOutputTokens\":1024", "\"maxOutputTokens\":0"),
        new Broken(RequestRule.V35, A, "\"model\":\"claude-opus-5\"", "\"model\":\"\""),
        new Broken(RequestRule.V35, C, "\"model\":\"gpt-5.6-terra\",", ""),
        new Broken(RequestRule.V35, R, "\"model\":\"gpt-5.6-terra\"", "\"model\":\" \""));
  }

  private static Broken whole(RequestRule rule, String format, ModelRef model, String body) {
    return new Broken(rule, format, model, body, ProofFacts.NONE);
  }

  /** The last message of the golden body. */
  private static String lastOf(String format) {
    String body = body(format);
    String start =
        switch (format) {
          case A -> A_LAST;
          case C -> C_LAST;
          case R -> R_LAST;
          default -> "{\"role\":\"user\",\"parts\":[{\"inlineData\"";
        };
    int from = body.indexOf(start);
    int to = format.equals(G) ? body.indexOf("],\"generationConfig\"") : body.lastIndexOf("]}");
    return body.substring(from, to);
  }

  private static Broken moved(RequestRule rule, String format, String part, String before) {
    String rest = body(format).replace(part, "");
    int at = rest.lastIndexOf(before);
    String result = part.startsWith(",") ? part.substring(1) + "," : part;
    String body =
        format.equals(A)
            ? rest.substring(0, at + before.length())
                + result
                + rest.substring(at + before.length())
            : rest.substring(0, at) + result + rest.substring(at);
    return new Broken(rule, format, model(format), body, ProofFacts.NONE);
  }

  private static Broken renamed(RequestRule rule, String format) {
    String body = body(format).replace("call_1", "call:1");
    return new Broken(rule, format, model(format), body, ProofFacts.NONE);
  }

  private static String unmarked(String chat) {
    return chat.replace(",\"prompt_cache_breakpoint\":{\"mode\":\"explicit\"}", "");
  }

  private static String withoutTools(String format) {
    String body = body(format);
    int from = body.indexOf("\"tools\":[");
    String next =
        switch (format) {
          case A -> "\"system\":";
          case C -> "\"messages\":";
          case R -> "\"input\":";
          default -> "\"contents\":";
        };
    return body.substring(0, from) + body.substring(body.indexOf(next));
  }

  static ProofFacts.Received made(String model, int order) {
    return new ProofFacts.Received("anthropic", model, true, "r1", order);
  }

  private static ProofFacts received(Map<String, ProofFacts.Received> byJson) {
    Map<String, List<ProofFacts.Received>> places = new HashMap<>();
    byJson.forEach((json, made) -> places.put(json, List.of(made)));
    return receivedAt(places);
  }

  static ProofFacts receivedAt(Map<String, List<ProofFacts.Received>> byJson) {
    Map<String, List<ProofFacts.Received>> byHash =
        byJson.entrySet().stream()
            .collect(Collectors.toMap(known -> sha256(known.getKey()), Map.Entry::getValue));
    return new ProofFacts(byHash, Map.of(), OptionalInt.empty(), 0, 0);
  }

  private static String sha256(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (java.security.NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
