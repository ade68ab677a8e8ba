package dev.contexture.provider;

import com.anthropic.models.messages.MessageCreateParams;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.google.genai.JsonSerializable;
import com.google.genai.types.Content;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.GenerationConfig;
import com.google.genai.types.Tool;
import com.google.genai.types.ToolConfig;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.ResponseCreateParams;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads JSON with the types of the official SDKs and finds what those do not know (P-12). */
public final class SdkTypes {
  private static final ObjectMapper STRICT =
      JsonSerializable.objectMapper()
          .copy()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private SdkTypes() {}

  /** The text at a JSON Pointer. */
  public static String text(String body, String pointer) throws Exception {
    return STRICT.readTree(body).at(pointer).asText();
  }

  /** What the SDK of a provider does not know. */
  public static List<String> unknown(String provider, String body) throws Exception {
    return switch (provider) {
      case "anthropic" -> unknownToAnthropic(body);
      case "openai_chat" -> unknownToOpenAi(body);
      case "openai_responses" -> unknownToResponses(body);
      default -> unknownToGemini(body);
    };
  }

  public static List<String> unknownToAnthropic(String body) throws Exception {
    return unknown(anthropic(body, MessageCreateParams.Body.class).validate());
  }

  public static List<String> unknownToOpenAi(String body) throws Exception {
    return unknown(openAi(body, ChatCompletionCreateParams.Body.class).validate());
  }

  public static List<String> unknownToResponses(String body) throws Exception {
    return unknown(openAi(body, ResponseCreateParams.Body.class).validate());
  }

  /**
   * The types of Google's SDK refuse members that they do not know, so that reading is the check.
   * They have no type for a whole body: its members are those of a configuration.
   */
  public static List<String> unknownToGemini(String body) throws Exception {
    List<String> unknown = new ArrayList<>();
    JsonNode json = STRICT.readTree(body);
    for (var member : json.properties()) {
      switch (member.getKey()) {
        case "contents" -> {
          for (JsonNode content : member.getValue()) {
            read(content, Content.class, unknown);
          }
        }
        case "systemInstruction" -> read(member.getValue(), Content.class, unknown);
        case "generationConfig" -> read(member.getValue(), GenerationConfig.class, unknown);
        case "toolConfig" -> read(member.getValue(), ToolConfig.class, unknown);
        case "tools" -> {
          for (JsonNode tool : member.getValue()) {
            read(tool, Tool.class, unknown);
          }
        }
        case "safetySettings" -> {}
        case "cachedContent" ->
            read(
                STRICT.createObjectNode().set("cachedContent", member.getValue()),
                GenerateContentConfig.class,
                unknown);
        default -> unknown.add(member.getKey());
      }
    }
    return unknown;
  }

  public static List<String> unknownToGeminiAnswer(String answer) throws Exception {
    List<String> unknown = new ArrayList<>();
    read(STRICT.readTree(answer), GenerateContentResponse.class, unknown);
    return unknown;
  }

  /** What the type writes again must be all that was read. */
  private static void read(JsonNode json, Class<?> type, List<String> unknown) throws Exception {
    Object value;
    try {
      value = STRICT.treeToValue(json, type);
    } catch (UnrecognizedPropertyException refused) {
      unknown.add(type.getSimpleName() + " " + refused.getPropertyName());
      return;
    }
    JsonNode again = STRICT.readTree(STRICT.writeValueAsString(value));
    if (!again.equals(json)) {
      unknown.add(type.getSimpleName() + " reads " + json + " as " + again);
    }
  }

  public static <T> T anthropic(String json, Class<T> type) throws Exception {
    return com.anthropic.core.ObjectMappers.jsonMapper().readValue(json, type);
  }

  public static <T> T openAi(String json, Class<T> type) throws Exception {
    return com.openai.core.ObjectMappers.jsonMapper().readValue(json, type);
  }

  /** The members that no type of the SDK has a field for. */
  public static List<String> unknown(Object sdkValue) throws Exception {
    List<String> found = new ArrayList<>();
    walk(sdkValue, new IdentityHashMap<>(), found);
    return found;
  }

  private static void walk(Object value, IdentityHashMap<Object, Boolean> seen, List<String> found)
      throws Exception {
    if (seen.put(value, true) != null) {
      return;
    }
    switch (value) {
      case Collection<?> items -> {
        for (Object item : items) {
          walk(item, seen, found);
        }
      }
      case Optional<?> item when item.isPresent() -> walk(item.get(), seen, found);
      default -> {
        String type = value.getClass().getName();
        if (type.startsWith("com.anthropic.") || type.startsWith("com.openai.")) {
          fields(value, seen, found);
        }
      }
    }
  }

  private static void fields(
      Object value, IdentityHashMap<Object, Boolean> seen, List<String> found) throws Exception {
    List<Field> fields = new ArrayList<>();
    for (Field field : value.getClass().getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        fields.add(field);
      }
    }
    boolean freeForm = fields.stream().noneMatch(field -> isMember(field));
    for (Field field : fields) {
      Object inner = field.get(value);
      if (field.getName().equals("additionalProperties")) {
        if (!freeForm && !((Map<?, ?>) inner).isEmpty()) {
          found.add(value.getClass().getSimpleName() + " " + inner);
        }
      } else if (inner != null) {
        walk(inner, seen, found);
      }
    }
  }

  /** Types without any member of their own, such as arguments and schemas, take everything. */
  private static boolean isMember(Field field) {
    return !List.of("additionalProperties", "validated", "hashCode$delegate")
        .contains(field.getName());
  }
}
