package dev.contexture.provider.openai;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Stop;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.ArrayList;
import java.util.List;

/** Reads OpenAI Responses. */
final class ResponsesReader extends AnswerReader {
  @Override
  protected ModelAnswer read(String text, JsonObject body, AnswerJson json, ReplyBuilder reply) {
    if (body.string("status").orElse("").equals("failed")) {
      throw AnswerException.error(json.provider(), "failed", null);
    }
    json.array(body, "output", "/output");
    return read(body, items(text), json, reply);
  }

  /** The items of an answer, without white space. */
  static List<String> items(String answer) {
    List<String> items = new ArrayList<>();
    for (String item : JsonText.items(JsonText.member(answer, "output").orElse("[]"))) {
      items.add(JsonText.minify(item));
    }
    return items;
  }

  /** A response that has ended, with these items. */
  static ModelAnswer read(
      JsonObject body, List<String> items, AnswerJson json, ReplyBuilder reply) {
    reply.identify(body.string("id").orElse(null), body.string("model").orElse(null));
    String status = body.string("status").orElse("");
    String reason =
        body.object("incomplete_details").flatMap(details -> details.string("reason")).orElse("");
    Stop stop = stop(status, reason);
    ResponsesParts parts = new ResponsesParts(json, reply, stop == Stop.MAX_TOKENS);
    for (int i = 0; i < items.size(); i++) {
      parts.add(i, items.get(i));
    }
    reply.usage(ChatReader.usage(body.object("usage").orElse(null), "input", "output", reply));
    String words = reason.isEmpty() ? status : status + " " + reason;
    reply.stopWords(words.isEmpty() ? null : words);
    return reply.build(reply.declined(stop), null);
  }

  /** Why a response ended. */
  private static Stop stop(String status, String reason) {
    return switch (status) {
      case "completed" -> Stop.END;
      case "incomplete" ->
          switch (reason) {
            case "max_output_tokens" -> Stop.MAX_TOKENS;
            case "content_filter" -> Stop.CONTENT_FILTER;
            default -> Stop.OTHER;
          };
      default -> Stop.OTHER;
    };
  }

  @Override
  public AnswerStream open(ModelRef model) {
    return new ResponsesStream(model);
  }
}
