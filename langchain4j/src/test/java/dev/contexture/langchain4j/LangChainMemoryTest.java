package dev.contexture.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.ClearPolicy;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.service.AiServices;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LangChainMemoryTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");
  private static final String ID = "ann/c1";
  private static final UserMessage ASK = UserMessage.from("Where is O-1?");

  @TempDir Path directory;
  private Contexture engine;
  private LangChainContext context;

  /** An AI service as people write it first: without a memory id. */
  interface Careless {
    String chat(String text);
  }

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    context = LangChainContext.builder(engine, SCOPE).model("claude-opus-5").build();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private ContextBrowser chat() {
    return engine.browser(SCOPE.user("ann").conversation("c1"));
  }

  private static void assertCode(Throwable thrown, ErrorCode code) {
    assertThat(thrown).isInstanceOf(ContextureException.class);
    assertThat(((ContextureException) thrown).code()).isEqualTo(code);
  }

  private static ToolExecutionResultMessage result(@Nullable String id, String tool, String text) {
    return ToolExecutionResultMessage.builder().id(id).toolName(tool).text(text).build();
  }

  @Test
  void idsThatLangChainMakesUpAreRefused() {
    assertThatThrownBy(() -> context.memories().get("default"))
        .satisfies(thrown -> assertCode(thrown, ErrorCode.SCOPE_REQUIRED))
        .hasMessageContaining("@MemoryId");
    assertThatThrownBy(() -> context.memory(null))
        .satisfies(thrown -> assertCode(thrown, ErrorCode.SCOPE_REQUIRED));
    ScriptedChatModel model = new ScriptedChatModel(request -> AiMessage.from("hello"));
    Careless careless = context.wire(AiServices.builder(Careless.class).chatModel(model)).build();
    assertThatThrownBy(() -> careless.chat("hi")).hasStackTraceContaining("@MemoryId");
    assertThat(model.sent).isEmpty();
  }

  @Test
  void otherIdsMustNameAConversationOfTheScope() {
    assertThat(context.memory(SCOPE.user("ann").conversation("c1")).scope().user())
        .isEqualTo("ann");
    for (Object id :
        List.of("ann", "a/b/c", 42, Scope.of("other", "shop").user("a").conversation("c"))) {
      assertThatThrownBy(() -> context.memory(id))
          .satisfies(thrown -> assertCode(thrown, ErrorCode.INVALID_SCOPE));
    }
  }

  @Test
  void aSystemMessageThatIsAddedAgainStandsOnceAndFirst() {
    LangChainMemory memory = context.memory(ID);
    SystemMessage system = SystemMessage.from("You are Atlas.");
    for (int turn = 0; turn < 3; turn++) {
      memory.add(system);
      memory.add(ASK);
      memory.add(AiMessage.from("In Oslo."));
    }
    assertThat(memory.messages()).hasSize(7).startsWith(system);
    memory.add(SystemMessage.from("You are Boreas."));
    assertThat(memory.messages()).startsWith(SystemMessage.from("You are Boreas."));
  }

  @Test
  void theWholeMemoryIsThereAfterARestart() {
    LangChainMemory memory = context.memory(ID);
    memory.add(SystemMessage.from("You are Atlas."));
    memory.add(ASK);
    memory.add(ScriptedChatModel.thinking("look", ScriptedChatModel.call("x", "order", "{}")));
    memory.add(result("x", "order", "sent"));
    memory.add(AiMessage.from("It is sent."));
    List<ChatMessage> before = memory.messages();
    close();
    open();
    assertThat(context.memory(ID).messages()).isEqualTo(before).hasSize(5);
  }

  @Test
  void callsWithoutIdsAndWithTheSameIdArePairedInTheirOrder() {
    LangChainMemory memory = context.memory(ID);
    memory.add(ASK);
    AiMessage calls =
        AiMessage.from(
            ScriptedChatModel.call(null, "order", "{\"n\":1}"),
            ScriptedChatModel.call(null, "stock", "{\"n\":2}"),
            ScriptedChatModel.call("same", "order", "{\"n\":3}"),
            ScriptedChatModel.call("same", "order", "{\"n\":4}"));
    List<ChatMessage> results =
        List.of(
            result(null, "order", "one"),
            result(null, "stock", "two"),
            result("same", "order", "three"),
            result("same", "order", "four"));
    memory.add(calls);
    memory.add(results.get(1));
    memory.add(results.get(0));
    memory.add(results.get(2));
    memory.add(results.get(3));
    memory.add(AiMessage.from("Done."));
    List<ChatMessage> expected = new ArrayList<>(List.of(ASK, calls));
    expected.addAll(results);
    expected.add(AiMessage.from("Done."));
    assertThat(memory.messages()).isEqualTo(expected);
  }

  @Test
  void aResultWithoutACallIsRefused() {
    LangChainMemory memory = context.memory(ID);
    memory.add(ASK);
    assertThatThrownBy(() -> memory.add(result("nope", "order", "one")))
        .satisfies(thrown -> assertCode(thrown, ErrorCode.UNKNOWN_CALL));
  }

  @Test
  void resultsThatAreRolledBackAreShownOtherwiseAndStayStored() {
    LangChainMemory memory = context.memory(ID);
    memory.add(SystemMessage.from("You are Atlas."));
    memory.add(ASK);
    memory.add(AiMessage.from(ScriptedChatModel.call("a", "book", "{}")));
    memory.add(result("a", "book", "booked"));
    memory.add(AiMessage.from(ScriptedChatModel.call("b", "pay", "{}")));
    memory.add(result("b", "pay", "failed"));
    List<ChatMessage> rewritten = new ArrayList<>(memory.messages());
    rewritten.set(3, result("a", "book", "rolled back"));
    memory.set(rewritten);
    assertThat(((ToolExecutionResultMessage) memory.messages().get(3)).text())
        .endsWith("rolled back") // behind the path of the first text
        .doesNotContain("booked");
    StoredTurn turn = chat().turns(null, 10).getFirst();
    assertThat(chat().turnLog(turn.turn()).blocks())
        .anyMatch(block -> block.block().text().orElse("").equals("booked"));
  }

  @Test
  void noOtherRewriteIsTaken() {
    LangChainMemory memory = context.memory(ID);
    memory.add(ASK);
    memory.add(AiMessage.from("In Oslo."));
    for (List<ChatMessage> wanted :
        List.<List<ChatMessage>>of(List.of(ASK), List.of(ASK, AiMessage.from("In Bergen.")))) {
      assertThatThrownBy(() -> memory.set(wanted))
          .satisfies(thrown -> assertCode(thrown, ErrorCode.INVALID_ARGUMENT));
    }
    assertThat(memory.messages()).containsExactly(ASK, AiMessage.from("In Oslo."));
  }

  @Test
  void clearDoesWhatWasSaid() {
    context.memory(ID).add(ASK);
    assertThatThrownBy(context.memory(ID)::clear).hasMessageContaining("onClear");
    assertThat(context.memory(ID).messages()).hasSize(1);
    for (ClearPolicy policy : List.of(ClearPolicy.KEEP, ClearPolicy.ERASE)) {
      LangChainContext.builder(engine, SCOPE)
          .model("claude-opus-5")
          .onClear(policy)
          .build()
          .memory(ID)
          .clear();
      assertThat(chat().head().isPresent()).isEqualTo(policy == ClearPolicy.KEEP);
    }
  }

  @Test
  void aCallThatFailsLeavesWhatWasSaidAndTheNextOneGoesOn() {
    AtomicReference<@Nullable RuntimeException> failure =
        new AtomicReference<>(new IllegalStateException("overloaded"));
    ScriptedChatModel model =
        new ScriptedChatModel(
            request -> {
              RuntimeException now = failure.getAndSet(null);
              if (now != null) {
                throw now;
              }
              return AiMessage.from("It is sent.");
            });
    ShopTalk.Assistant assistant =
        context.wire(AiServices.builder(ShopTalk.Assistant.class).chatModel(model)).build();
    assertThatThrownBy(() -> assistant.chat(ID, "first")).hasStackTraceContaining("overloaded");
    assertThat(chat().turns(null, 10).getFirst().status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(assistant.chat(ID, "second")).isEqualTo("It is sent.");
    assertThat(String.join("\n", ShopTalk.texts(model.last()))).contains("first", "second");
  }

  @Test
  void aCallThatWasRefusedLeavesNothingBehind() {
    AtomicReference<ShopTalk.Assistant> assistant = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> refused = new AtomicReference<>();
    ScriptedChatModel model =
        new ScriptedChatModel(
            request -> {
              if (refused.get() != null) {
                return AiMessage.from("third is done");
              }
              try {
                return AiMessage.from(assistant.get().chat(ID, "second"));
              } catch (RuntimeException thrown) {
                refused.set(thrown);
                throw new IllegalStateException("first fails", thrown);
              }
            });
    assistant.set(
        context.wire(AiServices.builder(ShopTalk.Assistant.class).chatModel(model)).build());
    assertThatThrownBy(() -> assistant.get().chat(ID, "first"))
        .hasStackTraceContaining("first fails");
    assertThat(chat().turns(null, 10).getFirst().status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(assistant.get().chat(ID, "third")).isEqualTo("third is done");
  }

  @Test
  void aSecondCallAtTheSameTimeIsRefusedAndTheFirstEndsWell() {
    AtomicReference<ShopTalk.Assistant> assistant = new AtomicReference<>();
    List<Throwable> refused = new ArrayList<>();
    ScriptedChatModel model =
        new ScriptedChatModel(
            request -> {
              try {
                assistant.get().chat(ID, "second");
              } catch (RuntimeException thrown) {
                refused.add(thrown);
              }
              return AiMessage.from("first is done");
            });
    assistant.set(
        context.wire(AiServices.builder(ShopTalk.Assistant.class).chatModel(model)).build());
    assertThat(assistant.get().chat(ID, "first")).isEqualTo("first is done");
    assertThat(refused).hasSize(1);
    assertThat(refused.getFirst()).hasStackTraceContaining("is being worked on");
    assertThat(context.memory(ID).messages())
        .contains(UserMessage.from("first"), AiMessage.from("first is done"))
        .doesNotContain(UserMessage.from("second"));
  }

  @Test
  void aRefusedCallDoesNotChangeWhatTheRunningOneIsTold() {
    AtomicReference<ShopTalk.Assistant> assistant = new AtomicReference<>();
    AtomicReference<String> systemNow = new AtomicReference<>("first system");
    List<Throwable> refused = new ArrayList<>();
    ScriptedChatModel model =
        new ScriptedChatModel(
            request -> {
              if (!ScriptedChatModel.begins(request)) {
                return AiMessage.from("done");
              }
              systemNow.set("second system");
              try {
                assistant.get().chat(ID, "second");
              } catch (RuntimeException thrown) {
                refused.add(thrown);
              }
              return AiMessage.from(ScriptedChatModel.call("a", "order", "{\"number\":\"O-1\"}"));
            });
    assistant.set(
        context
            .wire(AiServices.builder(ShopTalk.Assistant.class).chatModel(model))
            .systemMessageTransformer(unused -> systemNow.get())
            .tools(new ShopTalk.Shop())
            .build());
    assertThat(assistant.get().chat(ID, "first")).isEqualTo("done");
    assertThat(refused).hasSize(1);
    assertThat(model.sent)
        .hasSize(2)
        .allMatch(sent -> sent.messages().getFirst().equals(SystemMessage.from("first system")));
    assertThat(context.memory(ID).messages()).startsWith(SystemMessage.from("first system"));
  }

  @Test
  void whatWasSaidInATurnIsNotHeldWhenTheTurnEnds() throws IllegalAccessException {
    LangChainMemory memory = context.memory(ID);
    memory.add(ASK);
    memory.messages();
    memory.add(AiMessage.from("In Oslo."));
    List<String> held = new ArrayList<>();
    for (java.lang.reflect.Field field : LangChainMemory.class.getDeclaredFields()) {
      field.setAccessible(true);
      Object value = field.get(memory);
      if (value instanceof ChatMessage || value instanceof dev.contexture.Turn) {
        held.add(field.getName());
      }
    }
    assertThat(held).isEmpty();
  }

  @Test
  void contentThatCannotBeKeptIsRefusedBeforeAnythingIsStored() {
    LangChainMemory memory = context.memory(ID);
    assertThatThrownBy(
            () -> memory.add(UserMessage.from(AudioContent.from("https://example.org/a.mp3"))))
        .satisfies(thrown -> assertCode(thrown, ErrorCode.INVALID_ARGUMENT));
    assertThat(chat().head()).isEmpty();
  }

  @Test
  void theNewestMessagesAreMarkedForTheCacheOfAnthropicAlone() {
    for (String name : List.of("claude-opus-5", "gpt-5.6-terra")) {
      LangChainContext other =
          LangChainContext.builder(engine, SCOPE)
              .model(name)
              .ids(id -> SCOPE.user("ann").conversation(name))
              .build();
      ScriptedChatModel model =
          new ScriptedChatModel(
              request ->
                  ScriptedChatModel.begins(request)
                      ? AiMessage.from(ScriptedChatModel.call("a", "order", "{\"number\":\"1\"}"))
                      : AiMessage.from("It is sent."));
      ShopTalk.Assistant assistant =
          other
              .wire(
                  AiServices.builder(ShopTalk.Assistant.class)
                      .chatModel(model)
                      .tools(new ShopTalk.Shop()))
              .build();
      for (int turn = 0; turn < 12; turn++) {
        assistant.chat("any", "Where is it?");
      }
      List<Integer> marked = new ArrayList<>();
      for (int i = 0; i < model.last().size(); i++) {
        Object mark =
            switch (model.last().get(i)) {
              case UserMessage said -> said.attributes().get("cache_control");
              case ToolExecutionResultMessage said -> said.attributes().get("cache_control");
              case AiMessage said -> said.attributes().get("cache_control");
              default -> null;
            };
        if (mark != null) {
          assertThat(mark).isEqualTo("ephemeral");
          marked.add(i);
        }
      }
      if (name.startsWith("claude")) {
        assertThat(marked).hasSize(2).contains(model.last().size() - 1);
      } else {
        assertThat(marked).isEmpty();
      }
    }
  }

  /** Pictures that a model made are objects, which the codec of LangChain4j cannot write. */
  @Test
  void attributesOfAnswersComeBackAlsoPicturesAndNumbersAsTheyWereWritten() {
    Image image = Image.builder().base64Data("AAEC").mimeType("image/png").build();
    AiMessage answer =
        AiMessage.builder()
            .text("Here.")
            .attributes(Map.of("generated_images", List.of(image), "score", 3))
            .toolExecutionRequests(List.of(ScriptedChatModel.call("a", "pay", "{ \"sum\": 1.50 }")))
            .build();
    context.memory(ID).add(ASK);
    context.memory(ID).add(answer);
    context.memory(ID).add(result("a", "pay", "paid"));
    close();
    open();
    assertThat(context.memory(ID).messages()).contains(answer);
  }

  @Test
  void picturesComeBack() {
    String data =
        Base64.getEncoder().encodeToString("not a real one".getBytes(StandardCharsets.UTF_8));
    LangChainMemory memory = context.memory(ID);
    memory.add(
        UserMessage.from(TextContent.from("What is this?"), ImageContent.from(data, "image/png")));
    UserMessage shown = UserMessage.findLast(memory.messages()).orElseThrow();
    assertThat(shown.contents()).contains(ImageContent.from(data, "image/png"));
  }

  @Test
  void retrievedContentIsSentAndNotStored() {
    ScriptedChatModel model = new ScriptedChatModel(request -> AiMessage.from("Until six."));
    ShopTalk.Assistant assistant =
        context
            .wire(AiServices.builder(ShopTalk.Assistant.class).chatModel(model))
            .contentRetriever(query -> List.of(Content.from("The shop is open until 18:00.")))
            .storeRetrievedContentInChatMemory(false)
            .build();
    assistant.chat(ID, "How long are you open?");
    assertThat(String.join("\n", ShopTalk.texts(model.last()))).contains("until 18:00");
    assistant.chat(ID, "Thank you.");
    assertThat(String.join("\n", ShopTalk.texts(context.memory(ID).messages())))
        .contains("How long are you open?")
        .doesNotContain("18:00");
  }
}
