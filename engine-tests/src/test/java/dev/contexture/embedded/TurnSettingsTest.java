package dev.contexture.embedded;

import static dev.contexture.embedded.ContextFixture.ME;
import static dev.contexture.embedded.ContextFixture.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextRequest;
import dev.contexture.RecentActivity;
import dev.contexture.RequestBuilder;
import dev.contexture.Turn;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.TurnId;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.prompt.ActivityEvent;
import dev.contexture.prompt.ContextConfig;
import dev.contexture.prompt.Omission;
import dev.contexture.render.RenderCall;
import dev.contexture.render.RenderOptions;
import dev.contexture.request.LedgerSettings;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.FakeClock;
import dev.contexture.timeline.TurnLimit;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.LoadedContext;
import dev.contexture.turn.TurnSettings;
import dev.contexture.turn.TurnStart;
import dev.contexture.view.Adds;
import dev.contexture.view.CachePoint;
import dev.contexture.view.Dialect;
import dev.contexture.view.HidePlanner;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** H-8: settings are given once for a turn, and what is added to a context can be left out. */
class TurnSettingsTest {
  private final Store store = new InMemoryStore();
  private final ContextFixture fixture = new ContextFixture(store, FakeClock.atStart());

  private Turn started(String id, TurnSettings settings) {
    return fixture.chat.startTurn(
        TurnStart.prompt("go " + id).id(TurnId.of(id)).agent(ME).settings(settings));
  }

  private static RequestBuilder asked(Turn turn) {
    return turn.request("anthropic", "claude-opus-5")
        .agent(ME)
        .includeSources(true)
        .prefixCheck(LedgerSettings.Mode.WARN);
  }

  private static BlockPath path(Turn turn, String name) {
    return BlockPath.artifact(turn.id(), name);
  }

  private static void round(Turn turn, int number, String text) {
    String call = "tc_" + number;
    turn.contribute(
        Block.builder(BlockType.REACT_TOOL_CALL)
            .toolCallId(call)
            .text("{\"tool_id\":\"look\",\"params\":{}}"),
        Block.builder(BlockType.REACT_TOOL_RESULT)
            .toolCallId(call)
            .path(BlockPath.parse("tc:" + turn.id().value() + "." + call + ".result"))
            .text(text));
  }

  @Nested
  class WhatIsAdded {
    private ContextRequest request(Turn turn, Adds adds) {
      return asked(turn).adds(adds).activity(fixture.engine.activity(SHOP)).build();
    }

    @Test
    void canBeLeftOutOneByOne() {
      fixture.pinned("notes", "tea");
      Turn turn = started("t1", TurnSettings.NONE);
      assertThat(request(turn, Adds.ALL).body())
          .contains(
              "agent with lasting memory", "[TURN t1]", "<recent_activity>", "[SOURCES POOL] (0)");
      assertThat(request(turn, new Adds(false, true, true, true)).body())
          .doesNotContain("agent with lasting memory")
          .contains("[TURN t1]", "<recent_activity>", "[SOURCES POOL] (0)");
      assertThat(request(turn, new Adds(true, false, true, true)).body())
          .doesNotContain("[TURN ")
          .contains("agent with lasting memory", "<recent_activity>", "[SOURCES POOL] (0)");
      assertThat(request(turn, new Adds(true, true, false, true)).body())
          .doesNotContain("<recent_activity>")
          .contains("agent with lasting memory", "[TURN t1]", "[SOURCES POOL] (0)");
      assertThat(request(turn, new Adds(true, true, true, false)).body())
          .doesNotContain("[SOURCES POOL]")
          .contains("agent with lasting memory", "[TURN t1]", "<recent_activity>");
      ContextRequest bare = request(turn, Adds.NOTHING);
      assertThat(bare.metadata().dropped()).as("nobody misses it").isEmpty();
      assertThat(bare.metadata().tokens().instructions()).isZero();
      assertThat(bare.metadata().tokens().activity()).isZero();
    }

    @Test
    void staysAwayAlsoAfterACompaction() {
      TurnSettings settings = TurnSettings.NONE.withMaxTokens(2_000).withAdds(Adds.NOTHING);
      for (int i = 0; i < 12; i++) {
        Turn turn = started("t" + i, settings);
        ContextRequest request = asked(turn).build();
        assertThat(request.body()).doesNotContain("[TURN ");
        turn.finish("answer " + "word ".repeat(120));
      }
      assertThat(fixture.chat.summaries()).isNotEmpty();
    }

