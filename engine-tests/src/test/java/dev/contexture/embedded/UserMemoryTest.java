package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.memory.ArchivalEntry;
import dev.contexture.engine.memory.BlockAddress;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.BlockTemplate;
import dev.contexture.engine.memory.MemoryNotice;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.search.MemorySearchResult;
import dev.contexture.search.SearchOptions;
import dev.contexture.turn.TurnStart;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory of one agent for many users: what belongs to one is never another's. */
class UserMemoryTest extends ToolFixture {
  private static final String ATLAS = "atlas";

  private MemoryStore memory;
  private MemoryStore alice;
  private MemoryStore bob;

  @BeforeEach
  void views() {
    memory = engine.memory(SHOP);
    alice = memory.forUser("alice");
    bob = memory.forUser("bob");
  }

  private static BlockSpec block(String label, String content) {
    return BlockSpec.of(label, MemoryBlockType.CORE).content(content);
  }

  private static ErrorCode code(Runnable refused) {
    return catchThrowableOfType(ContextureException.class, refused::run).code();
  }

  private Turn turn(String user) {
    ContextBrowser chat = engine.browser(SHOP.user(user).conversation("c1"));
    return chat.startTurn(TurnStart.prompt("hello").agent(ATLAS));
  }

  private String body(String user) {
    try (Turn turn = turn(user)) {
      return turn.request("claude-opus-5").agent(ATLAS).build().body();
    }
  }

  private AgentTools tools(ContextBrowser chat) {
    return engine.agentTools(chat, ATLAS);
  }

  private static List<String> labels(MemoryStore view) {
    return view.listBlocks(ATLAS).stream().map(BlockMetadata::label).toList();
  }

  private static List<String> users(MemoryStore view) {
    return view.listBlocks(ATLAS).stream()
        .map(block -> Objects.requireNonNullElse(block.user(), "all"))
        .toList();
  }

  @Test
  void aLabelIsTheUsersWhereBothHaveIt() {
    memory.createBlock(ATLAS, block("notes", "for all"));
    memory.createBlock(ATLAS, block("rules", "be kind"));
    memory.createBlock(ATLAS, block("notes", "of alice").user("alice"));
    assertThat(memory.getRenderedContent(ATLAS, "notes")).contains("for all");
    assertThat(alice.getRenderedContent(ATLAS, "notes")).contains("of alice");
    assertThat(bob.getRenderedContent(ATLAS, "notes")).contains("for all");
    assertThat(labels(alice)).containsExactly("rules", "notes");
    assertThat(users(alice)).containsExactly("all", "alice");
    assertThat(labels(memory)).containsExactly("notes", "rules");
    assertThat(users(memory.forEverybody())).containsExactly("all", "all", "alice");
    assertThat(memory.users(ATLAS)).containsExactly("alice");
    assertThat(memory.listBlocksByLabelPrefix("notes")).hasSize(1);
    assertThat(memory.forEverybody().listBlocksByLabelPrefix("notes")).hasSize(2);
    alice.appendToBlock(ATLAS, "notes", "!");
    alice.appendToBlock(ATLAS, "rules", "!");
    assertThat(memory.getRenderedContent(ATLAS, "rules")).contains("be kind!");
    assertThat(memory.getRenderedContent(ATLAS, "notes")).contains("for all");
    assertThat(code(() -> alice.createBlock(ATLAS, block("notes", "again"))))
        .isEqualTo(ErrorCode.LABEL_TAKEN);
    MemoryStore acting = alice.actingAs(Actor.agent(ATLAS));
    assertThat(code(() -> acting.createBlock(ATLAS, block("x", "x").user("bob"))))
        .isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(code(() -> memory.actingAs(Actor.agent(ATLAS)).forEverybody()))
        .isEqualTo(ErrorCode.ACCESS_DENIED);
  }

  @Test
  void aPromptShowsBlocksOfTheUserBehindThoseOfTheAgent() {
    memory.createBlock(ATLAS, block("zeta", "for all"));
    alice.createBlock(ATLAS, block("alpha", "of alice"));
    bob.createBlock(ATLAS, block("beta", "of bob"));
    String shown = body("alice");
    assertThat(shown)
        .contains("<block:alpha permission=\\\"ReadWrite\\\" user=\\\"alice\\\">\\nof alice\\n")
        .contains("<block:zeta permission=\\\"ReadWrite\\\">\\nfor all")
        .doesNotContain("of bob");
    assertThat(shown.indexOf("<block:zeta")).isLessThan(shown.indexOf("<block:alpha"));
    assertThat(body("bob")).contains("of bob").doesNotContain("of alice");
  }

