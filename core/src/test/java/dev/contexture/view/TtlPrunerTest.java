package dev.contexture.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Author;
import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.timeline.Visibility;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The pruning of V5: ttl 300, buffer 10 (T-51 to T-57). */
class TtlPrunerTest {
  private static final PruneSettings SETTINGS = PruneSettings.DISABLED.ttl(300);
  private static final Instant TOUCH = Chat.START;
  private static final Instant EXPIRED = TOUCH.plusSeconds(290);

  /** A PNG header of 250 x 300 pixels, which costs 100. */
  private static Binary picture() {
    byte[] png = new byte[24];
    byte[] start = {(byte) 0x89, 'P', 'N', 'G'};
    System.arraycopy(start, 0, png, 0, 4);
    png[19] = (byte) 250;
    png[22] = 1;
    png[23] = 44;
    return Binary.of(png);
  }

  /** Turns of header, prompt, search call, search result, image and completion. */
  private static Timeline turns(int count) {
    Chat chat = new Chat();
    for (int i = 1; i <= count; i++) {
      String turn = "t" + i;
      chat.turn(turn).prompt("prompt").call("tc_1", "web_tools.web_search", "{\"q\":1}");
      chat.result("tc_1", "{\"result\":[1,2]}");
      chat.add(
          Block.builder(BlockType.USER_ATTACHMENT)
              .author(Author.USER)
              .path(BlockPath.parse("fi:" + turn + ".user.attachments/a.png"))
              .mime("image/png")
              .data(picture()));
      chat.completion("answer");
    }
    return chat.timeline();
  }

  private static Emitter emitter(long cost) {
    return new Emitter(Dialect.TRANSCRIPT, Reader.ANY, CostCounter.meter(cost));
  }

  private static TtlPruner.Outcome prune(Timeline timeline, Emitter emitter) {
    return plan(timeline, emitter, TOUCH, 300, EXPIRED);
  }

  private static TtlPruner.Outcome plan(
      Timeline timeline, Emitter emitter, @Nullable Instant touch, long ttl, Instant now) {
    View view = View.of(timeline, ContributionFilters.NONE, emitter);
    return new TtlPruner(view, emitter, SETTINGS).plan(touch, ttl, now);
  }

  private static List<Long> seqs(TtlPruner.Outcome outcome) {
    return outcome.records().stream().map(Visibility::seq).toList();
  }

  @Nested
  class Age {
    @Test
    void decidesWhetherToPrune() {
      // T-52, V5: 289 s, 290 s
      Timeline timeline = turns(3);
      assertThat(plan(timeline, emitter(100), TOUCH, 300, TOUCH.plusSeconds(289)).status())
          .isEqualTo(TtlPruner.Status.FRESH);
      assertThat(plan(timeline, emitter(100), TOUCH, 300, TOUCH.plusSeconds(290)).status())
          .isEqualTo(TtlPruner.Status.PRUNED_LIGHT);
      assertThat(plan(timeline, emitter(100), TOUCH, 5, TOUCH).status())
          .isEqualTo(TtlPruner.Status.PRUNED_LIGHT); // max(0, ttl - buffer)
    }

    @Test
    void isNotAskedForWithoutATtl() {
      // T-51, V5
      TtlPruner.Outcome outcome = plan(turns(12), emitter(100), TOUCH, 0, EXPIRED);
      assertThat(outcome.status()).isEqualTo(TtlPruner.Status.DISABLED);
      assertThat(outcome.records()).isEmpty();
    }

    @Test
    void isInferredFromTheBlockBeforeTheNewestCompletion() {
      // T-52
      Timeline timeline = turns(3);
      Instant before = timeline.entries().get(16).block().ts().orElseThrow();
      assertThat(plan(timeline, emitter(100), null, 300, before.plusSeconds(289)).status())
          .isEqualTo(TtlPruner.Status.FRESH);
      assertThat(plan(timeline, emitter(100), null, 300, before.plusSeconds(290)).status())
          .isEqualTo(TtlPruner.Status.PRUNED_LIGHT);
    }

    @Test
    void isUnknownWithoutTouchAndCompletion() {
      // T-52, V5
      Timeline timeline = new Chat().activeTurn("t1").prompt("p").timeline();
      assertThat(plan(timeline, emitter(100), null, 300, EXPIRED).status())
          .isEqualTo(TtlPruner.Status.ARMED);
    }
  }

