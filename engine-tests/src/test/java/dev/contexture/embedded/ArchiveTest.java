package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.BlockPath;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.archive.ArchiveReport;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.render.RenderOptions;
import dev.contexture.search.SearchOptions;
import dev.contexture.store.Store;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.timeline.PoolSource;
import dev.contexture.turn.TurnStart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is exported is the same again in another store. */
class ArchiveTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final Scope OTHER = Scope.of("zoo", "park");
  private static final RenderOptions SMALL = RenderOptions.defaults().withMaxTokens(2_000);

  @TempDir Path first;
  @TempDir Path second;
  private Contexture from;
  private Contexture to;

  @BeforeEach
  void open() {
    from = Contexture.open(first);
    to = Contexture.open(second);
  }

  @AfterEach
  void close() {
    from.close();
    to.close();
  }

  private static Scope.OfConversation chat(Scope scope) {
    return scope.user("u42").conversation("c1");
  }

  /** Turns with sources, a pin, a compaction, a title and an open one. */
  private void talk() {
    ContextBrowser chat = from.browser(chat(SHOP));
    for (int i = 1; i <= 12; i++) {
      String words = "word" + i + " ";
      chat.startTurn(TurnStart.prompt("ask " + words.repeat(80)).id(TurnId.of("t" + i)))
          .finish("answer " + words.repeat(80));
    }
    chat.mergeSources(
        List.of(
            new PoolSource(
                0,
                JsonObject.builder()
                    .put("title", "Tides")
                    .put("url", "https://example.org/tides")
                    .put("text", "High water at noon")
                    .build())));
    chat.pin(BlockPath.userPrompt(TurnId.of("t3")));
    chat.render(SMALL); // compacts
    Turn open = chat.startTurn(TurnStart.prompt("still open").id(TurnId.of("t13")));
    open.request("claude-opus-5").agent("atlas").build();
  }

  private void remember() {
    MemoryStore memory = from.memory(SHOP);
    memory.putAgent("atlas", "Atlas", "a guide");
    memory.putAgent("billing", "Billing", null);
    memory.createBlock("atlas", BlockSpec.of("notes", MemoryBlockType.CORE).content("for all"));
    memory.createBlock(
        "atlas", BlockSpec.of("notes", MemoryBlockType.CORE).user("u42").content("begin"));
    MemoryStore hers = memory.forUser("u42");
    for (int i = 0; i < 200; i++) {
      hers.appendToBlock("atlas", "notes", "\nline " + i);
    }
    memory.createBlock(
        "atlas",
        BlockSpec.of("old", MemoryBlockType.WORKING)
            .user("u42")
            .content("gone")
            .permission(MemoryPermission.ADMIN));
    hers.deleteBlock("atlas", "old");
    hers.shareBlock("atlas", "notes", "billing", MemoryPermission.READ_ONLY);
    memory.insertArchival("atlas", "u42", "lives in Oslo", JsonObject.of("a", JsonValue.of(1)));
    memory.insertArchival("atlas", "other", "lives in Rome", null);
  }

  private static byte[] archive(BiConsumer<Contexture, OutputStream> export, Contexture engine) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    export.accept(engine, out);
    return out.toByteArray();
  }

  private static BiConsumer<Contexture, OutputStream> user(Scope scope) {
    return (engine, out) -> engine.archives().exportUser(scope.user("u42"), out);
  }

  private ArchiveReport take(byte[] archive) {
    return to.archives().importArchive(OTHER, new ByteArrayInputStream(archive));
  }

  /** The lines between header and end, without hashes and what counts writes. */
  private static List<String> content(byte[] archive) {
    List<String> lines = new String(archive, StandardCharsets.UTF_8).lines().toList();
    return lines.subList(1, lines.size() - 1).stream()
        .map(line -> line.replaceFirst(",\"sha256\":\"[0-9a-f]{64}\"}$", ""))
        .map(line -> line.replaceFirst("\"settings_version\":\\d+", ""))
        .map(line -> line.startsWith("{\"line\":{\"type\":\"share\"") ? shareOf(line) : line)
        .toList();
  }

  private static String shareOf(String line) {
    return line.replaceFirst("\"version\":\\d+,\"at\":\"[^\"]*\"", "");
  }

  @Test
  void aUserIsTheSameInAnotherStore() {
    talk();
    remember();
    byte[] archive = archive(user(SHOP), from);
    assertThat(take(archive)).isEqualTo(new ArchiveReport(1, 13, 2, 1, 0));
    assertThat(content(archive(user(OTHER), to))).containsExactlyElementsOf(content(archive));
    assertThat(take(archive)).isEqualTo(new ArchiveReport(0, 0, 0, 0, 4));
  }

  @Test
  void aConversationIsShownTheSameAlsoWithoutAnErasedTurn() {
    talk();
    from.browser(chat(SHOP)).eraseTurn(TurnId.of("t2"));
    byte[] archive =
        archive((engine, out) -> engine.archives().exportConversation(chat(SHOP), out), from);
    take(archive);
    for (RenderOptions options : List.of(RenderOptions.defaults(), SMALL)) {
      assertThat(to.browser(chat(OTHER)).render(options).text())
          .isEqualTo(from.browser(chat(SHOP)).render(options).text());
    }
    assertThat(to.browser(chat(OTHER)).openTurn().id()).isEqualTo(TurnId.of("t13"));
    assertThat(to.browser(chat(OTHER)).render(SMALL).text())
        .contains("word3")
        .doesNotContain("word2 ");
  }

  @Test
  void memoryHasItsHistoryAndItsUser() throws InterruptedException {
    remember();
    take(archive((engine, out) -> engine.archives().exportAgent(SHOP.agent("atlas"), out), from));
    MemoryStore memory = to.memory(OTHER);
    MemoryStore hers = memory.forUser("u42");
    assertThat(memory.getRenderedContent("atlas", "notes")).hasValue("for all");
    assertThat(hers.getRenderedContent("atlas", "notes"))
        .isEqualTo(from.memory(SHOP).forUser("u42").getRenderedContent("atlas", "notes"));
    assertThat(hers.history("atlas", "notes", 0, 500))
        .isEqualTo(from.memory(SHOP).forUser("u42").history("atlas", "notes", 0, 500));
    hers.undoBlock("atlas", "notes");
    assertThat(hers.getRenderedContent("atlas", "notes").orElseThrow())
        .contains("line 198")
        .doesNotContain("line 199");
    assertThat(hers.listSharedBlocks("billing")).hasSize(1);
    assertThat(memory.listSharedBlocks("billing")).isEmpty();
    assertThat(
            to.search()
                .search(OTHER.agent("atlas").forUser("u42"), "Oslo Rome", SearchOptions.DEFAULT)
                .hits())
        .hasSize(1);
  }

  @Test
  void whatWasChangedOrIsMissingIsRefusedAndChangesNothing() {
    talk();
    remember();
    String archive = new String(archive(user(SHOP), from), StandardCharsets.UTF_8);
    List<String> lines = archive.lines().toList();
    List<String> broken =
        List.of(
            "",
            "{}",
            "{\"messages\":[]}",
            archive.replaceFirst("begin", "began"),
            String.join("\n", lines.subList(0, lines.size() - 1)),
            String.join("\n", lines.subList(1, lines.size())),
            String.join("\n", lines.subList(0, 5)) + "\n" + lines.getLast());
    assertThat(broken)
        .allSatisfy(
            each ->
                assertThatExceptionOfType(ContextureException.class)
                    .isThrownBy(() -> take(each.getBytes(StandardCharsets.UTF_8)))
                    .satisfies(
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.IMPORT_MALFORMED))
                    .withMessageContaining("line "));
    assertThat(to.conversations(OTHER.user("u42"), null, 10)).isEmpty();
    assertThat(to.memory(OTHER).agents(null, 10)).isEmpty();
  }

  @Test
  void somethingElseOfThatNameIsRefusedAndChangesNothing() {
    talk();
    remember();
    to.browser(chat(OTHER)).startTurn("something else").finish("yes");
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> take(archive(user(SHOP), from)))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ID_CONFLICT))
        .withMessageContaining("c1");
    assertThat(to.memory(OTHER).agents(null, 10)).isEmpty();
  }

  /** An agent may know more users than one page has. */
  @Test
  void findsTheLastOfManyUsers() {
    try (Contexture many = Contexture.builder(new InMemoryStore()).build()) {
      MemoryStore memory = many.memory(SHOP);
      for (int i = 0; i <= Store.MAX_PAGE; i++) {
        memory.insertArchival("atlas", "user" + i, "likes boats", null);
      }
      memory.insertArchival("atlas", "zoe", "lives in Ystad", null);
      memory.insertArchival("hermes", "user1", "likes trains", null);
      assertThat(many.archives().hasUser(SHOP.user("zoe"))).isTrue();
      assertThat(many.archives().hasUser(SHOP.user("zora"))).isFalse();
      String archive =
          new String(
              archive((engine, out) -> engine.archives().exportUser(SHOP.user("zoe"), out), many),
              StandardCharsets.UTF_8);
      assertThat(archive).contains("lives in Ystad").doesNotContain("boats", "hermes");
    }
  }

  @Test
  void peopleReadWhatIsKeptForGood() {
    remember();
    from.memory(SHOP).insertArchival("atlas", null, "the ferry leaves at 08:10", null);
    String ofUser =
        new String(
            archive((engine, out) -> engine.archives().writeUser(SHOP.user("u42"), out), from),
            StandardCharsets.UTF_8);
    assertThat(ofUser)
        .contains("## atlas, archival of u42", "```\nlives in Oslo\n```")
        .doesNotContain("Rome", "08:10");
    String ofAgent =
        new String(
            archive((engine, out) -> engine.archives().writeAgent(SHOP.agent("atlas"), out), from),
            StandardCharsets.UTF_8);
    assertThat(ofAgent)
        .containsSubsequence("## atlas, archival\n", "08:10", "of other", "Rome", "of u42", "Oslo");
  }
}
