package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.search.SearchMode;
import dev.contexture.turn.TurnStart;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The tools that find things again: checklist 82 (M-123, M-124, M-83). */
class SearchToolsTest extends ToolFixture {
  private AgentTools atlas;

  @BeforeEach
  void prepare() {
    atlas = tools("atlas");
  }

  @Nested
  class Recall {
    @Test
    void keepsAndFindsTexts() { // M-123
      String id =
          done(
                  atlas,
                  "recall",
                  "{'op':'insert','content':'Ann likes green tea','metadata':{'topic':'tea'}}")
              .string("id")
              .orElseThrow();
      JsonObject found = done(atlas, "recall", "{'op':'search','query':'tea'}");
      assertThat(run(atlas, "recall", "{'op':'search','query':'tea'}").json().string("message"))
          .contains("1 entry");
      JsonObject hit = rows(found, "hits").getFirst();
      assertThat(hit.string("id")).contains(id);
      assertThat(hit.string("content")).contains("Ann likes green tea");
      assertThat(hit.object("metadata").flatMap(meta -> meta.string("topic"))).contains("tea");
      assertThat(hit.string("ts")).contains(clock.instant().toString());
      assertThat(hit.has("score")).isTrue();
      assertThat(found.string("mode_used")).contains("fts");
      assertThat(rows(done(tools("bert"), "recall", "{'op':'search','query':'tea'}"), "hits"))
          .isEmpty();
      failed(atlas, "recall", "{'op':'insert','content':' '}", "invalid_argument");
      failed(atlas, "recall", "{'op':'search','query':'tea','limit':0}", "invalid_argument");
    }

    @Test
    void findsTenUnlessToldOtherwise() {
      for (int i = 0; i < 12; i++) {
        done(atlas, "recall", "{'op':'insert','content':'tea number " + i + "'}");
      }
      assertThat(rows(done(atlas, "recall", "{'op':'search','query':'tea'}"), "hits")).hasSize(10);
      assertThat(rows(done(atlas, "recall", "{'op':'search','query':'tea','limit':3}"), "hits"))
          .hasSize(3);
    }

    @Test
    void cutsLongTexts() { // M-120
      done(atlas, "recall", "{'op':'insert','content':'tea " + "😀".repeat(2_500) + "'}");
      JsonObject hit =
          rows(done(atlas, "recall", "{'op':'search','query':'tea'}"), "hits").getFirst();
      String content = hit.string("content").orElseThrow();
      assertThat(content.codePointCount(0, content.length())).isEqualTo(2_000);
      assertThat(hit.isTrue("truncated")).isTrue();
    }
  }

  @Nested
  class Searching {
    private ContextBrowser said(String user, String prompt, String answer) {
      ContextBrowser chat = engine.browser(SHOP.user(user).conversation("c-" + user));
      try (Turn turn = chat.startTurn(TurnStart.prompt(prompt).agent("atlas"))) {
        turn.finish(answer);
      }
      return chat;
    }

    private List<String> contents(AgentTools tools, String params) {
      return rows(done(tools, "search", params), "hits").stream()
          .map(hit -> hit.string("content").orElseThrow())
          .toList();
    }

    @Test
    void findsEverythingOrOneDomain() { // M-124
      said("ann", "lunch with violets", "noted");
      engine
          .memory(SHOP)
          .createBlock(
              "atlas",
              BlockSpec.of("garden", MemoryBlockType.WORKING).content("violets and roses"));
      done(atlas, "recall", "{'op':'insert','content':'violets are blue'}");
      assertThat(contents(atlas, "{'query':'violets'}"))
          .containsExactlyInAnyOrder("lunch with violets", "violets and roses", "violets are blue");
      assertThat(contents(atlas, "{'query':'violets','domain':'blocks'}"))
          .containsExactly("violets and roses");
      assertThat(contents(atlas, "{'query':'violets','domain':'archival'}"))
          .containsExactly("violets are blue");
      assertThat(contents(atlas, "{'query':'violets','domain':'conversations'}"))
          .containsExactly("lunch with violets");
      failed(atlas, "search", "{'query':'violets','domain':'web'}", "invalid_argument");
      failed(atlas, "search", "{'domain':'all'}", "invalid_argument");
      JsonObject vector = done(atlas, "search", "{'query':'violets','mode':'vector'}");
      assertThat(vector.string("mode_used")).contains("fts");
      assertThat(rows(vector, "notes").getFirst().string("code")).contains("no_embedder");
      failed(atlas, "search", "{'query':'violets','mode':'magic'}", "invalid_argument");
    }