  @Test
  void whatToolsMakeBelongsToTheUserOfTheConversation() {
    ContextBrowser chat = engine.browser(SHOP.user("alice").conversation("c1"));
    try (Turn turn = chat.startTurn(TurnStart.prompt("hi").agent(ATLAS))) {
      AgentTools tools = tools(chat);
      JsonObject made =
          done(tools, "block", "{'op':'create','label':'diary','description':'hers'}");
      assertThat(made.string("label")).contains("diary");
      done(tools, "block_edit", "{'op':'append','label':'diary','content':'violets'}");
      done(tools, "recall", "{'op':'insert','content':'violets are blue'}");
      assertThat(rows(done(tools, "block", "{'op':'list'}"), "blocks").getFirst().string("user"))
          .contains("alice");
      assertThat(rows(done(tools, "recall", "{'op':'search','query':'violets'}"), "hits"))
          .hasSize(1);
      assertThat(done(tools, "block", "{'op':'load','label':'diary'}").string("user"))
          .contains("alice");
      String create = "{'op':'create','label':'all','description':'d','scope':'agent'}";
      failed(tools, "block", create, "permission_denied");
      failed(tools, "block", create.replace("'agent'", "'world'"), "invalid_argument");
      failed(tools, "recall", "{'op':'insert','content':'x','scope':'agent'}", "permission_denied");
      turn.finish("done");
    }
    assertThat(memory.getBlock(ATLAS, "diary")).isEmpty();
    assertThat(alice.getRenderedContent(ATLAS, "diary")).contains("violets");
    ContextBrowser his = engine.browser(SHOP.user("bob").conversation("c1"));
    try (Turn turn = his.startTurn(TurnStart.prompt("hi").agent(ATLAS))) {
      AgentTools tools = tools(his);
      assertThat(rows(done(tools, "recall", "{'op':'search','query':'violets'}"), "hits"))
          .isEmpty();
      assertThat(rows(done(tools, "search", "{'query':'violets'}"), "hits")).isEmpty();
      failed(tools, "block", "{'op':'load','label':'diary'}", "block_not_found");
      turn.finish("done");
    }
    SearchOptions any = SearchOptions.DEFAULT;
    assertThat(memory.search(ATLAS, "violets", any)).isEmpty();
    assertThat(alice.search(ATLAS, "violets", any)).hasSize(2);
    assertThat(memory.forEverybody().search(ATLAS, "violets", any))
        .extracting(MemorySearchResult::user)
        .containsExactly("alice", "alice");
    assertThat(memory.searchAll("violets", any)).hasSize(2);
  }

  @Test
  void aModelMayWriteForAllWhereTheHostAllowsIt() {
    engine.close();
    engine = Contexture.open(directory, settings -> settings.clock(clock).agentWideWrites(true));
    ContextBrowser chat = engine.browser(SHOP.user("alice").conversation("c1"));
    try (Turn turn = chat.startTurn(TurnStart.prompt("hi").agent(ATLAS))) {
      done(tools(chat), "block", "{'op':'create','label':'all','description':'d','scope':'agent'}");
      done(tools(chat), "recall", "{'op':'insert','content':'for all','scope':'agent'}");
      turn.finish("done");
    }
    MemoryStore now = engine.memory(SHOP);
    assertThat(now.getBlockMetadata(ATLAS, "all").orElseThrow().user()).isNull();
    assertThat(now.listArchival(ATLAS, null, 9)).hasSize(1);
  }

  @Test
  void aShareIsSeenForTheUserOnly() {
    memory.putAgent("bert", "Bert", null);
    memory.createBlock(ATLAS, block("all", "for all"));
    bob.createBlock(ATLAS, block("his", "of bob"));
    memory.shareBlock(ATLAS, "all", "bert", MemoryPermission.READ_ONLY);
    bob.shareBlock(ATLAS, "his", "bert", MemoryPermission.APPEND);
    assertThat(memory.listSharedBlocks("bert")).hasSize(1);
    assertThat(alice.listSharedBlocks("bert")).hasSize(1);
    assertThat(bob.listSharedBlocks("bert")).hasSize(2);
    assertThat(bob.getRenderedContent("bert", "atlas/his")).contains("of bob");
    assertThat(alice.getRenderedContent("bert", "atlas/his")).isEmpty();
    assertThat(code(() -> alice.appendToBlock("bert", "atlas/his", "x")))
        .isEqualTo(ErrorCode.BLOCK_NOT_FOUND);
  }

