package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.Contexture;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.DocumentSnapshot;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.EntityShape;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.provider.foreign.ForeignFormat;
import dev.contexture.request.history.ImportedFile;
import dev.contexture.request.history.ImportedFile.ImportedMemory;
import dev.contexture.store.Store;
import dev.contexture.store.StoredTurn;
import dev.contexture.turn.FileReport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of other programs: read, stored, stored once, and exported into an equal state. */
class FileImportTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final Scope.OfUser ANN = SHOP.user("ann");
  private static final Instant TS = Instant.parse("2026-05-06T07:08:09Z");

  @TempDir Path first;
  @TempDir Path second;
  private Contexture engine;

  @BeforeEach
  void open() {
    engine = Contexture.open(first);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static String file(ForeignFormat format) throws Exception {
    String name = format.name().toLowerCase(Locale.ROOT);
    boolean lines = format == ForeignFormat.MCP_MEMORY || format == ForeignFormat.CLAUDE_CODE;
    String path = "/dev/contexture/provider/imports/" + name + (lines ? ".jsonl" : ".json");
    try (InputStream in = FileImportTest.class.getResourceAsStream(path)) {
      return new String(Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private ImportedFile read(ForeignFormat format) throws Exception {
    ImportedFile.Options options = ImportedFile.Options.named("ferry").at(TS);
    boolean ownerless = format == ForeignFormat.MCP_MEMORY;
    return engine.files().read(file(format), ownerless ? options.agent("atlas") : options);
  }

  private FileReport take(ForeignFormat format) throws Exception {
    return engine.files().store(ANN, read(format));
  }

  private List<Block> blocks(String conversation) {
    return engine
        .store()
        .readRange(ANN.conversation(conversation), 1, Long.MAX_VALUE, Store.MAX_PAGE)
        .stream()
        .map(stored -> stored.block())
        .toList();
  }

  private List<StoredTurn> turns(String conversation) {
    return engine.store().turns(ANN.conversation(conversation), null, Store.MAX_PAGE);
  }

  /** What was said and done, one line for each block. */
  private List<String> said(String conversation) {
    List<String> said = new ArrayList<>();
    for (Block block : blocks(conversation)) {
      if (!block.type().equals(BlockType.TURN_HEADER)) {
        String text =
            block.data().isPresent() ? block.mime() : block.text().orElse("").replace("\n", " ");
        said.add(block.type().name() + (block.isError() ? "!" : "") + ": " + text);
      }
    }
    return said;
  }

  private byte[] archive(Contexture of) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    of.archives().exportUser(ANN, out);
    return out.toByteArray();
  }

  private static List<String> content(byte[] archive) {
    List<String> lines = new String(archive, StandardCharsets.UTF_8).lines().toList();
    return lines.subList(1, lines.size() - 1).stream()
        .map(line -> line.replaceFirst(",\"sha256\":\"[0-9a-f]{64}\"}$", ""))
        .map(line -> line.replaceFirst("\"settings_version\":\\d+", ""))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void isFoundOutStoredOnceAndExportedIntoAnEqualState(ForeignFormat format) throws Exception {
    FileReport stored = take(format);
    assertThat(stored.chats()).allSatisfy(chat -> assertThat(chat.turns()).isPositive());
    assertThat(stored.chats()).allMatch(chat -> chat.chat().format() == format);
    assertThat(stored.memory()).allMatch(block -> block.stored() && block.format() == format);
    byte[] before = archive(engine);

    FileReport again = take(format);
    assertThat(again.chats()).allMatch(chat -> chat.turns() == 0 && chat.blocks() == 0);
    assertThat(again.memory()).noneMatch(FileReport.MemoryWrite::stored);
    assertThat(content(archive(engine))).isEqualTo(content(before));

    try (Contexture other = Contexture.open(second)) {
      other.archives().importArchive(SHOP, new ByteArrayInputStream(before));
      assertThat(content(archive(other))).isEqualTo(content(before));
      for (FileReport.ChatImport chat : stored.chats()) {
        Scope.OfConversation one = ANN.conversation(chat.chat().id());
        assertThat(other.browser(one).render(dev.contexture.render.RenderOptions.defaults()).text())
            .isEqualTo(
                engine.browser(one).render(dev.contexture.render.RenderOptions.defaults()).text());
      }
    }
  }

  @Test
  void keepsMessagesOfOpenAi() throws Exception {
    take(ForeignFormat.OPENAI);
    assertThat(said("ferry"))
        .containsExactly(
            "user.prompt: Is the ferry to Gudhjem running?",
            "user.attachment.meta: ",
            "user.attachment: image/png",
            "react.tool.call: {\"tool_id\":\"timetable\",\"tool_call_id\":\"tc_call_f1\","
                + "\"params\":{\"line\":\"Gudhjem\"}}",
            "react.tool.call: {\"tool_id\":\"wind\",\"tool_call_id\":\"tc_call_f2\",\"params\":{}}",
            "react.tool.result: cancelled",
            "react.tool.result: 12 m/s",
            "assistant.completion: No, it is cancelled because of the wind.",
            "user.prompt: And tomorrow?",
            "react.tool.call: {\"tool_id\":\"timetable\",\"tool_call_id\":\"tc_imp_7_0\","
                + "\"params\":{\"day\":1}}",
            "react.tool.result: 08:10",
            "assistant.completion: Tomorrow it leaves at 08:10.");
    JsonObject meta = turns("ferry").getFirst().row().meta().object("import").orElseThrow();
    assertThat(meta.toJson())
        .isEqualTo(
            "{\"format\":\"openai\",\"model\":\"gpt-5.4\","
                + "\"instructions\":[\"Answer in one sentence.\"]}");
    assertThat(turns("ferry").getFirst().row().startedAt())
        .isEqualTo(Instant.ofEpochSecond(1_767_323_045));
  }

  @Test
  void keepsItemsOfResponses() throws Exception {
    take(ForeignFormat.OPENAI_RESPONSES);
    assertThat(said("ferry"))
        .contains("react.tool.result: cancelled", "assistant.completion: No, it is cancelled.")
        .anyMatch(line -> line.startsWith("model.opaque: {\"type\":\"reasoning\""))
        .endsWith("assistant.completion: Tomorrow it leaves at 08:10.");
  }

  /** What is thought goes back to its maker only, and to the same model. */
  @Test
  void keepsWhatModelsThink() throws Exception {
    take(ForeignFormat.ANTHROPIC);
    Block thought =
        blocks("ferry").stream()
            .filter(block -> block.type().equals(BlockType.MODEL_OPAQUE))
            .findFirst()
            .orElseThrow();
    assertThat(thought.meta().string("provider")).hasValue("anthropic");
    assertThat(thought.meta().string("model")).hasValue("claude-opus-5");
    assertThat(engine.browser(ANN.conversation("ferry")).head()).isPresent();
  }

  @Test
  void pairsCallsWithoutIds() throws Exception {
    take(ForeignFormat.GEMINI);
    assertThat(said("ferry"))
        .containsSubsequence(
            "react.tool.result: cancelled",
            "react.tool.result: {\"line\":\"Ystad\",\"runs\":true}",
            "assistant.completion: No, it is cancelled.");
    take(ForeignFormat.SHAREGPT);
    assertThat(said("sg_1"))
        .containsSubsequence(
            "user.prompt: Is the ferry to Gudhjem running?",
            "react.tool.call: {\"tool_id\":\"timetable\",\"tool_call_id\":\"tc_imp_1_0\","
                + "\"params\":{\"line\":\"Gudhjem\"}}",
            "react.tool.result: cancelled",
            "assistant.completion: No, it is cancelled.");
  }

  @Test
  void keepsAllFormsOfLangChain() throws Exception {
    take(ForeignFormat.LANGCHAIN);
    assertThat(said("ferry"))
        .containsSubsequence(
            "user.prompt: Is the ferry to Gudhjem running?",
            "react.notes: One moment.",
            "react.tool.result: cancelled",
            "assistant.completion: No, it is cancelled.",
            "user.prompt: And tomorrow?",
            "assistant.completion: Tomorrow it leaves at 08:10.");
    assertThat(said("ferry").stream().filter(line -> line.startsWith("react.tool.call")))
        .hasSize(1);
    assertThat(turns("ferry").getFirst().row().startedAt())
        .isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
  }

  @Test
  void keepsMessagesOfLangChain4j() throws Exception {
    take(ForeignFormat.LANGCHAIN4J);
    assertThat(said("ferry"))
        .containsSubsequence(
            "user.attachment: image/png",
            "react.notes: One moment.",
            "react.tool.result: cancelled",
            "assistant.completion: No, it is cancelled.");
    assertThat(turns("ferry").getFirst().row().startedAt()).isEqualTo(TS);
  }

  @Test
  void keepsTheStepsOfOneMessageApart() throws Exception {
    take(ForeignFormat.VERCEL_AI);
    assertThat(said("trip-7"))
        .containsSubsequence(
            "user.prompt: Is the ferry to Gudhjem running?",
            "react.tool.result: {\"status\":\"cancelled\"}",
            "react.tool.result!: no sensor",
            "assistant.completion: No, it is cancelled.",
            "react.tool.result: 08:10",
            "assistant.completion: Tomorrow it leaves at 08:10.");
  }

  @Test
  void takesTheCurrentBranchOfAnExport() throws Exception {
    FileReport report = take(ForeignFormat.CHATGPT);
    assertThat(report.chats()).hasSize(2);
    String id = "6957a0e5-0c11-4f7e-9a55-0d3f1c2b7a10";
    assertThat(said(id))
        .containsSubsequence(
            "user.prompt: Is the ferry to Gudhjem running?",
            "react.tool.call: {\"tool_id\":\"python\",\"tool_call_id\":\"tc_imp_3_0\","
                + "\"params\":{\"input\":\"timetable('Gudhjem')\"}}",
            "react.tool.result: cancelled",
            "assistant.completion: No, it is cancelled.",
            "user.prompt: And tomorrow?")
        .noneMatch(line -> line.contains("edited"));
    assertThat(engine.browser(ANN.conversation(id)).title()).hasValue("Ferry to Gudhjem");
    assertThat(turns(id).getFirst().row().startedAt())
        .isEqualTo(Instant.parse("2026-01-02T03:04:06.500Z"));
    assertThat(blocks(id).getLast().ts()).hasValue(Instant.ofEpochSecond(1_767_323_060));
    Block answer =
        blocks(id).stream()
            .filter(block -> block.type().equals(BlockType.ASSISTANT_COMPLETION))
            .findFirst()
            .orElseThrow();
    assertThat(answer.meta().object("import").orElseThrow().string("model"))
        .hasValue("gpt-5-4-thinking");
  }

  @Test
  void keepsConversationsOfClaude() throws Exception {
    assertThat(take(ForeignFormat.CLAUDE).chats()).hasSize(1);
    assertThat(said("1f0c2f9e-8f0e-4c57-9a3e-3a8f6f3f0c01"))
        .containsSubsequence(
            "user.prompt: Is the ferry to Gudhjem running?  [plan.txt] Line 1: Gudhjem",
            "react.tool.result: cancelled",
            "assistant.completion: No, it is cancelled.",
            "user.prompt: And tomorrow?");
  }

  @Test
  void leavesOutWhatIsNoPartOfASession() throws Exception {
    FileReport report = take(ForeignFormat.CLAUDE_CODE);
    String id = "5d2e0f4c-6b1f-4b7e-9a35-6a7b8c9d0e1f";
    assertThat(said(id))
        .containsSubsequence(
            "user.prompt: Is the ferry to Gudhjem running?",
            "react.tool.result: cancelled",
            "react.tool.result!: no such file",
            "assistant.completion: No, it is cancelled.",
            "user.prompt: And tomorrow?")
        .noneMatch(line -> line.contains("sub-agent") || line.contains("taken back"))
        .noneMatch(line -> line.contains("Caveat") || line.contains("being continued"));
    assertThat(report.chats().getFirst().chat().history().instructions())
        .extracting(each -> each.text())
        .containsExactly(
            "This session is being continued from a previous conversation: the ferry is cancelled.",
            "Caveat: what follows was written by local commands.");
    assertThat(engine.browser(ANN.conversation(id)).title()).hasValue("Ferry timetable");
    assertThat(turns(id).getLast().row().startedAt())
        .isEqualTo(Instant.parse("2026-01-02T03:04:20Z"));
  }

  @Test
  void keepsTheAgentOfAnAgentFileAndItsMemory() throws Exception {
    FileReport report = take(ForeignFormat.LETTA);
    assertThat(said("Harbour-Helper"))
        .containsSubsequence(
            "user.prompt: Is the ferry to Gudhjem running?",
            "react.tool.result: cancelled",
            "assistant.completion: No, it is cancelled.");
    assertThat(turns("Harbour-Helper"))
        .allMatch(turn -> "Harbour-Helper".equals(turn.row().agent()));
    assertThat(report.memory()).hasSize(2);
    assertThat(engine.memory(SHOP).forUser("ann").getRenderedContent("Harbour-Helper", "human"))
        .hasValue("Ann lives in Svaneke.");
  }

  @Test
  void makesABlockOfEachEntity() throws Exception {
    take(ForeignFormat.MCP_MEMORY);
    MemoryStore memory = engine.memory(SHOP).forUser("ann");
    String label = EntityShape.label("Ann Holm");
    DocumentSnapshot ann = memory.getSnapshot("atlas", label).orElseThrow();
    assertThat(ann.schema()).isEqualTo(EntityShape.SCHEMA);
    assertThat(ann.value().toJson())
        .isEqualTo(
            "{\"entity\":{\"name\":\"Ann Holm\",\"type\":\"person\"},"
                + "\"observations\":[\"lives in Svaneke\",\"takes the early ferry\"],"
                + "\"relations\":[{\"to\":\"Gudhjem\",\"type\":\"works_in\"}]}");
    BlockMetadata block = memory.getBlockMetadata("atlas", label).orElseThrow();
    assertThat(block.permission()).isEqualTo(MemoryPermission.ADMIN);
    assertThat(block.charLimit()).isEqualTo(EntityShape.BLOCK_CHARS);
    assertThat(memory.listBlocks("atlas"))
        .extracting(BlockMetadata::label)
        .containsExactlyInAnyOrder(label, EntityShape.label("Gudhjem"));
  }

  /** What several lines say of a name comes together; who only begins relations has a block. */
  @Test
  void readsLinesOfAGraphOnce() {
    String entity =
        "{\"type\":\"entity\",\"name\":\"A\",\"entityType\":\"%s\",\"observations\":%s}\n";
    String relation =
        "{\"type\":\"relation\",\"from\":\"B\",\"to\":\"C\",\"relationType\":\"r\"}\n";
    String text =
        entity.formatted("t", "[\"x\",\"x\"]")
            + relation
            + "\n"
            + entity.formatted("u", "[\"x\",\"y\"]")
            + relation;
    List<ImportedMemory> memory = engine.files().read(text, options().agent("atlas")).memory();
    assertThat(memory)
        .extracting(block -> block.content().toJson())
        .containsExactly(
            "{\"entity\":{\"name\":\"A\",\"type\":\"t\"},\"observations\":[\"x\",\"y\"],\"relations\":[]}",
            "{\"entity\":{\"name\":\"B\"},\"observations\":[],"
                + "\"relations\":[{\"to\":\"C\",\"type\":\"r\"}]}");
    for (String wrong :
        List.of(
            text + "\n" + entity.formatted("t", "[1]"),
            text + "\n{\"type\":\"entity\",\"name\":\"A\",\"observations\":[]}",
            text + "\n" + entity.replace("\"A\"", "\" \"").formatted("t", "[]"),
            text + "\n{\"type\":\"relation\",\"from\":\"B\",\"relationType\":\"r\"}")) {
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> engine.files().read(wrong, options().agent("atlas")))
          .withMessageContaining("/line 7/")
          .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.IMPORT_MALFORMED));
    }
  }

  /** A later export of the same conversation adds its new turns. */
  @Test
  void addsWhatALaterExportHasMore() throws Exception {
    String whole = file(ForeignFormat.SHAREGPT);
    String early = whole.substring(0, whole.indexOf(",\n {\"from\": \"human\", \"value\": \"And"));
    ImportedFile.Options options = ImportedFile.Options.named("x").at(TS);
    engine.files().store(ANN, engine.files().read(early + "]}]", options));
    FileReport later = engine.files().store(ANN, engine.files().read(whole, options));
    assertThat(later.chats().getFirst().turns()).isEqualTo(1);
    assertThat(turns("sg_1")).hasSize(2);
  }

  @Test
  void refusesWhatIsInTheWayBeforeAnythingIsStored() throws Exception {
    engine
        .memory(SHOP)
        .createBlock(
            "Harbour-Helper",
            BlockSpec.of("human", MemoryBlockType.CORE).user("ann").content("Somebody else."));
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> take(ForeignFormat.LETTA))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.LABEL_TAKEN));
    assertThat(engine.conversations(ANN, null, 10)).isEmpty();
    ImportedFile memory = engine.files().read(file(ForeignFormat.MCP_MEMORY), options());
    assertThatExceptionOfType(ContextureException.class)
        .isThrownBy(() -> engine.files().store(ANN, memory))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.FIELD_REQUIRED));
  }

  private static ImportedFile.Options options() {
    return ImportedFile.Options.named("x");
  }

  @Test
  void writesMarkdownForPeople() throws Exception {
    take(ForeignFormat.CHATGPT);
    take(ForeignFormat.LETTA);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    engine.archives().writeUser(ANN, out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            "# Ferry to Gudhjem (6957a0e5-0c11-4f7e-9a55-0d3f1c2b7a10)",
            "**User**\n\nIs the ferry to Gudhjem running?",
            "**Assistant**\n\nNo, it is cancelled.",
            "```\ncancelled\n```",
            "## Harbour-Helper/human of ann",
            "Ann lives in Svaneke.");
  }
}
