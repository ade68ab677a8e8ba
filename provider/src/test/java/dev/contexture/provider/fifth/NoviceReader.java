package dev.contexture.provider.fifth;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.provider.wire.answer.EventAnswerStream;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import org.jspecify.annotations.Nullable;

/** Reads answers of the provider that does not exist. */
final class NoviceReader extends AnswerReader {
  @Override
  protected ModelAnswer read(String text, JsonObject body, AnswerJson json, ReplyBuilder reply) {
    int order = 0;
    for (JsonValue value : json.array(body, "said", "/said").items()) {
      JsonObject part = json.asObject(value, "/said/" + order);
      if (part.has("ask")) {
        String arguments = json.object(part, "with", "/with").toJson();
        reply.call(order, json.name(part, "ticket", ""), json.name(part, "ask", ""), arguments);
      } else {
        reply.text(order, json.string(part, "words", ""));
      }
      order++;
    }
    long in = AnswerJson.count(body, "in");
    reply.usage(new Usage(0, 0, 0, 0, in, AnswerJson.count(body, "out")));
    return reply.build(body.isTrue("done") ? Stop.END : Stop.MAX_TOKENS, null);
  }

  @Override
  public AnswerStream open(ModelRef model) {
    return new EventAnswerStream(model) {
      private final StringBuilder words = new StringBuilder();

      @Override
      protected void data(String text) {
        JsonObject event = json.object(text);
        words.append(event.string("words").orElse(""));
        if (event.isTrue("done")) {
          finish();
        }
      }

      @Override
      protected ModelAnswer reply(@Nullable Cut how) {
        ReplyBuilder reply = new ReplyBuilder(model);
        reply.text(0, words.toString());
        return reply.build(Stop.END, how);
      }
    };
  }
}
