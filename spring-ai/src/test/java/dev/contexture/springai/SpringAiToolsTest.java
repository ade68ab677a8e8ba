package dev.contexture.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.json.JsonValue;
import dev.contexture.search.SearchOptions;
import dev.contexture.turn.ClearPolicy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.document.Document;
import org.springframework.ai.rag.Query;
import org.springframework.ai.rag.advisor.RetrievalAugmentationAdvisor;
import org.springframework.ai.tool.ToolCallback;

/** The tools of an agent, retrieval and the chat memory, each as Spring AI uses them. */
class SpringAiToolsTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");

  @TempDir Path directory;
  private Contexture engine;
  private SpringAiContext context;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    engine.memory(SCOPE).putAgent("atlas", "Atlas", null);
    context = SpringAiContext.builder(engine, SCOPE).model("claude-opus-5").agent("atlas").build();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private List<String> found(String id, String words) {
    return SpringAiRetriever.of(context, SearchOptions.DEFAULT).retrieve(query(id, words)).stream()
        .peek(document -> assertThat(document.getScore()).isNotNull())
        .map(Document::getText)
        .toList();
  }

  private static Query query(String id, String words) {
    return new Query(words, List.of(), Map.of(ChatMemory.CONVERSATION_ID, id));
  }

  @Test
  void theAgentKeepsSomethingForItsUserThroughTheLoop() {
    SpringScript model =
        new SpringScript(
            prompt ->
                SpringScript.begins(prompt)
                    ? List.of(
                        SpringScript.calling(
                            SpringScript.call(
                                "k",
                                "recall",
                                "{\"op\":\"insert\",\"content\":\"Ann wears wool.\"}")))
                    : List.of(new AssistantMessage("Noted.")));
    ChatClient client =
        context.wire(ChatClient.builder(model)).defaultTools(context.tools()).build();
    for (boolean stream : new boolean[] {false, true}) {
      ChatClient.ChatClientRequestSpec asked =
          client
              .prompt("I wear wool.")
              .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "ann/c1"));
      if (stream) {
        asked.stream().content().blockLast();
      } else {
        asked.call().content();
      }
      ToolResponseMessage results = (ToolResponseMessage) model.last().getLast();
      assertThat(results.getResponses().getFirst().responseData()).doesNotContain("error");
    }
    assertThat(found("ann/c2", "wool")).anyMatch(text -> text.contains("Ann wears wool."));
    assertThat(found("bob/c1", "wool")).isEmpty();
  }

  @Test
  void toolsHaveNamesAndSchemasThatProvidersTake() {
    ToolCallback[] tools = context.tools().getToolCallbacks();
    assertThat(tools)
        .extracting(tool -> tool.getToolDefinition().name())
        .containsExactlyInAnyOrder(
            "block",
            "block_edit",
            "recall",
            "search",
            "react_read",
            "react_hide",
            "react_memsearch");
    assertThat(tools)
        .allMatch(
            tool ->
                JsonValue.parse(tool.getToolDefinition().inputSchema())
                    .toJson()
                    .contains("\"type\":\"object\""));
    SpringAiContext without = SpringAiContext.builder(engine, SCOPE).model("claude-opus-5").build();
    assertThat(without.tools().getToolCallbacks())
        .extracting(tool -> tool.getToolDefinition().name())
        .containsExactlyInAnyOrder("react_read", "react_hide", "react_memsearch");
  }

  @Test
  void toolsAndRetrievalNeedAConversation() {
    String search = "{\"query\":\"wool\"}";
    assertThat(Arrays.asList(context.tools().getToolCallbacks()))
        .allSatisfy(
            tool ->
                assertThatThrownBy(() -> tool.call(search))
                    .hasMessageContaining("CONVERSATION_ID"));
    ToolCallback named =
        Arrays.stream(context.tools().getToolCallbacks())
            .filter(tool -> tool.getToolDefinition().name().equals("search"))
            .findFirst()
            .orElseThrow();
    ToolContext given = new ToolContext(Map.of(ChatMemory.CONVERSATION_ID, "ann/c1"));
    assertThat(named.call(search, given)).doesNotContain("CONVERSATION_ID");
    assertThatThrownBy(
            () -> SpringAiRetriever.of(context, SearchOptions.DEFAULT).retrieve(new Query("wool")))
        .hasMessageContaining("CONVERSATION_ID");
  }

  @Test
  void theRetrieverWorksInTheAdvisorOfSpringAndWhatItFindsIsNotStored() {
    context.memory().add("ann/c1", new UserMessage(SpringShop.FACTS));
    context.memory().add("ann/c1", new AssistantMessage("Welcome."));
    SpringScript model = SpringScript.saying("K-4711.");
    RetrievalAugmentationAdvisor advisor =
        RetrievalAugmentationAdvisor.builder()
            .documentRetriever(SpringAiRetriever.of(context, SearchOptions.DEFAULT))
            .order(Advisor.DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER) // around the tool loop
            .build();
    ChatClient client = context.wire(ChatClient.builder(model)).defaultAdvisors(advisor).build();
    String said =
        client
            .prompt("What is my customer number?")
            .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "ann/c2"))
            .call()
            .content();
    assertThat(said).isEqualTo("K-4711.");
    assertThat(String.join("\n", SpringShop.texts(model.last()))).contains("Halvorsen");
    assertThat(String.join("\n", SpringShop.texts(context.memory().get("ann/c2"))))
        .contains("What is my customer number?")
        .doesNotContain("Halvorsen");
  }

  @Test
  void theChatMemoryKeepsWhatTheirAdvisorGivesItAlsoOverARestart() {
    SpringShop shop = new SpringShop();
    for (int turn = 1; turn <= 4; turn++) {
      MessageChatMemoryAdvisor inside =
          MessageChatMemoryAdvisor.builder(context.memory()).order(SpringAiAdvisor.ORDER).build();
      shop.run("ann/c1", turn, turn, false, client -> client.defaultAdvisors(inside));
      close();
      open();
    }
    assertThat(context.memory().get("ann/c1")).hasSize(4 * 4);
    assertThat(SpringShop.texts(context.memory().get("ann/c1")))
        .anyMatch(text -> text.contains(SpringShop.result("O-2")))
        .anyMatch(text -> text.contains("Turn 1: look"));
    assertThat(SpringShop.orphans(context.memory().get("ann/c1"))).isZero();
    assertThat(engine.browser(SCOPE.user("ann").conversation("c1")).turns(null, 10)).hasSize(4);
    assertThat(found("ann/c2", "customer number")).anyMatch(text -> text.contains("K-4711"));
  }

  @Test
  void theChatMemoryIsClearedOnlyIfThatMeansSomething() {
    ChatMemory memory = context.memory();
    memory.add("ann/c1", new AssistantMessage("Welcome."));
    assertThatThrownBy(() -> memory.clear("ann/c1")).hasMessageContaining("onClear");
    assertThatThrownBy(() -> memory.add("default", new AssistantMessage("Hi.")))
        .hasMessageContaining("CONVERSATION_ID");
    assertThatThrownBy(() -> memory.add("ann/c1", new SystemMessage("Be brief.")))
        .hasMessageContaining("belongs into each prompt");
    SpringAiContext erasing =
        SpringAiContext.builder(engine, SCOPE)
            .model("claude-opus-5")
            .onClear(ClearPolicy.ERASE)
            .build();
    erasing.memory().clear("ann/c1");
    assertThat(memory.get("ann/c1")).isEmpty();
  }
}
