package dev.contexture.provider.rules;

import static dev.contexture.provider.rules.BrokenBodies.A;
import static dev.contexture.provider.rules.BrokenBodies.C;
import static dev.contexture.provider.rules.BrokenBodies.G;
import static dev.contexture.provider.rules.BrokenBodies.R;
import static dev.contexture.provider.rules.BrokenBodies.model;

import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.rules.BrokenBodies.Broken;
import dev.contexture.provider.wire.ProofFacts;
import java.util.List;
import java.util.stream.Stream;

/** Bodies that ask for what nobody takes, by the rule that each breaks. */
final class BrokenParams {
  private static final ModelRef OPUS_4_5 = new ModelRef("anthropic", "claude-opus-4-5");
  private static final String FORCED_A = "\"tool_choice\":{\"type\":\"tool\",\"name\":\"%s\"}";
  private static final String FORCED_C =
      "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"%s\"}}";
  private static final String FORCED_R = "\"tool_choice\":{\"type\":\"function\",\"name\":\"%s\"}";
  private static final String FORCED_G =
      "\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"ANY\",\"allowedFunctionNames\":"
          + "[\"%s\"]}}";

  private BrokenParams() {}

  static List<Broken> all() {
    return Stream.of(choices(), thinking(), models(), schemas(), tools(), types())
        .flatMap(List::stream)
        .toList();
  }

  /** A body that says hi, with more members. */
  static String hi(String format, String more) {
    String said = "[{\"role\":\"user\",\"content\":\"hi\"}]";
    return switch (format) {
      case A -> "{\"model\":\"m\",\"max_tokens\":2000," + more + ",\"messages\":" + said + "}";
      case C -> "{\"model\":\"m\"," + more + ",\"messages\":" + said + "}";
      case R -> "{\"model\":\"m\"," + more + ",\"input\":\"hi\"}";
      default -> "{" + more + ",\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"hi\"}]}]}";
    };
  }

  private static Broken said(RequestRule rule, String format, String more) {
    return said(rule, format, model(format), more);
  }

  private static Broken said(RequestRule rule, String format, ModelRef model, String more) {
    return new Broken(rule, format, model, hi(format, more), ProofFacts.NONE);
  }

  /** The golden tools are get_weather and get_time. */
  private static List<Broken> choices() {
    String nobody = "nobody";
    return List.of(
        new Broken(
            RequestRule.V36, A, "\"tools\":", FORCED_A.replace("%s", nobody) + ",\"tools\":"),
        new Broken(
            RequestRule.V36, C, "\"tools\":", FORCED_C.replace("%s", nobody) + ",\"tools\":"),
        new Broken(
            RequestRule.V36, R, "\"tools\":", FORCED_R.replace("%s", nobody) + ",\"tools\":"),
        new Broken(
            RequestRule.V36, G, "\"tools\":", FORCED_G.replace("%s", nobody) + ",\"tools\":"),
        new Broken(
            RequestRule.V36,
            R,
            "\"tools\":",
            "\"tool_choice\":{\"type\":\"allowed_tools\",\"mode\":\"auto\",\"tools\":"
                + "[{\"type\":\"function\",\"name\":\"nobody\"}]},\"tools\":"),
        said(RequestRule.V36, A, FORCED_A.replace("%s", "a")),
        said(RequestRule.V36, A, "\"tool_choice\":{\"type\":\"any\"}"),
        said(RequestRule.V36, C, FORCED_C.replace("%s", "a")),
        said(RequestRule.V36, C, "\"tool_choice\":\"required\""),
        said(RequestRule.V36, R, FORCED_R.replace("%s", "a")),
        said(RequestRule.V36, R, "\"tool_choice\":\"required\""),
        said(
            RequestRule.V36,
            G,
            "\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"ANY\"}},"
                + "\"tools\":[{\"googleSearch\":{}}]"));
  }