    /** 500 events that are not shown do not push out one that is. */
    @Test
    void activityIsNotPushedOutByWhatNobodyIsTold() {
      RecentActivity activity = fixture.engine.activity(SHOP);
      activity.record("zeus", new ActivityEvent.What.Task("tidy up"), ActivityEvent.Importance.LOW);
      fixture.memory.createBlock(
          "hera", BlockSpec.of("diary", MemoryBlockType.WORKING).content("dear"));
      for (int i = 0; i < 520; i++) {
        fixture
            .memory
            .actingAs(Actor.agent("hera"))
            .updateBlockText("hera", "diary", "private " + i);
      }
      assertThat(activity.render(ME, 10).orElseThrow())
          .contains("zeus: changed task `tidy up`")
          .doesNotContain("hera", "diary", "private");
    }
  }

  @Nested
  class Settings {
    @Test
    void holdForRendersAndRequestsUnlessACallSaysOtherwise() {
      started("t0", TurnSettings.NONE).finish("first answer");
      Turn turn =
          started(
              "t1",
              TurnSettings.NONE
                  .withMaxTokens(3_000)
                  .withTurnLimit(new TurnLimit(OptionalInt.of(0), OptionalInt.empty()))
                  .withAdds(new Adds(true, false, true, true)));
      for (int i = 0; i < 8; i++) {
        round(turn, i, "seen " + i + " word".repeat(400));
      }
      String rendered = fixture.chat.render(RenderCall.read(JsonObject.EMPTY)).context().text();
      assertThat(rendered).doesNotContain("[TURN ");
      assertThat(fixture.chat.summaries()).as("compacted to 3,000").isNotEmpty();
      JsonObject whole = (JsonObject) JsonValue.parse("{\"limit\":5,\"adds\":{}}");
      assertThat(fixture.chat.render(RenderCall.read(whole)).context().text()).contains("[TURN ");
      ContextRequest request = asked(turn).build();
      assertThat(request.metadata().limits().limits().maxTokens()).isEqualTo(3_000);
      assertThat(request.body()).doesNotContain("[TURN ");
      ContextRequest other = asked(turn).config(ContextConfig.DEFAULT).adds(Adds.ALL).build();
      assertThat(other.metadata().limits().limits().maxTokens()).isEqualTo(200_000);
      assertThat(other.body()).contains("[TURN ");
    }

    @Test
    void limitTurnsInARequestAndSaySo() {
      for (int i = 0; i < 4; i++) {
        started("t" + i, TurnSettings.NONE).finish("answer " + i);
      }
      Turn turn = started("t9", TurnSettings.NONE);
      ContextRequest all = asked(turn).build();
      assertThat(all.body()).contains("answer 0", "answer 3");
      ContextRequest newest =
          asked(turn).turnLimit(new TurnLimit(OptionalInt.of(1), OptionalInt.empty())).build();
      assertThat(newest.body()).contains("answer 3").doesNotContain("answer 2");
      assertThat(newest.metadata().dropped())
          .filteredOn(row -> row.reason() == Omission.Reason.TURN_LIMIT)
          .extracting(Omission::id)
          .containsExactly("t0", "t1", "t2");
      assertThat(newest.metadata().counts().omittedTurns()).isEqualTo(3);
    }

