package dev.contexture.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.block.Block;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.model.WireFinding;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.request.history.ImportedHistory;
import dev.contexture.seeds.TestSeed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** P-85 to P-89: foreign lists as turns. */
class ImportedHistoriesTest {
  private static final ImportedHistory.Options OPTIONS =
      new ImportedHistory.Options("x1", Instant.parse("2026-01-02T03:04:05Z"), null);

  private static ImportedHistory read(String format, String json) {
    return BuiltInProviders.of(ModelCatalogue.shipped()).importHistory(format, json, OPTIONS);
  }

  private static List<String> types(ImportedHistory.ImportedTurn turn) {
    return turn.blocks().stream().map(block -> block.type().toString()).toList();
  }

  private static List<String> codes(ImportedHistory history) {
    return history.findings().stream()
        .map(WireFinding::code)
        .filter(code -> !code.equals("instruction"))
        .toList();
  }

  /** The vector of P-89. */
  @Test
  void readsTheGoldenBodies() {
    for (String name : List.of("anthropic", "chat")) {
      String format = name.equals("chat") ? "openai" : name;
      ImportedHistory history = read(format, Golden.text(name + "-request.json"));
      assertThat(history.instructions())
          .extracting(ImportedHistory.Instruction::text)
          .containsExactly("You are Atlas, a travel assistant.", "Answer in metric units.");
      assertThat(history.turns()).hasSize(2);
      assertThat(types(history.turns().get(0)))
          .containsExactly(
              "turn.header",
              "user.prompt",
              "react.notes",
              "react.tool.call",
              "react.tool.call",
              "react.tool.result",
              "react.tool.result",
              "assistant.completion");
      assertThat(types(history.turns().get(1)))
          .containsExactly("turn.header", "user.attachment.meta", "user.attachment", "user.prompt");
      assertThat(history.turns())
          .extracting(turn -> turn.id().value())
          .containsExactly("imp_x1_1", "imp_x1_2");
      assertThat(codes(history)).isEmpty();
      assertThat(history.findings()).hasSize(2);
    }
  }

  @Test
  void keepsTheSpellingOfArguments() {
    ImportedHistory history =
        read(
            "anthropic",
            "[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":["
                + "{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{\"x\": 1.0}}]},"
                + "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\","
                + "\"content\":\"r\",\"is_error\":true}]}]");
    Block call = history.turns().getFirst().blocks().get(2);
    assertThat(call.text().orElseThrow()).contains("\"params\":{\"x\":1.0}");
    assertThat(call.meta().string("provider_call_id")).contains("a");
    assertThat(history.turns().getFirst().blocks().get(3).isError()).isTrue();
  }

  @Test
  void repairsBrokenSequences() {
    String call =
        "{\"id\":\"%s\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}";
    String calls =
        "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
            + call.replace("%s", "a")
            + ","
            + call.replace("%s", "b")
            + "]}";
    String list =
        "[{\"role\":\"tool\",\"tool_call_id\":\"z\",\"content\":\"lost\"},"
            + "{\"role\":\"user\",\"content\":\"q\"},"
            + calls
            + ",{\"role\":\"assistant\",\"content\":\"\"},"
            + "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r\"},"
            + "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r2\"},"
            + "{\"role\":\"assistant\",\"content\":\"one\"},"
            + calls
            + ",{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r3\"},"
            + "{\"role\":\"tool\",\"tool_call_id\":\"b\",\"content\":\"r4\"}]";
    ImportedHistory history = read("openai", list);
    assertThat(codes(history)).containsExactly("V06", "V04", "V10", "V10", "V10", "V07");
    assertThat(types(history.turns().get(0))).containsExactly("turn.header", "react.note");
    assertThat(history.turns().get(1).blocks())
        .extracting(block -> block.text().orElse(""))
        .contains("no result recorded", "r3", "r4");
  }

  @Test
  void movesLateResultsBehindTheirCalls() {
    String list =
        "[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"tool_calls\":["
            + "{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"role\":\"user\",\"content\":\"still"
            + " there?\"},{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r\"}]";
    ImportedHistory history = read("openai", list);
    assertThat(codes(history)).containsExactly("V08");
    assertThat(types(history.turns().get(0)))
        .containsExactly("turn.header", "user.prompt", "react.tool.call", "react.tool.result");
  }

  @Test
  void refusesWhatIsNoList() {
    for (String json :
        List.of(
            "{}",
            "[1]",
            "[{\"role\":\"robot\",\"content\":\"x\"}]",
            "[{\"role\":\"user\",\"content\":7}]",
            "[{\"role\":\"user\",\"content\":[7]}]")) {
      assertThatThrownBy(() -> read("openai", json))
          .isInstanceOfSatisfying(
              ContextureException.class,
              refused -> {
                assertThat(refused.code()).isEqualTo(ErrorCode.IMPORT_MALFORMED);
                assertThat(refused.field().orElse("")).startsWith("/messages");
              });
    }
  }

  /** P-89: texts, calls and results of any list, cut and shuffled, are all there afterwards. */
  @Test
  void losesNothing() {
    for (int i = 0; i < TestSeed.tries(500); i++) {
      long seed = TestSeed.of(i);
      Random random = new Random(seed);
      List<String> messages =
          new ArrayList<>(
              JsonText.items(
                  JsonText.member(Golden.text("anthropic-request.json"), "messages")
                      .orElseThrow()));
      for (int n = random.nextInt(5); n > 0; n--) {
        int at = random.nextInt(messages.size());
        switch (random.nextInt(3)) {
          case 0 -> messages.add(random.nextInt(messages.size()), messages.get(at));
          case 1 -> messages.add(random.nextInt(messages.size()), messages.remove(at));
          default -> {
            if (messages.size() > 1) {
              messages.remove(at);
            }
          }
        }
      }
      String list = "[" + String.join(",", messages) + "]";
      ImportedHistory history = read("anthropic", list);
      assertThat(read("anthropic", list)).isEqualTo(history);
      String stored =
          history.turns().stream()
              .flatMap(turn -> turn.blocks().stream())
              .map(block -> block.text().orElse(""))
              .reduce("", (a, b) -> a + "|" + b);
      for (String text :
          List.of("Weather and local", "Checking both.", "4 C, rain", "same place")) {
        assertThat(count(stored, text)).as("seed %d: %s", seed, text).isEqualTo(count(list, text));
      }
      assertThat(count(stored, "\"params\":{\"city\"")).isEqualTo(count(list, "\"input\""));
      JsonValue.parse(list);
    }
  }

  private static int count(String text, String part) {
    return (text.length() - text.replace(part, "").length()) / part.length();
  }

  @Test
  void knowsTheSourceOfEveryBlock() {
    ImportedHistory history = read("openai", Golden.text("chat-request.json"));
    for (Block block : history.turns().get(1).blocks().subList(1, 4)) {
      JsonObject place = block.meta().object("import").orElseThrow();
      assertThat(place.find("message")).contains(JsonValue.of(6));
      assertThat(block.ts()).contains(OPTIONS.ts());
    }
  }
}