  @Test
  void entriesAreListedAndReadForTheirUser() {
    String all = memory.insertArchival(ATLAS, "for all", null);
    String his = memory.insertArchival(ATLAS, "bob", "of bob", null);
    assertThat(memory.listArchival(ATLAS, null, 9)).extracting(ArchivalEntry::id).containsOnly(all);
    assertThat(bob.listArchival(ATLAS, null, 9))
        .extracting(ArchivalEntry::user)
        .containsExactly(null, "bob");
    assertThat(alice.getArchival(ATLAS, his)).isEmpty();
    assertThat(bob.getArchival(ATLAS, his)).isPresent();
    alice.deleteArchival(his);
    assertThat(bob.getArchival(ATLAS, his)).isPresent();
    assertThat(memory.forEverybody().listArchival(ATLAS, null, 9)).hasSize(2);
    bob.deleteArchival(his);
    assertThat(memory.forEverybody().listArchival(ATLAS, null, 9)).hasSize(1);
  }

  @Test
  void noticesAndActivityAreThoseOfTheUser() {
    bob.createBlock(ATLAS, block("his", "of bob"));
    memory.createBlock(ATLAS, block("all", "for all"));
    assertThat(alice.notices(0, 9)).extracting(MemoryNotice.Changed::label).containsOnly("all");
    assertThat(bob.notices(0, 9)).extracting(MemoryNotice.Changed::user).contains("bob");
    assertThat(engine.activity(SHOP).forUser("alice").render("bert", 9).orElse(""))
        .doesNotContain("his");
    assertThat(engine.activity(SHOP).forUser("bob").render(ATLAS, 9).orElse("")).contains("his");
  }

  @Test
  void movingIsAllOrNothingAndADryRunMovesNothing() {
    memory.createBlock(ATLAS, block("notes", "hers"));
    memory.createBlock(ATLAS, block("taken", "for all"));
    alice.createBlock(ATLAS, block("taken", "hers"));
    String entry = memory.insertArchival(ATLAS, "violets are blue", null);
    MemoryStore.Move dry = new MemoryStore.Move(List.of("notes"), List.of(entry), "alice", true);
    assertThat(memory.move(ATLAS, dry).blocks())
        .extracting(BlockMetadata::user)
        .containsOnly("alice");
    assertThat(memory.getBlock(ATLAS, "notes")).isPresent();
    MemoryStore.Move both =
        new MemoryStore.Move(List.of("notes", "taken"), List.of(entry), "alice", false);
    assertThat(code(() -> memory.move(ATLAS, both))).isEqualTo(ErrorCode.LABEL_TAKEN);
    assertThat(memory.getBlock(ATLAS, "notes")).isPresent();
    MemoryStore.Move move = new MemoryStore.Move(List.of("notes"), List.of(entry), "alice", false);
    assertThat(memory.move(ATLAS, move).entries()).hasSize(1);
    assertThat(memory.getBlock(ATLAS, "notes")).isEmpty();
    assertThat(alice.getRenderedContent(ATLAS, "notes")).contains("hers");
    assertThat(alice.undoDepth(ATLAS, "notes")).isEqualTo(1);
    assertThat(memory.search(ATLAS, "violets", SearchOptions.DEFAULT)).isEmpty();
    assertThat(alice.search(ATLAS, "violets", SearchOptions.DEFAULT)).hasSize(1);
    MemoryStore.Move back = new MemoryStore.Move(List.of("notes"), List.of(entry), null, false);
    assertThat(code(() -> memory.move(ATLAS, back))).isEqualTo(ErrorCode.BLOCK_NOT_FOUND);
    alice.move(ATLAS, back);
    assertThat(memory.getRenderedContent(ATLAS, "notes")).contains("hers");
    assertThat(code(() -> memory.actingAs(Actor.agent(ATLAS)).move(ATLAS, move)))
        .isEqualTo(ErrorCode.ACCESS_DENIED);
  }