  private static List<Broken> thinking() {
    return List.of(
        said(RequestRule.V37, A, OPUS_4_5, "\"thinking\":{\"type\":\"enabled\"}"),
        said(RequestRule.V37, A, OPUS_4_5, budget(1023)),
        said(RequestRule.V37, A, OPUS_4_5, budget(2000)),
        said(
            RequestRule.V28,
            A,
            OPUS_4_5,
            budget(1999)
                + ",\"tools\":[{\"name\":\"a\",\"input_schema\":{\"type\":\"object\"}}],"
                + "\"tool_choice\":{\"type\":\"any\"}"),
        said(
            RequestRule.V28,
            A,
            new ModelRef("anthropic", "claude-sonnet-4-5"),
            "\"thinking\":{\"type\":\"adaptive\"}"),
        said(
            RequestRule.V28,
            A,
            new ModelRef("anthropic", "claude-haiku-4-5"),
            "\"output_config\":{\"effort\":\"low\"}"),
        said(RequestRule.V28, C, new ModelRef("openai", "gpt-4o"), "\"reasoning_effort\":\"low\""),
        said(
            RequestRule.V28,
            R,
            new ModelRef("openai", "gpt-4.1"),
            "\"reasoning\":{\"effort\":\"low\"}"),
        said(
            RequestRule.V28,
            G,
            "\"generationConfig\":{\"thinkingConfig\":{\"thinkingBudget\":0,"
                + "\"thinkingLevel\":\"LOW\"}}"),
        said(
            RequestRule.V28,
            G,
            new ModelRef("gemini", "gemini-2.5-pro"),
            "\"generationConfig\":{\"thinkingConfig\":{\"thinkingLevel\":\"LOW\"}}"));
  }

  private static String budget(int tokens) {
    return "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":" + tokens + "}";
  }

  private static List<Broken> schemas() {
    String open = "{\"type\":\"object\",\"properties\":{}}";
    String part =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},"
            + "\"additionalProperties\":false}";
    String inner =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":"
            + open
            + "}},\"required\":[\"a\"],\"additionalProperties\":false}";
    String other = open.replace("{}}", "{},\"additionalProperties\":true}");
    return List.of(
        said(RequestRule.V39, A, formA(open)),
        said(RequestRule.V39, A, formA(inner)),
        said(RequestRule.V39, A, formA(other)),
        said(RequestRule.V39, C, formC(open)),
        said(RequestRule.V39, C, formC(part)),
        said(RequestRule.V39, C, formC("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}")),
        said(RequestRule.V39, R, formR(inner)),
        said(RequestRule.V39, R, formR(part)));
  }

  static String formA(String schema) {
    return "\"output_config\":{\"format\":{\"type\":\"json_schema\",\"schema\":" + schema + "}}";
  }

  static String formC(String schema) {
    return "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"n\","
        + "\"strict\":true,\"schema\":"
        + schema
        + "}}";
  }

  private static String formR(String schema) {
    return "\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"n\",\"strict\":true,"
        + "\"schema\":"
        + schema
        + "}}";
  }

  private static List<Broken> tools() {
    String google = "\"tools\":[{\"google_search\":{}}]";
    String claude = "\"tools\":[{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}]";
    String gpt = "\"tools\":[{\"type\":\"web_search\"}]";
    return List.of(
        said(RequestRule.V40, A, google),
        said(RequestRule.V40, A, gpt),
        said(RequestRule.V40, C, google),
        said(RequestRule.V40, C, claude),
        said(RequestRule.V40, R, google),
        said(RequestRule.V40, R, claude),
        said(RequestRule.V40, G, claude),
        said(RequestRule.V40, G, gpt));
  }

  private static List<Broken> types() {
    return List.of(
        said(RequestRule.V41, A, "\"stop_sequences\":5"),
        said(RequestRule.V41, A, "\"stop_sequences\":[5]"),
        said(RequestRule.V41, A, "\"thinking\":\"adaptive\""),
        said(RequestRule.V41, C, "\"temperature\":\"hot\""),
        said(RequestRule.V41, C, "\"n\":1.5"),
        said(RequestRule.V41, C, "\"stop\":{}"),
        said(RequestRule.V41, R, "\"top_p\":[]"),
        said(RequestRule.V41, R, "\"parallel_tool_calls\":\"no\""),
        said(RequestRule.V41, G, "\"generationConfig\":[]"),
        said(RequestRule.V41, G, "\"generationConfig\":{\"temperature\":\"hot\"}"),
        said(RequestRule.V41, G, "\"generationConfig\":{\"stopSequences\":\"a\"}"));
  }

  private static List<Broken> models() {
    return List.of(
        new Broken(RequestRule.V34, A, "\"max_tokens\":1024", "\"max_tokens\":128001"),
        said(RequestRule.V34, C, "\"max_completion_tokens\":128001"),
        said(RequestRule.V34, R, "\"max_output_tokens\":128001"),
        said(RequestRule.V34, G, "\"generationConfig\":{\"maxOutputTokens\":65536}"),
        said(RequestRule.V38, A, new ModelRef("anthropic", "gpt-5.5"), "\"stream\":true"),
        said(RequestRule.V38, C, new ModelRef("openai", "claude-opus-5"), "\"stream\":true"),
        said(
            RequestRule.V38,
            R,
            new ModelRef("openai", "claude-opus-4-5-20251101"),
            "\"stream\":true"),
        said(RequestRule.V38, G, new ModelRef("gemini", "gpt-4o-mini"), "\"safetySettings\":[]"));
  }
}
