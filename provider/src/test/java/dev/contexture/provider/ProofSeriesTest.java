package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestRule;
import dev.contexture.model.RequestViolation;
import dev.contexture.provider.rules.Proof;
import dev.contexture.provider.rules.Prover;
import dev.contexture.provider.wire.ProofFacts;
import dev.contexture.render.Message;
import dev.contexture.request.Point;
import dev.contexture.request.PointPlace;
import dev.contexture.request.RequestInput;
import dev.contexture.request.RequestWriter;
import dev.contexture.seeds.TestSeed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A proof that reads only what is new finds what a proof of the whole body finds. */
class ProofSeriesTest {
  private static final int CONVERSATIONS = TestSeed.tries(300);
  private static final long SEED = TestSeed.of(20261115L);
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
    Prover.Series series = PROVER.series(TestFormats.wire(format));
    List<Message> messages = new ArrayList<>(requests.conversation());
    int broken = 0;
    for (int step = 0; step < 8; step++) {
      List<Message> next = new ArrayList<>(messages);
      next.addAll(requests.conversation());
      boolean breaks = random.nextInt(3) == 0;
      List<Message> sent = breaks ? requests.broken(next) : next;
      messages = random.nextInt(3) == 0 ? sent : next;
      List<byte[]> pieces = writer.write(input(model, sent, random)).body().pieces();
      Proof whole = PROVER.check(TestFormats.wire(format), model, text(pieces));
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

  /** What only earlier messages tell is remembered, though they are not judged again. */
  @Test
  void remembersWhatCameBefore() {
    assertThat(found(round("c9", "", ""))).isEmpty();
    assertThat(found(round("c1", "", ""))).containsExactly(RequestRule.V10);
    assertThat(found(round("c9", "1h", ""))).containsExactly(RequestRule.V22);
    assertThat(found(round("c9", "5m", "5m") + round("c10", "5m", "5m")))
        .containsExactly(RequestRule.V20);
    assertThat(found("{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]},"))
        .containsExactly(RequestRule.V05);
  }

  /** The rules that a body breaks which adds messages to one that is in order. */
  private static List<RequestRule> found(String more) {
    String head =
        "{\"model\":\"claude-opus-5\",\"max_tokens\":9,\"tools\":[{\"name\":\"f\","
            + "\"input_schema\":{\"type\":\"object\"}}],\"messages\":["
            + "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"q\"}]},";
    String past = round("c1", "", "5m") + round("c2", "", "") + round("c3", "", "");
    Prover.Series series = PROVER.series(TestFormats.wire("anthropic-messages"));
    assertThat(check(series, List.of(head, past)).violations()).isEmpty();
    Proof proof = check(series, List.of(head, past, more));
    Proof whole =
        check(PROVER.series(TestFormats.wire("anthropic-messages")), List.of(head, past, more));
    assertThat(proof.violations()).isEqualTo(whole.violations());
    return proof.violations().stream().map(RequestViolation::rule).toList();
  }

  private static Proof check(Prover.Series series, List<String> pieces) {
    List<byte[]> bytes = new ArrayList<>();
    for (String piece : pieces) { // the comma behind each but the last is a piece of its own
      bytes.add(piece.substring(0, piece.length() - 1).getBytes(StandardCharsets.UTF_8));
      bytes.add(",".getBytes(StandardCharsets.UTF_8));
    }
    bytes.set(bytes.size() - 1, "]}".getBytes(StandardCharsets.UTF_8));
    return series.check(Requests.CLAUDE, bytes, ProofFacts.NONE);
  }

  private static String round(String id, String callLife, String resultLife) {
    return "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\""
        + id
        + "\",\"name\":\"f\",\"input\":{}"
        + mark(callLife)
        + "}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\""
        + id
        + "\",\"content\":[{\"type\":\"text\",\"text\":\"r\"}]"
        + mark(resultLife)
        + "}]},";
  }

  private static String mark(String life) {
    return life.isEmpty()
        ? ""
        : ",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"" + life + "\"}";
  }
}
