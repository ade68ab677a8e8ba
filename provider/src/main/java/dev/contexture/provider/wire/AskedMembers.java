package dev.contexture.provider.wire;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.render.Message;
import dev.contexture.request.CacheSetting;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestParams;
import dev.contexture.request.ToolChoice;
import dev.contexture.request.ToolDef;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/** Members of a body that a caller asks for: what all providers share, then what is given as is. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class AskedMembers {
  /** What the engine writes in any format; dots lead inside. */
  private static final Set<String> OWNED =
      Set.of(
          "model",
          "messages",
          "contents",
          "input",
          "system",
          "systemInstruction",
          "system_instruction",
          "instructions",
          "tools",
          "stream",
          "max_tokens",
          "max_completion_tokens",
          "max_output_tokens",
          "generation_config",
          "generationConfig.maxOutputTokens",
          "generationConfig.max_output_tokens",
          "cache_control",
          "cachedContent",
          "cached_content",
          "prompt_cache_key",
          "prompt_cache_options",
          "prompt_cache_retention",
          "previous_response_id",
          "conversation");

  private static final String CHOICE = "tool_choice";
  private static final Set<String> CHOICES = Set.of(CHOICE, "toolConfig", "tool_config");

  private AskedMembers() {}

  /**
   * The members that are asked for, in order.
   *
   * @throws ContextureException {@code param_owned}, or {@code param_rejected} where the format has
   *     no place for it
   */
  static JsonObject of(WireFormat format, RequestInput input) {
    JsonObject open = input.params().open();
    checkCompat(format, input.params());
    for (String path : OWNED) {
      if (at(open, path).isPresent()) {
        throw owned(path, "it is written by the engine");
      }
    }
    checkChoice(input);
    for (ParamType.Mismatch wrong : ParamType.mismatches(format.paramTypes(), open)) {
      throw rejected("params." + wrong.path(), wrong.actual(), wrong.allowed());
    }
    for (String name : CHOICES) {
      if (open.has(name) && input.toolChoice() != ToolChoice.AUTO) {
        throw owned(name, "a tool choice is given apart");
      }
    }
    return merged(format.asked(input), open, "");
  }

  /** Refuses a shape for compatible servers where there are none. */
  public static void checkCompat(WireFormat format, RequestParams params) {
    if (params.compat() && !format.takesCompat()) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "compat",
          true,
          "false: nobody else speaks " + format.wireName());
    }
  }

  /** A call cannot be demanded of a tool that is not there. */
  private static void checkChoice(RequestInput input) {
    ToolChoice choice = input.toolChoice();
    boolean free = choice == ToolChoice.AUTO || choice == ToolChoice.NONE;
    List<String> offered =
        free ? List.of() : input.tools().stream().map(ToolDef::name).sorted().toList();
    if (!free && offered.isEmpty()) {
      throw rejected(CHOICE, choice.wireName(), "auto or none without tools: give tools with it");
    }
    if (choice instanceof ToolChoice.Tool tool && !offered.contains(tool.name())) {
      throw rejected(CHOICE, choice.wireName(), "a tool that is offered: " + Choices.few(offered));
    }
  }

  private static JsonObject merged(JsonObject typed, JsonObject open, String path) {
    if (open.isEmpty()) {
      return typed;
    }
    JsonObject.Builder all = typed.toBuilder();
    for (Map.Entry<String, JsonValue> member : open.members().entrySet()) {
      String key = member.getKey();
      JsonValue given = typed.find(key).orElse(null);
      if (given == null) {
        all.put(key, member.getValue());
      } else if (given instanceof JsonObject one && member.getValue() instanceof JsonObject other) {
        all.put(key, merged(one, other, path + key + "."));
      } else {
        throw owned(path + key, "thinking, effort or output_schema asks for it already");
      }
    }
    return all.build();
  }

  private static ContextureException owned(String path, String why) {
    return new ContextureException(
        ErrorCode.PARAM_OWNED,
        "params." + path + " cannot be given: " + why,
        Map.of("field", "params." + path, "allowed", why),
        null);
  }

  /** A member, where dots lead inside. */
  public static Optional<JsonValue> at(JsonObject object, String path) {
    JsonValue value = object;
    for (String key : path.split("\\.", -1)) {
      if (!(value instanceof JsonObject inner) || !inner.has(key)) {
        return Optional.empty();
      }
      value = inner.find(key).orElse(JsonNull.NULL);
    }
    return Optional.of(value);
  }

  /** Members but those, each behind a comma. */
  static String members(JsonObject asked, Set<String> but) {
    StringBuilder text = new StringBuilder();
    asked
        .members()
        .forEach(
            (name, value) -> {
              if (!but.contains(name)) {
                text.append(',').append(EncodedPart.quoted(name));
                text.append(':').append(value.toJson());
              }
            });
    return text.toString();
  }

  /**
   * One of these forms, or nothing where the model may choose.
   *
   * @param named the form with a tool's name
   */
  static String toolChoice(
      ToolChoice choice, String required, String none, UnaryOperator<String> named) {
    return switch (choice) {
      case ToolChoice.Mode mode ->
          switch (mode) {
            case AUTO -> "";
            case REQUIRED -> required;
            case NONE -> none;
          };
      case ToolChoice.Tool tool -> named.apply(tool.name());
    };
  }

  /** The parameters that caches depend on, as they are now. */
  static List<CacheSetting> settings(WireFormat format, RequestInput input, JsonObject asked) {
    List<CacheSetting> settings = new ArrayList<>();
    new TreeMap<>(format.cacheSettings())
        .forEach(
            (name, tier) -> {
              boolean chosen = name.equals(CHOICE) && input.toolChoice() != ToolChoice.AUTO;
              String value =
                  chosen
                      ? input.toolChoice().wireName()
                      : at(asked, name).map(JsonValue::toJson).orElse("");
              settings.add(new CacheSetting(name, tier, value));
            });
    return settings;
  }

  /** Every tool that goes by another name, here and in calls of earlier requests. */
  public static List<Repair> renamed(WireFormat format, RequestInput input) {
    Set<String> names = new TreeSet<>();
    input.tools().stream().filter(tool -> !tool.isNative()).forEach(t -> names.add(t.name()));
    for (Message message : input.messages()) {
      for (Part part : message.parts()) {
        if (part instanceof Part.ToolCall call) {
          names.add(call.name());
        }
      }
    }
    List<Repair> renamed = new ArrayList<>();
    for (String name : names) {
      String sent = format.toolNames().wireName(name);
      if (!sent.equals(name)) {
        renamed.add(new Repair(RequestRule.V24, "/tools", "tool " + name + " is sent as " + sent));
      }
    }
    return renamed;
  }

  /**
   * Something that the format has no place for.
   *
   * @param option the option of a request
   * @param allowed what it takes instead
   */
  public static ContextureException rejected(String option, String actual, String allowed) {
    return ContextureException.invalid(ErrorCode.PARAM_REJECTED, option, actual, allowed);
  }

  /**
   * The version of the interface that a request is for; empty if the format has none.
   *
   * @throws ContextureException {@code invalid_argument} for one that is not known
   */
  public static String apiVersion(WireFormat format, RequestParams params) {
    String asked = params.apiVersion();
    if (asked == null) {
      return format.apiVersions().isEmpty() ? "" : format.apiVersions().getFirst();
    }
    if (!format.apiVersions().contains(asked)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "api_version",
          asked,
          format.apiVersions().isEmpty()
              ? "none: " + format.wireName() + " has no versions"
              : Choices.inWords(format.apiVersions()));
    }
    return asked;
  }
}
