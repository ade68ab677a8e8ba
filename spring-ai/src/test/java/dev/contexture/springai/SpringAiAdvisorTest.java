package dev.contexture.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.util.MimeTypeUtils;

class SpringAiAdvisorTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");

  @TempDir Path directory;
  @AutoClose private Contexture engine;
  private SpringAiContext context;

  /** Tools that do not simply give a text to the model. */
  static final class OddTools {
    @Tool(description = "Fails beyond repair")
    String broken() {
      return fail("the shelf fell over");
    }

    @Tool(description = "Says it to the user at once", returnDirect = true)
    String direct() {
      return "straight from the tool";
    }
  }

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    context = SpringAiContext.builder(engine, SCOPE).model("claude-opus-5").build();
  }

  private ContextBrowser chat() {
    return engine.browser(SCOPE.user("ann").conversation("c1"));
  }

  private List<String> texts(int turn) {
    StoredTurn stored = chat().turns(null, 100).get(turn);
    return chat().turnLog(stored.turn()).blocks().stream()
        .map(StoredBlock::block)
        .map(Block::text)
        .flatMap(Optional::stream)
        .toList();
  }

  private TurnStatus status(int turn) {
    return chat().turns(null, 100).get(turn).status();
  }

  private ChatClient client(SpringScript model) {
    return context.wire(ChatClient.builder(model)).build();
  }

  private static ChatClient.ChatClientRequestSpec ask(ChatClient client, String text) {
    return client.prompt(text).advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "ann/c1"));
  }

  private static void assertCode(Throwable thrown, ErrorCode code) {
    assertThat(thrown).isInstanceOf(ContextureException.class);
    assertThat(((ContextureException) thrown).code()).isEqualTo(code);
  }

  /** Calls a tool first, then says something. */
  private static SpringScript calling(String tool) {
    return new SpringScript(
        prompt ->
            SpringScript.begins(prompt)
                ? List.of(SpringScript.calling(SpringScript.call("k", tool, "{}")))
                : List.of(new AssistantMessage("Done.")));
  }

  @Test
  void aConversationMustBeNamedAndBeOfTheScope() {
    SpringScript model = SpringScript.saying("hello");
    assertThatThrownBy(() -> client(model).prompt("hi").call().content())
        .satisfies(thrown -> assertCode(thrown, ErrorCode.SCOPE_REQUIRED))
        .hasMessageContaining("ChatMemory.CONVERSATION_ID");
    assertThatThrownBy(() -> context.scope("default"))
        .satisfies(thrown -> assertCode(thrown, ErrorCode.SCOPE_REQUIRED));
    for (Object id :
        List.of("ann", "a/b/c", 42, Scope.of("other", "shop").user("a").conversation("c"))) {
      assertThatThrownBy(() -> context.scope(id))
          .satisfies(thrown -> assertCode(thrown, ErrorCode.INVALID_SCOPE));
    }
    assertThat(context.scope(SCOPE.user("ann").conversation("c1")).user()).isEqualTo("ann");
    assertThat(model.sent).isEmpty();
  }

  @Test
  void anEmptySystemMessageIsNeverSent() {
    SpringScript model = calling("order");
    ask(client(model), "Where is O-1?").tools(new SpringShop.Orders()).call().content();
    ask(client(model), "And now?").tools(new SpringShop.Orders()).stream()
        .content()
        .blockLast(Duration.ofMinutes(1));
    assertThat(model.sent).hasSize(4);
    List<String> first = SpringShop.texts(model.sent.getFirst());
    assertThat(SpringShop.texts(model.last()).subList(0, first.size())).isEqualTo(first);
    assertThat(model.sent)
        .allMatch(messages -> messages.stream().noneMatch(SystemMessage.class::isInstance));
  }

  @Test
  void severalSystemMessagesAreThereInEveryRequest() {
    SpringScript model = calling("order");
    client(model)
        .prompt()
        .messages(
            new SystemMessage("You are Atlas."),
            new SystemMessage("Be brief."),
            new UserMessage("Where is O-1?"))
        .tools(new SpringShop.Orders())
        .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "ann/c1"))
        .call()
        .content();
    assertThat(model.sent)
        .hasSize(2)
        .allMatch(messages -> "You are Atlas.\n\nBe brief.".equals(messages.getFirst().getText()));
  }

  /** As the client of Anthropic gives it: thoughts are messages with a signature. */
  @Test
  void thoughtsThatAreMessagesAreKeptAndAreNoTextOfTheAnswer() {
    SpringScript model =
        new SpringScript(
            prompt ->
                List.of(
                    AssistantMessage.builder()
                        .content("She means wool.")
                        .properties(Map.of("signature", "c2ln"))
                        .build(),
                    AssistantMessage.builder().properties(Map.of("data", "cmVk")).build(),
                    new AssistantMessage("Wool it is.")));
    ask(client(model), "Which socks?").call().chatResponse();
    ask(client(model), "Sure?").call().chatResponse();

    AssistantMessage said = (AssistantMessage) model.last().get(1);
    assertThat(said.getText()).isEqualTo("Wool it is.");
    assertThat(said.getMetadata().get(MessageExtras.THOUGHTS))
        .isEqualTo(
            List.of(
                Map.of("signature", "c2ln", "text", "She means wool."), Map.of("data", "cmVk")));
    assertThat(texts(0)).contains("Wool it is.").doesNotContain("She means wool.");
  }

  @Test
  void thoughtsOfAStreamAreKeptApartFromItsText() {
    SpringScript model =
        new SpringScript(
            prompt ->
                List.of(
                    AssistantMessage.builder()
                        .content("Hm.")
                        .properties(Map.of("thinking", true))
                        .build(),
                    AssistantMessage.builder()
                        .content("")
                        .properties(Map.of("signature", "c2ln"))
                        .build(),
                    new AssistantMessage("Wool.")));
    ask(client(model), "Which socks?").stream().content().blockLast(Duration.ofMinutes(1));
    assertThat(texts(0)).contains("Wool.");
    assertThat(String.join("\n", texts(0))).contains("\"text\":\"Hm.\"", "\"signature\":\"c2ln\"");
  }

  @Test
  void signaturesInBytesGoBackAsTheyCame() {
    byte[] signature = {1, 2, -3};
    SpringScript model =
        new SpringScript(
            prompt ->
                List.of(
                    AssistantMessage.builder()
                        .content("Yes.")
                        .properties(Map.of("thoughtSignatures", List.of(signature)))
                        .build()));
    ask(client(model), "One?").call().content();
    ask(client(model), "Two?").call().content();
    assertThat((List<?>) model.last().get(1).getMetadata().get("thoughtSignatures"))
        .singleElement()
        .isEqualTo(signature);
  }

  @Test
  void aFailureInterruptsTheTurnAndWhatWasDoneStays() {
    SpringScript model = calling("broken");
    assertThatThrownBy(() -> ask(client(model), "Break it.").tools(new OddTools()).call().content())
        .hasStackTraceContaining("the shelf fell over");
    assertThat(status(0)).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(ask(client(SpringScript.saying("Fine.")), "And now?").call().content())
        .isEqualTo("Fine.");
    assertThat(String.join("\n", texts(0))).contains("Break it.", "broken");
  }

  @Test
  void resultsThatGoStraightToTheUserAreStored() {
    SpringScript model = calling("direct");
    for (boolean stream : new boolean[] {false, true}) {
      ChatClient.ChatClientRequestSpec asked = ask(client(model), "Say it.").tools(new OddTools());
      String said =
          stream
              ? asked.stream().content().blockLast(Duration.ofMinutes(1))
              : asked.call().content();
      assertThat(said).contains("straight from the tool");
    }
    assertThat(model.sent).hasSize(2);
    for (int turn = 0; turn < 2; turn++) {
      assertThat(status(turn)).isEqualTo(TurnStatus.COMPLETE);
      assertThat(String.join("\n", texts(turn))).contains("straight from the tool");
    }
  }

  @Test
  void aCancelledStreamKeepsWhatHadArrived() {
    SpringScript model = SpringScript.saying("It rains in Oslo and will rain tomorrow.");
    String heard =
        String.join(
            "",
            ask(client(model), "Weather?").stream()
                .content()
                .take(8)
                .collectList()
                .block(Duration.ofMinutes(1)));
    assertThat(heard).isEqualTo("It rains");
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (status(0) == TurnStatus.OPEN && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(status(0)).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(texts(0)).anyMatch(text -> text.startsWith("It rains"));
    assertThat(ask(client(SpringScript.saying("Yes.")), "Still?").call().content())
        .isEqualTo("Yes.");
  }

  @Test
  void twoCallsAtTheSameTimeDoNotMix() {
    AtomicReference<Throwable> second = new AtomicReference<>();
    SpringScript model =
        new SpringScript(
            prompt -> {
              try {
                ask(client(SpringScript.saying("no")), "Me too!").call().content();
              } catch (ContextureException refused) {
                second.set(refused);
              }
              return List.of(new AssistantMessage("First."));
            });
    assertThat(ask(client(model), "Hello?").call().content()).isEqualTo("First.");
    assertCode(second.get(), ErrorCode.TURN_IN_PROGRESS);
    assertThat(chat().turns(null, 10)).hasSize(1);
  }

  @Test
  void othersThatKeepTheConversationAreRefused() {
    SpringScript model = SpringScript.saying("hello");
    ChatClient both =
        context
            .wire(ChatClient.builder(model))
            .defaultAdvisors(
                MessageChatMemoryAdvisor.builder(MessageWindowChatMemory.builder().build()).build())
            .build();
    ask(both, "One.").call().content();
    ask(both, "Two.").call().content(); // what another memory adds is not sent twice
    assertThat(SpringShop.texts(model.last()).stream().filter(text -> text.contains("One.")))
        .hasSize(1);
    assertThatThrownBy(
            () ->
                client(model)
                    .prompt()
                    .messages(new AssistantMessage("I said."), new UserMessage("You said?"))
                    .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "ann/c1"))
                    .call()
                    .content())
        .satisfies(thrown -> assertCode(thrown, ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("the conversation is kept by the engine");
  }

  @Test
  void advisorsThatCannotWorkSaySo() {
    SpringScript model = SpringScript.saying("hello");
    ChatClient alone =
        ChatClient.builder(model).defaultAdvisors(context.advisors().getLast()).build();
    assertThatThrownBy(() -> ask(alone, "Hi").call().content())
        .satisfies(thrown -> assertCode(thrown, ErrorCode.INVALID_CONFIG));
    ChatClient late =
        context
            .wire(ChatClient.builder(model))
            .defaultAdvisors(
                ToolCallingAdvisor.builder()
                    .toolCallingManager(ToolCallingManager.builder().build())
                    .advisorOrder(SpringAiAdvisor.ORDER + 1)
                    .build())
            .build();
    assertThatThrownBy(() -> ask(late, "Hi").call().content())
        .satisfies(thrown -> assertCode(thrown, ErrorCode.INVALID_CONFIG));
    assertThat(model.sent).isEmpty();
  }

  @Test
  void aRequestThatIsTooLongIsCompactedAndAskedOnceMore() {
    for (int turn = 1; turn <= 12; turn++) {
      String answer = SpringShop.result("O-" + turn).repeat(4);
      ask(client(SpringScript.saying(answer)), "Question " + turn).call().content();
    }
    AtomicInteger asked = new AtomicInteger();
    SpringScript model =
        new SpringScript(
            prompt -> {
              if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("prompt is too long: 250000 tokens > 200000");
              }
              return List.of(new AssistantMessage("Shorter."));
            });
    assertThat(ask(client(model), "Now?").call().content()).isEqualTo("Shorter.");
    assertThat(model.sent).hasSize(2);
    assertThat(chat().summaries()).hasSize(1);
  }

  /** The answer that a client is to read as JSON. */
  record Weather(String city, int degrees) {}

  @Test
  void instructionsAboutTheFormOfAnAnswerAreNotStored() {
    SpringScript model = SpringScript.saying("{\"city\":\"Oslo\",\"degrees\":4}");
    assertThat(ask(client(model), "Weather?").call().entity(Weather.class))
        .isEqualTo(new Weather("Oslo", 4));
    assertThat(model.last().getLast().getText()).contains("JSON");
    assertThat(texts(0)).contains("Weather?").noneMatch(text -> text.contains("JSON Schema"));
  }

  @Test
  void whatOtherAdvisorsAddIsSentInEveryRequestAndNotStored() {
    SpringScript model = calling("order");
    BaseAdvisor adding =
        new BaseAdvisor() {
          @Override
          public String getName() {
            return "adding";
          }

          @Override
          public int getOrder() {
            return HIGHEST_PRECEDENCE + 200; // around the tool loop
          }

          @Override
          public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
            return request
                .mutate()
                .prompt(
                    request
                        .prompt()
                        .augmentUserMessage(
                            said ->
                                said.mutate().text(said.getText() + " [the shelf is red]").build()))
                .build();
          }

          @Override
          public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
            return response;
          }
        };
    ChatClient client =
        context
            .wire(ChatClient.builder(model))
            .defaultAdvisors(adding)
            .defaultTools(new SpringShop.Orders())
            .build();
    ask(client, "Which colour?").call().content();
    assertThat(model.sent)
        .hasSize(2)
        .allMatch(
            messages -> "Which colour? [the shelf is red]".equals(messages.getFirst().getText()));
    assertThat(texts(0)).contains("Which colour?").noneMatch(text -> text.contains("shelf"));
  }

  @Test
  void picturesAreKeptWithTheirBytesAndAddressesAreRefused() {
    byte[] png = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 1};
    SpringScript model = SpringScript.saying("A sock.");
    ChatClient client = client(model);
    client
        .prompt()
        .user(
            user ->
                user.text("What is it?")
                    .media(Media.builder().mimeType(MimeTypeUtils.IMAGE_PNG).data(png).build()))
        .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "ann/c1"))
        .call()
        .content();
    ask(client, "Sure?").call().content();
    for (List<Message> messages : model.sent) {
      assertThat(messages.stream().filter(UserMessage.class::isInstance))
          .flatExtracting(said -> ((UserMessage) said).getMedia())
          .singleElement()
          .satisfies(media -> assertThat(media.getDataAsByteArray()).isEqualTo(png));
    }
    Media address =
        Media.builder()
            .mimeType(MimeTypeUtils.IMAGE_PNG)
            .data(java.net.URI.create("https://example.org/a.png"))
            .build();
    assertThatThrownBy(
            () ->
                client
                    .prompt()
                    .user(user -> user.text("And this?").media(address))
                    .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "ann/c1"))
                    .call()
                    .content())
        .satisfies(thrown -> assertCode(thrown, ErrorCode.INVALID_ARGUMENT));
    assertThat(chat().turns(null, 10)).hasSize(2);
  }
}