    /** Another process that goes on with the turn finds them, and who asks filters nothing. */
    @Test
    void areKeptWithTheTurn() {
      TurnSettings settings =
          TurnSettings.NONE
              .withMaxTokens(4_000)
              .withCachePoints(new CachePoint.Settings(3, 2))
              .withCacheTtl(300)
              .withTurnLimit(new TurnLimit(OptionalInt.of(5), OptionalInt.of(30)))
              .withOnIncomplete(TurnStart.OnIncomplete.INTERRUPT)
              .withAdds(Adds.NOTHING)
              .withRuntime("privileged", "kdcube@1");
      started("t0", TurnSettings.NONE.withRuntime("anonymous", "other")).finish("first answer");
      Turn turn = started("t1", settings);
      assertThat(asked(turn).build().body()).contains("first answer");
      ContextFixture later = new ContextFixture(store, fixture.clock);
      assertThat(later.chat.turn(TurnId.of("t1")).settings()).isEqualTo(settings);
      assertThat(later.chat.turnLog(TurnId.of("t1")).turn().row().meta().object("settings"))
          .contains(settings.toJson());
      assertThat(TurnSettings.read(settings.toJson())).isEqualTo(settings);
      assertThatThrownBy(() -> started("t1", settings.withMaxTokens(5)))
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ID_CONFLICT));
      assertThat(started("t1", settings).resumed()).isTrue();
      turn.finish("done");
      assertThat(fixture.chat.turn(TurnId.of("t1")).settings()).isEqualTo(settings);
    }

    @Test
    void sayWhatHappensToATurnThatACrashLeft() {
      Turn lost = started("t1", TurnSettings.NONE);
      lost.contribute(Block.builder(BlockType.REACT_NOTE).text("half done"));
      fixture.clock.advance(Duration.ofDays(2));
      Turn turn =
          started("t2", TurnSettings.NONE.withOnIncomplete(TurnStart.OnIncomplete.INTERRUPT));
      assertThat(fixture.chat.turnLog(lost.id()).turn().status()).isEqualTo(TurnStatus.INTERRUPTED);
      assertThat(asked(turn).build().body()).contains("half done");
    }

    /** What the cache holds decides about a hide: it is where the renders of the turn put it. */
    @Test
    void decideWhereAHideMayReach() {
      Turn turn = started("t1", TurnSettings.NONE.withCachePoints(new CachePoint.Settings(2, 1)));
      for (int i = 0; i < 8; i++) {
        round(turn, i, "seen " + i);
      }
      turn.timeline(RenderOptions.defaults());
      BlockPath old = BlockPath.parse("tc:t1.tc_4.result");
      assertThat(turn.hide(old, "gone").noticeCode()).contains("hide_before_cache");
      turn.finish("done");
      Turn other = started("t2", TurnSettings.NONE.withCachePoints(new CachePoint.Settings(2, 6)));
      for (int i = 10; i < 18; i++) {
        round(other, i, "seen " + i);
      }
      other.timeline(RenderOptions.defaults());
      assertThat(other.hide(BlockPath.parse("tc:t2.tc_12.result"), "gone").status())
          .isEqualTo(HidePlanner.Status.OK);
    }

    /** A result of 3,000 tokens is worth hiding where the budget is 100,000. */
    @Test
    void giveAHideAShareOfTheBudget() {
      Turn turn = started("t1", TurnSettings.NONE.withMaxTokens(100_000));
      turn.contribute(
          Block.builder(BlockType.REACT_NOTE).path(path(turn, "big")).text("word ".repeat(3_000)));
      HidePlanner.Outcome hidden = turn.hide(path(turn, "big"), "gone");
      assertThat(hidden.status()).isEqualTo(HidePlanner.Status.OK);
      assertThat(hidden.tailLimit()).isEqualTo(10_000);
      turn.finish("done");
      Turn small = started("t2", TurnSettings.NONE);
      small.contribute(
          Block.builder(BlockType.REACT_NOTE).path(path(small, "big")).text("word ".repeat(3_000)));
      assertThat(small.hide(path(small, "big"), "gone").noticeCode()).contains("hide_too_old");
    }
  }

  @Nested
  class Reads {
    /** A preview asks for a read, whose copy must not become a preview at once. */
    @Test
    void giveNoMoreThanTheNextRenderShows() {
      for (long budget : new long[] {3_000, 12_000, 60_000}) {
        ContextFixture engine = new ContextFixture(new InMemoryStore(), FakeClock.atStart());
        Turn turn =
            engine.chat.startTurn(
                TurnStart.prompt("go").settings(TurnSettings.NONE.withMaxTokens(budget)));
        round(turn, 1, "whole " + "word ".repeat(70_000));
        String before = request(turn);
        assertThat(before).contains("[PREVIEW]");
        String path = "tc:" + turn.id().value() + ".tc_1.result";
        long offset = 0;
        for (int i = 0; i < 3; i++) {
          List<StoredBlock> round =
              engine
                  .engine
                  .agentTools(engine.chat, ME)
                  .perform(
                      "react.read",
                      (JsonObject)
                          JsonValue.parse(
                              "{\"paths\":[{\"path\":\""
                                  + path
                                  + "\",\"offset\":"
                                  + offset
                                  + "}]}"),
                      null);
          Block copy = round.getLast().block();
          String text = copy.text().orElseThrow();
          assertThat(text.length()).as("%d", budget).isGreaterThan(200);
          String after = request(turn);
          assertThat(after).as("%d, read %d", budget, i).contains(text.strip());
          offset += text.codePointCount(0, text.length());
        }
      }
    }

    private static String request(Turn turn) {
      String body =
          turn.request("anthropic", "claude-opus-5")
              .prefixCheck(LedgerSettings.Mode.WARN)
              .build()
              .body();
      return body;
    }

    /** Many paths of one read share what the next render has room for. */
    @Test
    void shareTheRoomAmongTheirPaths() {
      Turn turn = started("t1", TurnSettings.NONE.withMaxTokens(12_000));
      StringBuilder paths = new StringBuilder();
      for (int i = 0; i < 10; i++) {
        BlockPath path = path(turn, "n" + i);
        turn.contribute(
            Block.builder(BlockType.REACT_NOTE)
                .path(path)
                .hidden("gone")
                .text("word ".repeat(3_000)));
        paths.append(i == 0 ? "" : ",").append('"').append(path.text()).append('"');
      }
      List<StoredBlock> round =
          fixture
              .engine
              .agentTools(fixture.chat, ME)
              .perform(
                  "react.read", (JsonObject) JsonValue.parse("{\"paths\":[" + paths + "]}"), null);
      JsonObject status =
          round.stream()
              .map(StoredBlock::block)
              .filter(block -> block.type().isResult())
              .map(block -> (JsonObject) JsonValue.parse(block.text().orElseThrow()))
              .findFirst()
              .orElseThrow();
      assertThat(Long.parseLong(status.find("total_tokens").orElseThrow().toJson()))
          .isBetween(1_000L, 4_100L);
    }
  }

  @Nested
  class BetweenTurns {
    @Test
    void feedbackReachesTheModelInTheNextTurn() {
      started("t1", TurnSettings.NONE).finish("answer");
      fixture.chat.feedback(TurnId.of("t1"), "user", "ok", "not this", 1);
      fixture.chat.feedback(TurnId.of("t1"), "user", "not_ok", "too long an answer", 1);
      Turn turn = started("t2", TurnSettings.NONE);
      String body = asked(turn).build().body();
      assertThat(body)
          .contains("too long an answer", "from_turn_id: t1")
          .doesNotContain("not this");
      assertThat(started("t2", TurnSettings.NONE).resumed()).as("a repeat").isTrue();
      turn.finish("shorter");
      Turn next = started("t3", TurnSettings.NONE);
      assertThat(fixture.chat.turnLog(next.id()).blocks())
          .as("told once")
          .noneMatch(stored -> stored.block().type().equals(BlockType.STAGE_FEEDBACK));
    }

    @Test
    void feedbackThatWasTakenBackIsNotTold() {
      started("t1", TurnSettings.NONE).finish("answer");
      fixture.chat.feedback(TurnId.of("t1"), "user", "not_ok", "too long", 1);
      fixture.chat.feedback(TurnId.of("t1"), "user", null, "", 1);
      assertThat(asked(started("t2", TurnSettings.NONE)).build().body()).doesNotContain("too long");
    }

    /** T-84: history and the open turn come apart, and what a limit leaves out is counted. */
    @Test
    void aContextIsLoadedInTwoParts() {
      for (int i = 0; i < 3; i++) {
        started("t" + i, TurnSettings.NONE).finish("answer " + i);
      }
      started("t9", TurnSettings.NONE);
      LoadedContext loaded =
          fixture.chat.loadContext(new TurnLimit(OptionalInt.of(2), OptionalInt.of(365)));
      assertThat(loaded.omittedTurns()).isEqualTo(1);
      assertThat(loaded.history()).extracting(e -> e.turn().value()).containsOnly("t1", "t2");
      assertThat(loaded.current()).extracting(e -> e.turn().value()).containsOnly("t9");
      assertThat(loaded.summary()).isNull();
      fixture.clock.advance(Duration.ofDays(400));
      assertThat(
              fixture
                  .chat
                  .loadContext(new TurnLimit(OptionalInt.empty(), OptionalInt.of(365)))
                  .history())
          .isEmpty();
    }
  }

  @Test
  void nativeRendersObeyToo() {
    Turn turn = started("t1", TurnSettings.NONE.withAdds(Adds.NOTHING));
    assertThat(
            turn.timeline(RenderOptions.defaults().withDialect(Dialect.NATIVE))
                .messages()
                .toString())
        .contains("go t1")
        .doesNotContain("[TURN ");
  }
}
