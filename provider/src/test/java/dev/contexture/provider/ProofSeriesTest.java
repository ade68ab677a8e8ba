package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.model.ModelRef;
import dev.contexture.provider.prove.Proof;
import dev.contexture.provider.prove.ProofFacts;
import dev.contexture.provider.prove.Prover;
import dev.contexture.provider.request.Requests;
import dev.contexture.render.Message;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A proof that reads only what is new finds what a proof of the whole body finds. */
class ProofSeriesTest {
  private static final int CONVERSATIONS = Integer.getInteger("contexture.requests", 300);
  private static final long SEED = Long.getLong("contexture.seed", 20261115L);
  private static final Prover PROVER = Prover.of(Requests.PROFILES);
  private static final Map<String, ModelRef> FORMATS =
      Map.of(
          "anthropic-messages", Requests.CLAUDE,
          "openai-chat", Requests.GPT,
          "openai-responses", Requests.GPT,
          "gemini-generate-content", Requests.GEMINI);

  private static RequestWriter plainWriter(String format) {
    return switch (format) {
      case "anthropic-messages" -> Requests.bareAnthropic();
      case "openai-chat" -> Requests.bareChat();
      case "openai-responses" -> Requests.bareResponses();
      default -> Requests.bareGemini();
    };
  }

  @Test
  void findsTheSame() {
    int broken = 0;
    for (int i = 0; i < CONVERSATIONS; i++) {
      long seed = SEED + i;
      for (Map.Entry<String, ModelRef> format : FORMATS.entrySet()) {
        broken += compare(format.getKey(), format.getValue(), seed);
      }
    }
    assertThat(broken).as("bodies with something wrong").isGreaterThan(CONVERSATIONS);
  }

  private static int compare(String format, ModelRef model, long seed) {
    Random random = new Random(seed);
    RandomRequests requests = new RandomRequests(seed);
    RequestWriter writer = plainWriter(format);
    Prover.Series series = PROVER.series(format);
    List<Message> messages = new ArrayList<>(requests.conversation());
    int broken = 0;
    for (int step = 0; step < 8; step++) {
      List<Message> next = new ArrayList<>(messages);
      next.addAll(requests.conversation());
      boolean breaks = random.nextInt(3) == 0;
      List<Message> sent = breaks ? requests.broken(next) : next;
      messages = random.nextInt(3) == 0 ? sent : next;
      List<byte[]> pieces = writer.write(input(model, sent, random)).body().pieces();
      Proof whole = PROVER.check(format, model, text(pieces));
      Proof newer = series.check(model, torn(pieces, random), ProofFacts.NONE);
      String name = format + ", seed " + seed + ", step " + step;
      assertThat(newer.violations()).as(name).isEqualTo(whole.violations());
      broken += whole.violations().isEmpty() ? 0 : 1;
    }
    return broken;
  }

  private static RequestInput input(ModelRef model, List<Message> messages, Random random) {
    List<PointPlace> points = new ArrayList<>();
    if (!messages.isEmpty()) {
      points.add(new PointPlace(Point.PRE_TAIL, random.nextInt(messages.size()), 0));
      points.add(new PointPlace(Point.TAIL, messages.size() - 1, 0));
    }
    return Requests.of(model, messages.toArray(Message[]::new)).toBuilder().points(points).build();
  }

  private static String text(List<byte[]> pieces) {
    StringBuilder text = new StringBuilder();
    pieces.forEach(piece -> text.append(new String(piece, StandardCharsets.UTF_8)));
    return text.toString();
  }

  /** The same bytes, in other pieces now and then. */
  private static List<byte[]> torn(List<byte[]> pieces, Random random) {
    List<byte[]> torn = new ArrayList<>();
    for (byte[] piece : pieces) {
      int cut = random.nextInt(50) == 0 ? random.nextInt(piece.length + 1) : piece.length;
      torn.add(Arrays.copyOfRange(piece, 0, cut));
      if (cut < piece.length) {
        torn.add(Arrays.copyOfRange(piece, cut, piece.length));
      }
    }
    return torn;
  }
}
