package dev.contexture.provider.openai;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Stop;
import dev.contexture.model.Usage;
import dev.contexture.provider.wire.answer.AnswerJson;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.provider.wire.answer.ReplyBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads OpenAI Chat Completions. */
final class ChatReader extends AnswerReader {
  @Override
  protected ModelAnswer read(String text, JsonObject body, AnswerJson json, ReplyBuilder reply) {
    JsonArray choices = json.array(body, "choices", "/choices");
    if (choices.isEmpty()) {
      throw AnswerException.malformed(
          json.provider(), "/choices/0/message", "an object", "nothing");
    }
    JsonObject choice = json.asObject(choices.items().get(0), "/choices/0");
    json.object(choice, "message", "/choices/0/message");
    reply.identify(body.string("id").orElse(null), body.string("model").orElse(null));
    if (choices.size() > 1) {
      String more = (choices.size() - 1) + " more choices were left out";
      reply.finding(ReplyBuilder.MORE_CHOICES, "/choices/1", more);
      List<String> all = JsonText.items(JsonText.member(text, "choices").orElseThrow());
      for (String further : all.subList(1, all.size())) {
        reply.choice(JsonText.minify(JsonText.member(further, "message").orElse(further)));
      }
    }
    String reason = choice.string("finish_reason").orElse(null);
    new ChatParts(json, reply, stop(reason)).add(message(text), null);
    reply.usage(usage(body.object("usage").orElse(null), "prompt", "completion", reply));
    return end(reply, reason, null);
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

  /** Why an answer ended. */
  static Stop stop(@Nullable String reason) {
    return switch (reason == null ? "" : reason) {
      case "stop" -> Stop.END;
      case "tool_calls" -> Stop.TOOL_USE;
      case "length" -> Stop.MAX_TOKENS;
      case "content_filter" -> Stop.CONTENT_FILTER;
      default -> Stop.OTHER;
    };
  }

  /** The reply; an end that only declines is a refusal. */
  static ModelAnswer end(ReplyBuilder reply, @Nullable String reason, @Nullable Cut cut) {
    reply.stopWords(reason);
    return reply.build(reply.declined(stop(reason)), cut);
  }

  /**
   * Cached input is counted inside that of the prompt.
   *
   * @param input what the format calls input
   * @param output what it calls output
   */
  static @Nullable Usage usage(
      @Nullable JsonObject usage, String input, String output, ReplyBuilder reply) {
    if (usage == null) {
      return null;
    }
    String prompt = input + "_tokens";
    JsonObject details = usage.object(prompt + "_details").orElse(JsonObject.EMPTY);
    long read = AnswerJson.count(details, "cached_tokens");
    long write = AnswerJson.count(details, "cache_write_tokens");
    long counted = AnswerJson.count(usage, prompt) - read - write;
    long uncached = reply.uncached(counted, "/usage/" + prompt);
    return new Usage(read, 0, 0, write, uncached, AnswerJson.count(usage, output + "_tokens"));
  }
}
