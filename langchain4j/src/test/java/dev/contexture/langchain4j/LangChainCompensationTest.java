package dev.contexture.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.store.StoredTurn;
import dev.contexture.timeline.TurnStatus;
import dev.langchain4j.agent.tool.CompensateFor;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What LangChain4j takes back: tools that are rolled back, messages. Its oldest versions cannot do
 * that.
 */
class LangChainCompensationTest {
  private static final Scope SCOPE = Scope.of("acme", "shop");

  @TempDir Path directory;

  /** Books, and cannot be paid. */
  static final class Desk {
    final List<String> done = new ArrayList<>();

    @Tool("Books a room")
    String book() {
      done.add("booked");
      return "room 7 is booked";
    }

    @CompensateFor("book")
    void cancel() {
      done.add("cancelled");
    }

    @Tool("Pays")
    String pay() {
      if (!done.isEmpty()) {
        throw new IllegalStateException("the card is refused");
      }
      return "paid";
    }
  }

  @Test
  void whatIsRolledBackIsShownAsRolledBackAndStaysStored() {
    ScriptedChatModel model =
        new ScriptedChatModel(
            request -> {
              List<String> said = ShopTalk.texts(request.messages());
              if (said.getLast().contains("user: ")) {
                return AiMessage.from(ScriptedChatModel.call("a", "book", "{}"));
              }
              return said.getLast().contains("room 7")
                  ? AiMessage.from(ScriptedChatModel.call("b", "pay", "{}"))
                  : AiMessage.from("It did not work.");
            });
    Desk desk = new Desk();
    try (Contexture engine = Contexture.open(directory)) {
      LangChainContext context =
          LangChainContext.builder(engine, SCOPE).model("claude-opus-5").build();
      ShopTalk.Assistant assistant =
          context
              .wire(AiServices.builder(ShopTalk.Assistant.class).chatModel(model).tools(desk))
              .compensateOnToolErrors(true)
              .build();
      assertThat(assistant.chat("ann/c1", "A room, please.")).isEqualTo("It did not work.");
      assertThat(desk.done).containsExactly("booked", "cancelled");
      String last = String.join("\n", ShopTalk.texts(model.last()));
      assertThat(last).contains("rolled back", "the card is refused").doesNotContain("room 7 is");
      assertThat(ShopTalk.orphans(model.last())).isZero();

      ContextBrowser chat = engine.browser(SCOPE.user("ann").conversation("c1"));
      StoredTurn turn = chat.turns(null, 10).getFirst();
      assertThat(turn.status()).isEqualTo(TurnStatus.COMPLETE);
      assertThat(chat.turnLog(turn.turn()).blocks())
          .anyMatch(block -> block.block().text().orElse("").equals("room 7 is booked"));
    }
  }

  /** The conversation is append-only: what a guard wants removed stays, and the caller is told. */
  @Test
  void aGuardCannotRemoveWhatWasSaid() {
    ScriptedChatModel model = new ScriptedChatModel(request -> AiMessage.from("Soon."));
    OutputGuardrail removing =
        new OutputGuardrail() {
          @Override
          public OutputGuardrailResult validate(AiMessage answer) {
            return fatalWithMessageRemoval("no date");
          }
        };
    try (Contexture engine = Contexture.open(directory)) {
      LangChainContext context =
          LangChainContext.builder(engine, SCOPE).model("claude-opus-5").build();
      ShopTalk.Assistant guarded =
          context
              .wire(AiServices.builder(ShopTalk.Assistant.class).chatModel(model))
              .outputGuardrails(removing)
              .build();
      assertThatThrownBy(() -> guarded.chat("ann/c1", "When?"))
          .hasMessageContaining("is not cleared");
      ContextBrowser chat = engine.browser(SCOPE.user("ann").conversation("c1"));
      assertThat(ShopTalk.texts(context.memory("ann/c1").messages()))
          .anyMatch(text -> text.contains("When?"))
          .anyMatch(text -> text.contains("Soon."));
      assertThat(chat.turns(null, 10).getFirst().status()).isEqualTo(TurnStatus.COMPLETE);
    }
  }
}
