package dev.contexture.provider.answer;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;

/** Reads OpenAI Chat Completions. */
final class ChatReader implements AnswerReader {
  @Override
  public ModelAnswer read(byte[] answer, ModelRef model) {
    if (answer.length > MAX_ANSWER_BYTES) {
      throw AnswerException.tooLarge(model.provider(), "the answer", MAX_ANSWER_BYTES, "bytes");
    }
    AnswerJson json = new AnswerJson(model.provider());
    String text = json.whole(answer);
    JsonObject body = json.object(text);
    ErrorBody.refuse(model.provider(), body);
    JsonArray choices = json.array(body, "choices", "/choices");
    if (choices.isEmpty()) {
      throw AnswerException.malformed(
          model.provider(), "/choices/0/message", "an object", "nothing");
    }
    JsonObject choice = json.asObject(choices.items().get(0), "/choices/0");
    json.object(choice, "message", "/choices/0/message");
    ReplyBuilder reply = new ReplyBuilder(model);
    reply.identify(body.string("id").orElse(null), body.string("model").orElse(null));
    if (choices.size() > 1) {
      reply.finding(
          ChatStop.MORE_CHOICES,
          "/choices/1",
          (choices.size() - 1) + " more choices were left out");
    }
    ChatStop stop = new ChatStop(choice.string("finish_reason").orElse(null));
    new ChatParts(json, reply, stop).add(message(text), null);
    reply.usage(UsageCounts.chat(body.object("usage").orElse(null), reply));
    return stop.end(reply, null);
  }

  private static String message(String text) {
    String choices = JsonText.member(text, "choices").orElseThrow();
    String first = JsonText.items(choices).get(0);
    return JsonText.minify(JsonText.member(first, "message").orElseThrow());
  }

  @Override
  public AnswerStream open(ModelRef model) {
    return new ChatStream(model);
  }
}