  @Nested
  class Turns {
    @Test
    void thatAreOldAreReplacedAndMiddleOnesShortened() {
      // T-53, V5: 5 each of t1 and t2, result and image of t3 to t10
      TtlPruner.Outcome outcome = prune(turns(12), emitter(100));
      assertThat(outcome.status()).isEqualTo(TtlPruner.Status.PRUNED);
      assertThat(outcome.records()).hasSize(26);
      assertThat(seqs(outcome)).startsWith(2L, 3L, 4L, 5L, 6L, 8L, 9L, 10L, 11L, 12L, 16L, 17L);
      assertThat(seqs(outcome)).endsWith(58L, 59L);
      assertThat(outcome.records()).allMatch(r -> r.reason() == Visibility.Reason.TTL);
    }

    @Test
    void changeOnlyOnce() {
      // T-54, V5
      Timeline timeline = turns(12);
      Timeline pruned = timeline.withVisibility(prune(timeline, emitter(100)).records());
      TtlPruner.Outcome second = prune(pruned, emitter(100));
      assertThat(second.status()).isEqualTo(TtlPruner.Status.NO_EFFECT);
      assertThat(second.records()).isEmpty();
    }

    @Test
    void ofWhichThereAreFewAreOnlyLightened() {
      // T-53, V5: result and image of t1
      TtlPruner.Outcome outcome = prune(turns(3), emitter(100));
      assertThat(outcome.status()).isEqualTo(TtlPruner.Status.PRUNED_LIGHT);
      assertThat(seqs(outcome)).containsExactly(4L, 5L);
    }

    @Test
    void ofCheapBlocksStay() {
      // T-54, V5: blocks costing 47; at 48 they go
      Timeline timeline = texts(12);
      assertThat(prune(timeline, emitter(47)).status()).isEqualTo(TtlPruner.Status.NO_EFFECT);
      assertThat(prune(timeline, emitter(48)).records()).hasSize(4);
    }

    private static Timeline texts(int count) {
      Chat chat = new Chat();
      for (int i = 1; i <= count; i++) {
        chat.turn("t" + i).prompt("prompt").completion("answer");
      }
      return chat.timeline();
    }

    @Test
    void withANewerCopyOfAPathKeepIt() {
      // T-53
      Chat chat = new Chat();
      for (int i = 1; i <= 12; i++) {
        chat.turn("t" + i);
        chat.artifact("tc_1", "fi:t1.files/a", "content");
      }
      assertThat(seqs(prune(chat.timeline(), emitter(100)))).containsExactly(2L, 4L);
    }
  }

  @Nested
  class Pictures {
    @Test
    void areKeptUpToACountTheNewestInAnyCase() {
      // T-53: keep_recent_images 2; t1 and t2 are middle turns
      Chat chat = new Chat().turn("t1");
      for (int i = 1; i <= 4; i++) {
        chat.binary(BlockType.USER_ATTACHMENT, "fi:t1.user.attachments/" + i, "image/png", 100);
      }
      chat.turn("t2").turn("t3");
      assertThat(seqs(prune(chat.timeline(), emitter(100)))).containsExactly(2L, 3L);
    }

    @Test
    void areKeptUpToASum() {
      // T-53: max_image_b64_sum 1,000,000; the newest stays though it alone is larger
      Chat chat = new Chat().turn("t1");
      chat.binary(BlockType.USER_ATTACHMENT, "fi:t1.user.attachments/1", "image/png", 10);
      chat.binary(BlockType.USER_ATTACHMENT, "fi:t1.user.attachments/2", "image/png", 750_001);
      chat.turn("t2").turn("t3");
      assertThat(seqs(prune(chat.timeline(), emitter(100)))).containsExactly(2L);
    }

    @Test
    void thatAreHiddenDoNotCount() {
      Chat chat = new Chat().turn("t1");
      for (int i = 1; i <= 3; i++) {
        chat.binary(BlockType.USER_ATTACHMENT, "fi:t1.user.attachments/" + i, "image/png", 100);
      }
      chat.turn("t2").turn("t3").hide(4, "gone");
      assertThat(prune(chat.timeline(), emitter(100)).status())
          .isEqualTo(TtlPruner.Status.NO_EFFECT);
    }

    @Test
    void andOtherBinariesGoAboveTheirSize() {
      // T-53: max_base64_chars 4000 is 3000 bytes
      Chat chat = new Chat().turn("t1");
      chat.binary(BlockType.of("x.small"), "fi:t1.files/1", "application/zip", 3000);
      chat.binary(BlockType.of("x.large"), "fi:t1.files/2", "application/zip", 3001);
      chat.turn("t2").turn("t3");
      assertThat(seqs(prune(chat.timeline(), emitter(100)))).containsExactly(3L);
    }
  }

  @Nested
  class Replacements {
    private static final Emitter REAL =
        new Emitter(Dialect.TRANSCRIPT, Reader.ANY, TokenMeter.of(TokenCounter.CHARS4));