  @Test
  void whatWasMovedAwayIsNotSentAgain() {
    memory.createBlock(ATLAS, block("notes", "secret violets"));
    assertThat(body("bob")).contains("secret violets");
    memory.move(ATLAS, new MemoryStore.Move(List.of("notes"), List.of(), "alice", false));
    assertThat(body("bob")).doesNotContain("secret violets");
    assertThat(body("alice")).contains("secret violets");
  }

  @Test
  void aTemplateMakesAnEmptyBlockAtTheFirstTurnOfAUser() {
    JsonValue schema =
        JsonValue.parse("{\"kind\":\"map\",\"fields\":[{\"name\":\"city\",\"type\":\"text\"}]}");
    memory.setTemplate(
        ATLAS,
        new BlockTemplate(
            "profile", "who the user is", MemoryBlockType.CORE, BlockSchema.fromJson(schema)));
    assertThat(memory.template(ATLAS).orElseThrow().label()).isEqualTo("profile");
    assertThat(body("alice")).contains("<block:profile").contains("user=\\\"alice\\\"");
    assertThat(alice.getBlockMetadata(ATLAS, "profile").orElseThrow().user()).isEqualTo("alice");
    assertThat(bob.getBlockMetadata(ATLAS, "profile")).isEmpty();
    alice.actingAs(Actor.human("pat")).deleteBlock(ATLAS, "profile");
    assertThat(body("alice")).doesNotContain("<block:profile");
    memory.setTemplate(ATLAS, null);
    assertThat(body("bob")).doesNotContain("<block:profile");
    assertThat(
            code(
                () ->
                    memory.setTemplate(
                        ATLAS,
                        new BlockTemplate(
                            "no good", "", MemoryBlockType.CORE, BlockSchema.fromJson(schema)))))
        .isEqualTo(ErrorCode.INVALID_LABEL);
  }

  @Test
  void erasingAUserErasesWhatAgentsHaveForIt() {
    alice.createBlock(ATLAS, block("hers", "secret violets"));
    bob.createBlock(ATLAS, block("his", "roses"));
    memory.insertArchival("bert", "alice", "secret violets", null);
    assertThat(alice.getRenderedContent(ATLAS, "hers")).isPresent(); // now it is cached
    engine.eraseUser(SHOP.user("alice"));
    assertThat(alice.listBlocks(ATLAS)).isEmpty();
    assertThat(bob.listBlocks(ATLAS)).hasSize(1);
    assertThat(memory.forEverybody().search("bert", "violets", SearchOptions.DEFAULT)).isEmpty();
    assertThat(memory.searchAll("violets", SearchOptions.DEFAULT)).isEmpty();
    assertThat(memory.forEverybody().notices(0, 99))
        .extracting(MemoryNotice.Changed::label)
        .doesNotContain("hers");
  }

  @Test
  void aRestartChangesNothing() {
    alice.createBlock(ATLAS, block("notes", "of alice"));
    memory.createBlock(ATLAS, block("notes", "for all"));
    String before = body("alice");
    engine.close();
    engine = Contexture.open(directory, settings -> settings.clock(clock));
    assertThat(engine.memory(SHOP).forUser("alice").getRenderedContent(ATLAS, "notes"))
        .contains("of alice");
    assertThat(before).contains("of alice").doesNotContain("for all");
  }

  @Test
  void anAgentDoesNotHideWhatItMayNotWrite() {
    MemoryStore system = memory.actingAs(Actor.system());
    system.createBlock(ATLAS, block("policy", "no refunds").permission(MemoryPermission.READ_ONLY));
    memory.createBlock(ATLAS, block("notes", "for all"));
    ContextBrowser chat = engine.browser(SHOP.user("eve").conversation("c1"));
    String create = "{'op':'create','label':'policy','description':'d'}";
    try (Turn turn = chat.startTurn(TurnStart.prompt("hi").agent(ATLAS))) {
      failed(tools(chat), "block", create, "label_taken");
      done(tools(chat), "block", create.replace("policy", "notes"));
      turn.finish("done");
    }
    assertThat(body("eve")).contains("no refunds");
    MemoryStore eve = memory.forUser("eve");
    assertThat(code(() -> eve.createBlock(ATLAS, block("policy", "any refund"))))
        .isEqualTo(ErrorCode.LABEL_TAKEN);
    eve.actingAs(Actor.system()).createBlock(ATLAS, block("policy", "small refunds"));
    assertThat(body("eve")).contains("small refunds").doesNotContain("no refunds");
  }