    @Test
    void offersAndTakesEveryMode() {
      String schema =
          AgentTools.all().stream()
              .filter(tool -> tool.name().equals("search"))
              .map(tool -> tool.parameters().toJson())
              .findFirst()
              .orElseThrow();
      for (SearchMode mode : SearchMode.values()) {
        assertThat(schema).contains('"' + mode.wireName() + '"', mode.meaning());
        assertThat(done(atlas, "search", "{'query':'x','mode':'" + mode.wireName() + "'}"))
            .isNotNull();
      }
    }

    @Test
    void clampsItsLimit() { // M-124: 20, and 1 to 100
      for (int i = 0; i < 25; i++) {
        done(atlas, "recall", "{'op':'insert','content':'rose " + i + "'}");
      }
      assertThat(contents(atlas, "{'query':'rose'}")).hasSize(20);
      assertThat(contents(atlas, "{'query':'rose','limit':-5}")).hasSize(1);
      assertThat(contents(atlas, "{'query':'rose','limit':100000}")).hasSize(25);
    }

    @Test
    void knowsTimesAndRoles() { // M-124
      said("ann", "old tulip", "an old tulip indeed");
      clock.advance(Duration.ofHours(30));
      said("ann", "new tulip", "a new tulip indeed");
      clock.advance(Duration.ofMinutes(10));
      assertThat(contents(atlas, "{'query':'tulip','role':'user'}"))
          .containsExactlyInAnyOrder("old tulip", "new tulip");
      assertThat(contents(atlas, "{'query':'tulip','role':'user','start_time':'-24h'}"))
          .containsExactly("new tulip");
      assertThat(contents(atlas, "{'query':'tulip','role':'user','start_time':'-7d'}")).hasSize(2);
      assertThat(contents(atlas, "{'query':'tulip','role':'user','end_time':'-30m'}"))
          .containsExactly("old tulip");
      assertThat(contents(atlas, "{'query':'tulip','role':'user','end_time':'2026-02-10'}"))
          .containsExactly("old tulip");
      assertThat(contents(atlas, "{'query':'tulip','role':'','mode':'','start_time':''}"))
          .hasSize(4);
      String now = clock.instant().minus(Duration.ofHours(1)).toString();
      assertThat(contents(atlas, "{'query':'tulip','role':'user','start_time':'" + now + "'}"))
          .containsExactly("new tulip");
      for (String wrong : List.of("yesterday", "-3w", "24h", "1700000000", "-99999999999d")) {
        failed(atlas, "search", "{'query':'x','start_time':'" + wrong + "'}", "invalid_argument");
      }
    }

    @Test
    void seesOnlyTheUserOfItsConversation() { // 82, M-83
      ContextBrowser ann = said("ann", "secret orchid of ann", "ok");
      said("ben", "secret orchid of ben", "ok");
      assertThat(contents(atlas, "{'query':'orchid'}")).hasSize(2);
      assertThat(contents(atlas.withUser("ben"), "{'query':'orchid'}"))
          .containsExactly("secret orchid of ben");
      AgentTools inside = engine.agentTools(ann, "atlas");
      assertThat(contents(inside, "{'query':'orchid'}")).containsExactly("secret orchid of ann");
      assertThat(contents(inside.withUser("ben"), "{'query':'orchid'}"))
          .containsExactly("secret orchid of ann");
      failed(inside, "search", "{'query':'orchid','user':'ben'}", "invalid_argument");
    }
  }
}
