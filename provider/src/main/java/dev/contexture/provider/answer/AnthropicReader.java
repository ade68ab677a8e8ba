package dev.contexture.provider.answer;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Stop;
import java.util.List;

/** Reads Anthropic Messages. */
final class AnthropicReader implements AnswerReader {
  @Override
  public ModelAnswer read(byte[] answer, ModelRef model) {
    if (answer.length > MAX_ANSWER_BYTES) {
      throw AnswerException.tooLarge(model.provider(), "the answer", MAX_ANSWER_BYTES, "bytes");
    }
    AnswerJson json = new AnswerJson(model.provider());
    String text = json.whole(answer);
    JsonObject body = json.object(text);
    ErrorBody.refuse(model.provider(), body);
    json.array(body, "content", "/content");
    ReplyBuilder reply = new ReplyBuilder(model);
    reply.identify(body.string("id").orElse(null), body.string("model").orElse(null));
    reply.stopWords(AnthropicStop.words(body));
    Stop stop = AnthropicStop.of(body);
    AnthropicParts parts = new AnthropicParts(json, reply, stop);
    List<String> raws = JsonText.items(JsonText.member(text, "content").orElseThrow());
    for (int i = 0; i < raws.size(); i++) {
      parts.add(i, JsonText.minify(raws.get(i)), true);
    }
    reply.usage(UsageCounts.anthropic(body.object("usage").orElse(null)));
    return reply.build(stop, null);
  }

  @Override
  public AnswerStream open(ModelRef model) {
    return new AnthropicStream(model);
  }
}