  @Test
  void ofSharesTheUsersIsMeantAndOneThatIsNotSharedHidesNothing() {
    memory.putAgent("bert", "Bert", null);
    memory.createBlock(ATLAS, block("doc", "text for all"));
    alice.createBlock(ATLAS, block("doc", "text of alice"));
    memory.shareBlock(ATLAS, "doc", "bert", MemoryPermission.APPEND);
    assertThat(alice.getRenderedContent("bert", "atlas/doc")).contains("text for all");
    assertThat(bertPrompt("alice")).contains("text for all").doesNotContain("text of alice");
    alice.shareBlock(ATLAS, "doc", "bert", MemoryPermission.APPEND);
    assertThat(alice.listSharedBlocks("bert")).hasSize(1);
    assertThat(BlockAddress.of(alice, "bert", "doc")).isEqualTo("atlas/doc");
    assertThat(alice.getRenderedContent("bert", "atlas/doc")).contains("text of alice");
    assertThat(bertPrompt("alice")).contains("text of alice").doesNotContain("text for all");
    assertThat(bertPrompt("bob")).contains("text for all").doesNotContain("text of alice");
    assertThat(memory.forEverybody().listSharedBlocks("bert")).hasSize(2);
  }

  private String bertPrompt(String user) {
    ContextBrowser chat = engine.browser(SHOP.user(user).conversation("c2"));
    try (Turn turn = chat.startTurn(TurnStart.prompt("hello").agent("bert"))) {
      return turn.request("claude-opus-5").agent("bert").build().body();
    }
  }

  @Test
  void aTemplateDoesNotHideABlockForAll() {
    memory.createBlock(ATLAS, block("card", "for all"));
    assertThat(
            code(
                () ->
                    memory.setTemplate(
                        ATLAS,
                        new BlockTemplate("card", "", MemoryBlockType.CORE, TextSchema.PLAIN))))
        .isEqualTo(ErrorCode.LABEL_TAKEN);
    assertThat(memory.template(ATLAS)).isEmpty();
  }

  @Test
  void anIdOfAnotherUserIsNeitherRestoredNorPurged() {
    String hers = alice.createBlock(ATLAS, block("hers", "of alice"));
    assertThat(code(() -> bob.purgeBlock(hers))).isEqualTo(ErrorCode.BLOCK_NOT_FOUND);
    assertThat(code(() -> alice.restoreBlock(hers))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    alice.actingAs(Actor.system()).deleteBlock(ATLAS, "hers");
    assertThat(code(() -> bob.restoreBlock(hers))).isEqualTo(ErrorCode.BLOCK_NOT_FOUND);
    assertThat(memory.forEverybody().listDeletedBlocks(ATLAS)).hasSize(1);
    alice.restoreBlock(hers);
    assertThat(alice.getRenderedContent(ATLAS, "hers")).contains("of alice");
    assertThat(alice.purgeBlock(hers)).isTrue();
    assertThat(bob.purgeBlock(hers)).isFalse();
  }

  @Test
  void bothSidesHearOfAMove() {
    alice.createBlock(ATLAS, block("notes", "hers"));
    alice.move(ATLAS, new MemoryStore.Move(List.of("notes", "notes"), List.of(), "bob", false));
    assertThat(alice.notices(0, 9))
        .extracting(MemoryNotice.Changed::kind)
        .containsExactly(MemoryNotice.Kind.DELETED); // what was before goes along
    assertThat(bob.notices(0, 9))
        .extracting(MemoryNotice.Changed::operation)
        .containsExactly("create", "move");
  }

  @Test
  void activityNamesOwnBlocksThatAreHiddenOrDeleted() {
    memory.createBlock(ATLAS, block("shown", "for all"));
    bob.createBlock(ATLAS, block("shown", "of bob"));
    bob.createBlock(ATLAS, block("gone", "of bob"));
    bob.actingAs(Actor.system()).deleteBlock(ATLAS, "gone");
    assertThat(engine.activity(SHOP).forUser("bob").render(ATLAS, 9).orElse(""))
        .contains("`gone`", "`shown`")
        .doesNotContain("a private block");
  }
}
