package dev.contexture.provider.openai;

import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerException;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Stop;
import dev.contexture.provider.wire.answer.ErrorBody;
import dev.contexture.provider.wire.answer.EventAnswerStream;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the events of OpenAI Responses. Confined to one thread. */
final class ResponsesStream extends EventAnswerStream {
  private static final String PREFIX = "response.";

  private final Map<Integer, ResponsesItem> items = new TreeMap<>();
  private JsonObject started = JsonObject.EMPTY;
  private @Nullable JsonObject response; // once it has ended
  private List<String> output = List.of();

  ResponsesStream(ModelRef model) {
    super(model);
  }

  @Override
  protected void data(String text) {
    JsonObject event = json.object(text);
    String type = event.string("type").orElse("");
    switch (type) {
      case "response.created", "response.in_progress", "response.queued" ->
          started = event.object("response").orElse(started);
      case "response.output_item.added" -> opened(event);
      case "response.output_text.delta" -> openAt(event).growContent("output_text", "text", event);
      case "response.refusal.delta" -> openAt(event).growContent("refusal", "refusal", event);
      case "response.function_call_arguments.delta" -> openAt(event).growArguments(event);
      case "response.output_item.done" -> done(event, text);
      case "response.completed", "response.incomplete" -> end(event, text);
      case "response.failed" ->
          fail(event.object("response").flatMap(ErrorBody::in).orElse(JsonObject.EMPTY));
      case "error" -> fail(ErrorBody.in(event).orElse(event.without("type")));
      case "ping" -> {}
      default -> other(type);
    }
  }

  /** Other events repeat what the items say when they are done. */
  private void other(String type) {
    if (!type.startsWith(PREFIX)) {
      String name = type.isEmpty() ? "without type" : type;
      finding("event_unknown", "/type", "an event of type " + name + " was skipped");
    }
  }

  private void opened(JsonObject event) {
    JsonObject item = json.object(event, "item", "/item");
    json.name(item, "type", "/item/type");
    int index = index(event);
    if (items.putIfAbsent(index, new ResponsesItem(item, json)) != null) {
      throw AnswerException.malformed(
          json.provider(), "/output_index", "a new item", "item " + index + " a second time");
    }
  }

  private ResponsesItem openAt(JsonObject event) {
    int index = index(event);
    ResponsesItem item = items.get(index);
    if (item == null || item.whole() != null) {
      throw AnswerException.malformed(
          json.provider(),
          "/output_index",
          "an item that is open",
          "item " + index + ", which is not");
    }
    return item;
  }

  private void done(JsonObject event, String text) {
    JsonObject item = json.object(event, "item", "/item");
    items
        .computeIfAbsent(index(event), unused -> new ResponsesItem(item, json))
        .done(JsonText.minify(JsonText.member(text, "item").orElseThrow()));
  }

  private int index(JsonObject event) {
    JsonValue index = event.members().get("output_index");
    if (index instanceof JsonNumber number) {
      long value = number.asLong().orElse(-1);
      if (value >= 0 && value <= Integer.MAX_VALUE) {
        return (int) value;
      }
    }
    throw json.wrongType("/output_index", "a number from 0", index);
  }

  private void end(JsonObject event, String text) {
    response = json.object(event, "response", "/response");
    output = ResponsesReader.items(JsonText.member(text, "response").orElseThrow());
    finish();
  }

  @Override
  protected ModelAnswer reply(@Nullable Cut how) {
    ReplyBuilder reply = new ReplyBuilder(model);
    reply.findings(findings);
    JsonObject ended = response;
    if (ended != null && how == null) {
      return ResponsesReader.read(ended, outputOrDone(), json, reply);
    }
    reply.identify(started.string("id").orElse(null), started.string("model").orElse(null));
    ResponsesParts parts = new ResponsesParts(json, reply, false);
    items.forEach(
        (index, item) -> {
          String whole = item.whole();
          if (whole == null) {
            parts.addOpen(index, item.soFar());
          } else {
            parts.add(index, whole);
          }
        });
    reply.usage(ChatReader.usage(started.object("usage").orElse(null), "input", "output", reply));
    return reply.build(Stop.OTHER, how);
  }

  /** The items of the ended response; done items stand in for those it lacks. */
  private List<String> outputOrDone() {
    List<String> all = new ArrayList<>(output);
    items.forEach(
        (index, item) -> {
          String whole = item.whole();
          if (whole != null && index >= output.size()) {
            all.add(whole);
          }
        });
    return all;
  }
}
