package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.Message;
import dev.contexture.request.ProviderFormat;
import dev.contexture.request.ReplyParts;
import dev.contexture.request.RequestInput;
import dev.contexture.testkit.AnswerArbitraries;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** P-83: the next request gives the provider its own parts back, unchanged. */
class RoundTripProperties {
  private static final TestFormats FORMATS = TestFormats.of(ModelCatalogue.shipped());
  private static final ProviderFormat CHAT = FORMATS.named("openai-chat").orElseThrow();

  @Property(tries = 1000)
  void anthropicGetsItsPartsBack(
      @ForAll("anthropicContents") List<JsonObject> content,
      @ForAll("spellings") Spelling spelling) {
    String answer =
        spelling.spell(
            JsonObject.builder()
                .put("model", "claude-opus-5-20260501")
                .put("content", new JsonArray(List.copyOf(content)))
                .put("stop_reason", "end_turn")
                .build());
    ModelAnswer reply = FORMATS.forModel(Requests.CLAUDE).readAnswer(answer, Requests.CLAUDE);
    String body = nextRequest(reply, Requests.CLAUDE);

    List<String> received = JsonText.items(JsonText.member(answer, "content").orElseThrow());
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < received.size(); i++) {
      if (!isBlank(reply, i)) {
        expected.add(received.get(i));
      }
    }
    List<String> sent = assistant(body, "content");
    assertThat(sent).hasSameSizeAs(expected);
    for (int i = 0; i < sent.size(); i++) {
      JsonObject part = (JsonObject) JsonValue.parse(expected.get(i));
      assertThat(bare(JsonValue.parse(sent.get(i)))).isEqualTo(bare(part));
      if (!part.string("type").orElse("").equals("text")) {
        assertThat(sent.get(i)).isEqualTo(JsonText.minify(expected.get(i)));
      }
    }
    assertThat(results(body, "tool_use_id")).isEqualTo(ids(reply));
  }

  @Property(tries = 1000)
  void openAiGetsItsPartsBack(
      @ForAll("chatMessages") JsonObject message, @ForAll("spellings") Spelling spelling) {
    JsonObject choice = JsonObject.builder().put("index", 0).put("message", message).build();
    String answer =
        spelling.spell(
            JsonObject.builder()
                .put("model", "gpt-5.6-terra")
                .put("choices", JsonArray.of(choice))
                .build());
    ModelAnswer reply = CHAT.readAnswer(answer, Requests.GPT);
    String body = nextRequest(reply, Requests.GPT);

    List<String> said =
        Stream.of("content", "refusal")
            .flatMap(member -> message.string(member).stream())
            .filter(text -> !text.isBlank())
            .toList();
    assertThat(assistant(body, "content"))
        .extracting(part -> ((JsonObject) JsonValue.parse(part)).string("text").orElseThrow())
        .isEqualTo(said);
    List<JsonValue> calls = message.array("tool_calls").map(JsonArray::items).orElse(List.of());
    List<String> sent = assistant(body, "tool_calls");
    assertThat(sent.stream().map(JsonValue::parse).toList()).isEqualTo(calls);
    assertThat(results(body, "tool_call_id")).isEqualTo(ids(reply));
  }

  /** What only the maker reads never reaches another provider, and the rest still does. */
  @Property(tries = 200)
  void anotherProviderGetsTheNeutralParts(@ForAll("anthropicContents") List<JsonObject> content)
      throws Exception {
    JsonObject answer =
        JsonObject.builder().put("content", new JsonArray(List.copyOf(content))).build();
    ModelAnswer reply =
        FORMATS.forModel(Requests.CLAUDE).readAnswer(answer.toJson(), Requests.CLAUDE);
    List<Part> parts = ReplyParts.of(Requests.CLAUDE, name -> name).parts(reply);
    String body = CHAT.write(conversation(parts, Requests.GPT)).body().text();
    assertThat(body).doesNotContain("signature", "server_novelty", "cited_text");
    assertThat(SdkTypes.unknownToOpenAi(body)).isEmpty();
    assertThat(assistant(body, "tool_calls")).hasSize(reply.calls().size());
  }

  private static String nextRequest(ModelAnswer reply, ModelRef model) {
    ProviderFormat format = model.equals(Requests.GPT) ? CHAT : FORMATS.forModel(model);
    List<Part> parts = ReplyParts.of(model, name -> name).parts(reply);
    return format.write(conversation(parts, model)).body().text();
  }

  private static RequestInput conversation(List<Part> said, ModelRef model) {
    List<Part> answers = new ArrayList<>();
    for (Part part : said) {
      if (part instanceof Part.ToolCall call) {
        answers.add(
            new Part.ToolResult(
                call.id(), call.providerId().orElse(null), false, List.of(new Part.Text("ok"))));
      }
    }
    answers.add(new Part.Text("go on"));
    return RequestInput.builder(model, 100)
        .messages(
            List.of(
                Requests.user(Requests.text("hi")),
                new Message(MessageRole.ASSISTANT, said),
                new Message(MessageRole.USER, answers)))
        .build();
  }

  /** The items of an array of the assistant's message; none if it has no such array. */
  private static List<String> assistant(String body, String member) {
    for (String message : JsonText.items(JsonText.member(body, "messages").orElseThrow())) {
      if (JsonText.member(message, "role").orElse("").equals("\"assistant\"")) {
        return JsonText.items(JsonText.member(message, member).orElse("[]"));
      }
    }
    return List.of();
  }

  private static List<String> results(String body, String key) {
    List<String> ids = new ArrayList<>();
    collect(JsonValue.parse(body), key, ids);
    return ids;
  }

  private static void collect(JsonValue value, String key, List<String> ids) {
    if (value instanceof JsonObject object) {
      object.string(key).ifPresent(ids::add);
      object.members().values().forEach(inner -> collect(inner, key, ids));
    } else if (value instanceof JsonArray array) {
      array.items().forEach(inner -> collect(inner, key, ids));
    }
  }

  private static List<String> ids(ModelAnswer reply) {
    return reply.calls().stream().map(call -> call.providerId().orElseThrow()).toList();
  }

  private static boolean isBlank(ModelAnswer reply, int order) {
    return reply.opaque().stream()
        .anyMatch(part -> part.order() == order && part.kind().equals(ReplyOpaque.BLANK));
  }

  /** A part without null members and empty arrays (P-76). */
  private static JsonObject bare(JsonValue part) {
    JsonObject.Builder kept = JsonObject.builder();
    ((JsonObject) part)
        .members()
        .forEach(
            (key, value) -> {
              if (value != JsonNull.NULL && !value.equals(JsonArray.of())) {
                kept.put(key, value);
              }
            });
    return kept.build();
  }

  /** Ways to print the same JSON. */
  enum Spelling {
    COMPACT,
    PRETTY,
    ESCAPED;

    String spell(JsonValue value) {
      return switch (this) {
        case COMPACT -> value.toJson();
        case PRETTY -> value.toPrettyJson();
        case ESCAPED -> escaped(value.toJson());
      };
    }

    private static String escaped(String json) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < json.length(); i++) {
        char c = json.charAt(i);
        text.append(c < 0x7f ? String.valueOf(c) : String.format("\\u%04x", (int) c));
      }
      return text.toString();
    }
  }

  @Provide
  Arbitrary<Spelling> spellings() {
    return Arbitraries.of(Spelling.values());
  }

  @Provide
  Arbitrary<List<JsonObject>> anthropicContents() {
    return AnswerArbitraries.anthropicContent();
  }

  @Provide
  Arbitrary<JsonObject> chatMessages() {
    return AnswerArbitraries.chatMessage();
  }
}
