package dev.contexture.provider;

import dev.contexture.block.Binary;
import dev.contexture.block.CallId;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.prompt.SystemPart;
import dev.contexture.provider.anthropic.AnthropicFormat;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.provider.gemini.GeminiFormat;
import dev.contexture.provider.openai.ChatFormat;
import dev.contexture.provider.openai.ResponsesFormat;
import dev.contexture.provider.wire.BodyWriter;
import dev.contexture.render.Message;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.request.ToolDef;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Requests for tests, the golden one of P-12 among them. */
public final class Requests {
  public static final ModelRef CLAUDE = new ModelRef("anthropic", "claude-opus-5");
  public static final ModelRef GPT = new ModelRef("openai", "gpt-5.6-terra");
  public static final ModelRef GEMINI = new ModelRef("gemini", "gemini-3.5-flash");
  public static final ModelProfiles PROFILES = ModelCatalogue.shipped();

  private static final String CITY =
      "{\"type\": \"object\", \"properties\": {\"city\": {\"type\": \"string\"}},"
          + " \"required\": [\"city\"]}";

  private Requests() {}

  public static RequestInput golden(ModelRef model) {
    return RequestInput.builder(model, 1024)
        .system(
            List.of(
                SystemPart.of("You are Atlas, a travel assistant."),
                SystemPart.of("Answer in metric units.")))
        .tools(
            List.of(
                new ToolDef("get_weather", "Weather of a city.", CITY),
                new ToolDef("get_time", "Local time of a city.", CITY)))
        .messages(
            List.of(
                user(text("Weather and local time in Oslo?")),
                assistant(
                    text("Checking both."),
                    call("call_1", "get_weather", "{\"city\":\"Oslo\"}"),
                    call("call_2", "get_time", "{\"city\":\"Oslo\"}")),
                user(result("call_1", text("4 C, rain")), result("call_2", text("14:05"))),
                assistant(text("Oslo: 4 C, rain, 14:05.")),
                user(
                    new Part.Image("image/png", Binary.ofBase64("iVBORw0KGgo=")),
                    text("Is this the same place?"))))
        .points(List.of(new PointPlace(Point.PREV_TURN, 3, 0), new PointPlace(Point.TAIL, 4, 1)))
        .cacheKey("cx-7f3a91c2d4e5b608")
        .build();
  }

  public static RequestInput of(ModelRef model, Message... messages) {
    return RequestInput.builder(model, 100).messages(List.of(messages)).build();
  }

  public static ProviderRequest anthropic(RequestInput input) {
    return bareAnthropic().write(input);
  }

  public static ProviderRequest chat(RequestInput input) {
    return bareChat().write(input);
  }

  public static ProviderRequest responses(RequestInput input) {
    return bareResponses().write(input);
  }

  public static ProviderRequest gemini(RequestInput input) {
    return bareGemini().write(input);
  }

  /** Writers that judge nothing, so that parts of conversations can be written. */
  public static RequestWriter bareAnthropic() {
    return BodyWriter.series(new AnthropicFormat(), PROFILES);
  }

  public static RequestWriter bareChat() {
    return BodyWriter.series(new ChatFormat(), PROFILES);
  }

  public static RequestWriter bareResponses() {
    return BodyWriter.series(new ResponsesFormat(), PROFILES);
  }

  public static RequestWriter bareGemini() {
    return BodyWriter.series(new GeminiFormat(), PROFILES);
  }

  public static Message user(Part... parts) {
    return new Message(MessageRole.USER, List.of(parts));
  }

  public static Message assistant(Part... parts) {
    return new Message(MessageRole.ASSISTANT, List.of(parts));
  }

  public static Part text(String text) {
    return new Part.Text(text);
  }

  public static Part call(String id, String tool, String arguments) {
    return new Part.ToolCall(CallId.of(id), id, tool, arguments);
  }

  public static Part result(String id, Part... content) {
    return new Part.ToolResult(CallId.of(id), id, false, List.of(content));
  }

  /** A search that the provider runs itself. */
  public static Part search(String id) {
    String raw = "{\"type\":\"server_tool_use\",\"id\":\"" + id + "\",\"name\":\"web_search\",";
    return new Part.Opaque(
        "anthropic", CLAUDE.model(), "server_tool_use", raw + "\"input\":{\"query\":\"oslo\"}}");
  }

  /** What such a search found. */
  public static Part found(String id) {
    String raw = "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"" + id + "\",";
    return new Part.Opaque(
        "anthropic", CLAUDE.model(), "web_search_tool_result", raw + "\"content\":[]}");
  }

  public static Part failure(String id, Part... content) {
    return new Part.ToolResult(CallId.of(id), id, true, List.of(content));
  }

  /** The shipped catalogue, where every model has a flag more. */
  public static ModelProfiles profilesWith(ModelFlag flag) {
    return model -> with(PROFILES.profile(model), flag);
  }

  private static ModelProfile with(ModelProfile model, ModelFlag flag) {
    Set<ModelFlag> flags = new HashSet<>(model.flags());
    flags.add(flag);
    return new ModelProfile(
        model.provider(),
        model.id(),
        model.unknownModel(),
        model.apis(),
        model.contextWindow(),
        model.maxInputTokens(),
        model.maxOutput(),
        model.tokenizer(),
        model.cache(),
        flags,
        model.reads(),
        model.params(),
        model.prices(),
        model.sources());
  }
}
