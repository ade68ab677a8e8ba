package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonText;
import dev.contexture.model.ModelRef;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.provider.rules.Prover;
import dev.contexture.render.Message;
import dev.contexture.request.ProviderFormat;
import dev.contexture.request.ProviderRequest;
import dev.contexture.request.RequestInput;
import dev.contexture.seeds.TestSeed;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * P-17 and P-12 on random requests. {@code -Dcontexture.requests=10000} runs as many as the
 * specification asks for, {@code -Dcontexture.seed} starts elsewhere.
 */
class RandomRequestsTest {
  private static final int REQUESTS = TestSeed.tries(400);
  private static final long SEED = TestSeed.of(20261115L);
  private static final TestFormats FORMATS = TestFormats.of(ModelCatalogue.shipped());

  /** What stands for a signature that is lost: in base64, as the SDK reads it. */
  private static final String SENTINEL = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=";

  private static final Prover PROVER = Prover.of(ModelCatalogue.shipped());

  private static ModelRef model(ProviderFormat format) {
    return switch (format.name()) {
      case "anthropic-messages" -> Requests.CLAUDE;
      case "gemini-generate-content" -> Requests.GEMINI;
      default -> Requests.GPT;
    };
  }

  private static List<String> unknown(ProviderFormat format, String body) throws Exception {
    return switch (format.name()) {
      case "anthropic-messages" -> SdkTypes.unknownToAnthropic(body);
      case "openai-chat" -> SdkTypes.unknownToOpenAi(body);
      case "openai-responses" -> SdkTypes.unknownToResponses(body);
      default -> SdkTypes.unknownToGemini(body);
    };
  }

  @Test
  void areKnownToTheSdksAndTheProver() throws Exception {
    int refused = 0;
    for (int i = 0; i < REQUESTS; i++) {
      RandomRequests random = new RandomRequests(SEED + i);
      List<Message> messages = random.conversation();
      for (ProviderFormat format : FORMATS.all()) {
        RequestInput input = random.input(model(format), messages);
        if (isRefused(format, input)) {
          refused++;
          continue;
        }
        ProviderRequest request = format.write(input);
        String body = request.body().text();
        String name = format.name() + ", seed " + (SEED + i);
        assertThat(PROVER.check(TestFormats.wire(format.name()), model(format), body).valid())
            .as(name)
            .isTrue();
        assertThat(unknown(format, body)).as(name).isEmpty();
        assertThat(format.write(input)).as(name).isEqualTo(request);
      }
    }
    assertThat(refused).as("asked for what is not taken").isBetween(1, REQUESTS);
  }

  /** What is refused as a parameter is not sent; everything else is, repaired or as it is. */
  private static boolean isRefused(ProviderFormat format, RequestInput input) {
    try {
      format.checkParams(input);
      return false;
    } catch (ContextureException refused) {
      assertThat(refused.code()).isEqualTo(ErrorCode.PARAM_REJECTED);
      return true;
    }
  }

  /** P-17: no error is left, repairing again changes nothing, and the past stays as it is. */
  @Test
  void areRepairedForGood() {
    for (int i = 0; i < REQUESTS * 3; i++) {
      RandomRequests random = new RandomRequests(SEED + i);
      List<Message> messages = new ArrayList<>(random.broken(random.conversation()));
      messages.add(new Message(MessageRole.USER, List.of(new Part.Text("and now"))));
      List<Message> longer = new ArrayList<>(messages);
      longer.add(new Message(MessageRole.ASSISTANT, List.of(new Part.Text("this"))));
      longer.add(new Message(MessageRole.USER, List.of(new Part.Text("and then"))));
      for (ProviderFormat format : FORMATS.all()) {
        RequestInput input = Requests.of(model(format), messages.toArray(Message[]::new));
        RequestInput next = Requests.of(model(format), longer.toArray(Message[]::new));
        try {
          String body = format.write(input).body().text();
          assertThat(PROVER.check(TestFormats.wire(format.name()), model(format), body).valid())
              .isTrue();
          assertPrefix(format, body, format.write(next).body().text());
        } catch (ContextureException | AssertionError failed) {
          throw new AssertionError(format.name() + ", seed " + (SEED + i), failed);
        }
      }
    }
  }

  private static void assertPrefix(ProviderFormat format, String body, String next) {
    String member =
        switch (format.name()) {
          case "openai-responses" -> "input";
          case "gemini-generate-content" -> "contents";
          default -> "messages";
        };
    List<String> before = JsonText.items(JsonText.member(body, member).orElseThrow());
    List<String> after = JsonText.items(JsonText.member(next, member).orElseThrow());
    boolean signatures = body.contains(SENTINEL);
    if (!signatures) { // they are for the current turn alone
      assertThat(after).startsWith(before.toArray(String[]::new));
    }
  }
}
