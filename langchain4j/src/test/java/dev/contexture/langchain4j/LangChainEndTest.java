package dev.contexture.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Block;
import dev.contexture.block.Scope;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.UserMessage;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that end otherwise than with the answer of a model. */
class LangChainEndTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");
  private static final String ID = "ann/c1";
  private static final String ASK_AGAIN = "Say when.";

  @TempDir Path directory;
  @AutoClose private Contexture engine;
  private LangChainContext context;

  /** What users write. */
  interface Assistant {
    Result<String> chat(@MemoryId Object id, @UserMessage String text);
  }

  /** Tools that end a call, and that never do. */
  static final class Desk {
    @Tool(value = "Looks an order up and tells the user", returnBehavior = ReturnBehavior.IMMEDIATE)
    String told() {
      return "O-1 is sent.";
    }

    @Tool("Asks for more")
    String more() {
      return "more is needed";
    }
  }

  /** Wants a date in each answer. */
  static final class DateGuard implements OutputGuardrail {
    @Override
    public OutputGuardrailResult validate(AiMessage answer) {
      return answer.text().contains("Monday") ? success() : reprompt("no date", ASK_AGAIN);
    }
  }

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
    context =
        LangChainContext.builder(engine, SCOPE).model("claude-opus-5").maxTokens(6_000).build();
  }

  private ContextBrowser chat() {
    return engine.browser(SCOPE.user("ann").conversation("c1"));
  }

  private StoredTurn newest() {
    return chat().turns(null, 100).getLast();
  }

  private String texts(StoredTurn turn) {
    return String.join(
        "\n",
        chat().turnLog(turn.turn()).blocks().stream()
            .map(StoredBlock::block)
            .map(Block::text)
            .flatMap(Optional::stream)
            .toList());
  }

  private static ScriptedChatModel calling(String tool) {
    return new ScriptedChatModel(
        request -> AiMessage.from(ScriptedChatModel.call(null, tool, "{}")));
  }

  private AiServices<Assistant> service(ScriptedChatModel model) {
    return context.wire(AiServices.builder(Assistant.class).chatModel(model).tools(new Desk()));
  }

  @Test
  void aToolThatAnswersAtOnceFinishesTheTurn() {
    ScriptedChatModel model = calling("told");
    service(model).build().chat(ID, "Where is O-1?");
    assertThat(model.sent).hasSize(1);
    assertThat(newest().status()).isEqualTo(TurnStatus.COMPLETE);
    assertThat(texts(newest())).contains("Where is O-1?", "O-1 is sent.");
    ScriptedChatModel next = new ScriptedChatModel(request -> AiMessage.from("Yes."));
    assertThat(service(next).build().chat(ID, "Sure?").content()).isEqualTo("Yes.");
    assertThat(ShopTalk.orphans(next.last())).isZero();
  }

  @Test
  @SuppressWarnings("deprecation") // the oldest version that is tested has no other name for it
  void aLoopThatIsCutInterruptsTheTurnAndWhatWasDoneStays() {
    ScriptedChatModel model = calling("more");
    Assistant endless = service(model).maxSequentialToolsInvocations(3).build();
    assertThatThrownBy(() -> endless.chat(ID, "Find it.")).isInstanceOf(RuntimeException.class);
    assertThat(newest().status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(texts(newest())).contains("Find it.", "more is needed");
    ScriptedChatModel next = new ScriptedChatModel(request -> AiMessage.from("Yes."));
    assertThat(service(next).build().chat(ID, "Still there?").content()).isEqualTo("Yes.");
    assertThat(ShopTalk.orphans(next.last())).isZero();
    assertThat(String.join("\n", ShopTalk.texts(next.last()))).contains("Find it.");
  }

  /** LangChain4j asks again behind the request transformer, with the messages of the memory. */
  @Test
  void whatAGuardAsksAgainFitsTheBudgetAndIsNotStored() {
    Deque<String> answers = new ArrayDeque<>();
    ScriptedChatModel model =
        new ScriptedChatModel(request -> AiMessage.from(answers.removeFirst()));
    Assistant plain = service(model).build();
    for (int turn = 1; turn <= 12; turn++) {
      answers.add("Order " + turn + ": " + "wool, ".repeat(150));
      plain.chat(ID, "What is in order " + turn + "?");
    }
    Assistant guarded = service(model).outputGuardrails(new DateGuard()).build();
    answers.addAll(List.of("It comes soon.", "It comes on Monday."));
    assertThat(guarded.chat(ID, "When does it come?").content()).isEqualTo("It comes on Monday.");
    assertThat(ShopTalk.text(model.last().getLast())).contains(ASK_AGAIN);
    assertThat(String.join("\n", ShopTalk.texts(model.last()))).contains("It comes soon.");
    assertThat(ShopTalk.tokens(model.last())).isLessThanOrEqualTo(ShopTalk.HISTORY + 50);
    assertThat(newest().status()).isEqualTo(TurnStatus.COMPLETE);
    assertThat(texts(newest())).contains("It comes soon.").doesNotContain("Monday", ASK_AGAIN);
  }
}
