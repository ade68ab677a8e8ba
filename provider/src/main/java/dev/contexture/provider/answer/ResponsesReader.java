package dev.contexture.provider.answer;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import java.util.ArrayList;
import java.util.List;

/** Reads OpenAI Responses. */
final class ResponsesReader implements AnswerReader {
  @Override
  public ModelAnswer read(byte[] answer, ModelRef model) {
    if (answer.length > MAX_ANSWER_BYTES) {
      throw AnswerException.tooLarge(model.provider(), "the answer", MAX_ANSWER_BYTES, "bytes");
    }
    AnswerJson json = new AnswerJson(model.provider());
    String text = json.whole(answer);
    JsonObject body = json.object(text);
    ErrorBody.refuse(model.provider(), body);
    if (body.string("status").orElse("").equals("failed")) {
      throw AnswerException.error(model.provider(), "failed", null);
    }
    json.array(body, "output", "/output");
    ReplyBuilder reply = new ReplyBuilder(model);
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
    ResponsesStop stop = ResponsesStop.of(body);
    ResponsesParts parts = new ResponsesParts(json, reply, stop.byLimit());
    for (int i = 0; i < items.size(); i++) {
      parts.add(i, items.get(i));
    }
    reply.usage(UsageCounts.responses(body.object("usage").orElse(null), reply));
    return stop.end(reply, parts.declined());
  }

  @Override
  public AnswerStream open(ModelRef model) {
    return new ResponsesStream(model);
  }
}