    private static String only(Chat chat) {
      TtlPruner.Outcome outcome = prune(old(chat), REAL);
      assertThat(outcome.records()).hasSize(1);
      return outcome.records().getFirst().replacement();
    }

    private static Timeline old(Chat chat) {
      for (int i = 2; i <= 11; i++) {
        chat.turn("t" + i);
      }
      return chat.timeline();
    }

    @Test
    void ofCallsAndResultsAreShortenedJson() {
      // T-55
      String query = "x".repeat(900);
      Chat call = new Chat().turn("t1");
      call.call("tc_1", "a.b", "{\"q\":\"" + query + "\",\"ref\":\"ref:" + "y".repeat(80) + "\"}");
      JsonObject json = (JsonObject) JsonValue.parse(only(call));
      assertThat(json.keys()).containsExactly("tool_id", "tool_call_id", "params", "truncated");
      assertThat(json.object("params").orElseThrow().string("q").orElseThrow())
          .endsWith("x...[truncated]");
      assertThat(json.object("params").orElseThrow().string("ref"))
          .hasValue("ref:" + "y".repeat(80));
    }

    @Test
    void sayHowManyItemsAndKeysAreLeftOut() {
      // T-55, and hosting handles stay away from the model (T-34)
      StringBuilder list = new StringBuilder();
      for (int i = 0; i < 200; i++) {
        list.append("{\"artifact_path\":\"fi:t1.files/a\",\"rn\":\"secret\",\"n\":1},");
      }
      String text = "{\"result\":[" + list + "1]}";
      Chat chat = new Chat().turn("t1").result("tc_1", text);
      String shown = only(chat);
      assertThat(shown).contains("more)\"").doesNotContain("secret");
      StringBuilder keys = new StringBuilder("{\"k\":1");
      for (int i = 0; i < 300; i++) {
        keys.append(",\"key").append(i).append("\":").append(i);
      }
      Chat map = new Chat().turn("t1").result("tc_1", keys + "}");
      assertThat(only(map)).contains("\"...\":\"").contains(" more keys\"");
    }

    @Test
    void ofFilesNameThePathTypeAndSize() {
      // T-55
      Chat chat = new Chat().turn("t1").artifact("tc_1", "fi:t1.files/a", "x".repeat(2000));
      assertThat(only(chat))
          .isEqualTo("[TRUNCATED FILE] path=fi:t1.files/a mime=text/markdown size=2000 summary=");
      Chat skill = new Chat().turn("t1").artifact("tc_1", "sk:public/a", "x".repeat(2000));
      assertThat(only(skill)).isEqualTo("[TRUNCATED SKILL] re-read: sk:public/a");
    }

    @Test
    void ofTextsAreCutUntilTheyFit() {
      // T-55: limits are halved until the bound holds
      Chat chat = new Chat().turn("t1").prompt("x".repeat(3000));
      assertThat(only(chat)).isEqualTo("[TRUNCATED] " + "x".repeat(500) + "...");
    }

    @Test
    void neverExceedTheirBound() {
      // T-54, in both dialects
      String text = "word and 中文 😀 ".repeat(40);
      for (Dialect dialect : Dialect.values()) {
        Emitter emitter = new Emitter(dialect, Reader.ANY, TokenMeter.of(TokenCounter.O200K_BASE));
        for (int length = 20; length < text.length(); length += 61) {
          int end =
              text.offsetByCodePoints(0, Math.min(length, text.codePointCount(0, text.length())));
          String cut = text.substring(0, end);
          String json = JsonObject.of("result", JsonValue.of(cut)).toJson();
          Chat chat = new Chat().turn("t1").prompt(cut).call("tc_1", "a.b", json);
          chat.result("tc_1", json).artifact("tc_1", "fi:t1.files/a", cut).completion(cut);
          assertWithinBound(old(chat), emitter);
        }
      }
    }

    private static void assertWithinBound(Timeline timeline, Emitter emitter) {
      View before = View.of(timeline, ContributionFilters.NONE, emitter);
      List<Visibility> records = prune(timeline, emitter).records();
      View after = View.of(timeline.withVisibility(records), ContributionFilters.NONE, emitter);
      assertThat(after.items()).hasSameSizeAs(before.items());
      for (int i = 0; i < before.items().size(); i++) {
        long cost = before.items().get(i).cost();
        if (after.items().get(i).replaced()) {
          assertThat(after.items().get(i).cost()).isLessThanOrEqualTo(Math.min(240, cost / 2));
        } else {
          assertThat(after.items().get(i).cost()).isEqualTo(cost);
        }
      }
    }
  }
}
