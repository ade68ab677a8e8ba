package dev.contexture.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.block.CallId;
import dev.contexture.block.TurnId;
import dev.contexture.json.JsonObject;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.Dialect;
import dev.contexture.view.MessageRole;
import dev.contexture.view.Part;
import dev.contexture.view.StreamItem;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The example conversation of the specification (V2) and its token counts (V9). */
class GoldenTest {
  private static final String TURN = "turn_1770603271112_2yz1lp";
  private static final String CALL = "tc_18f62649fb3b";
  private static final int PDF_BYTES = 137_956;

  static Timeline example() {
    TurnId turn = TurnId.of(TURN);
    return new Chat()
        .activeTurn(TURN)
        .prompt("Could you find top 3 places to eat here in Wuppertal?")
        .add(
            Block.builder(BlockType.USER_ATTACHMENT_META)
                .author(Author.USER)
                .path(BlockPath.attachment(turn, "menu.pdf"))
                .meta(
                    JsonObject.builder()
                        .put("filename", "menu.pdf")
                        .put("mime", "application/pdf")
                        .put("summary", "2-page menu")
                        .build()))
        .binary(
            BlockType.USER_ATTACHMENT,
            "fi:" + TURN + ".user.attachments/menu.pdf",
            "application/pdf",
            PDF_BYTES)
        .notes(CALL, "Searching for restaurants")
        .call(CALL, "web_tools.web_search", "{\"query\":\"Wuppertal\"}")
        .result(CALL, "{\"result\":[]}")
        .artifact(CALL, "so:sources_pool[1-5]", "five rows")
        .timeline();
  }

  @Nested
  class Transcript {
    @Test
    void isTheGoldenTextByteForByte() throws IOException {
      // T-32, T-33, T-34, T-35, V2
      RenderedContext context = new Renderer().render(example(), RenderOptions.defaults());
      assertThat(context.text()).isEqualTo(golden("v2-transcript.txt"));
      assertThat(context.transcript().get(3).part()).isInstanceOf(Part.Document.class);
      assertThat(context.messages()).hasSize(1);
      assertThat(context.messages().getFirst().role()).isEqualTo(MessageRole.USER);
    }
  }

  @Nested
  class Native {
    @Test
    void isTheGoldenMessages() {
      // T-37, T-38, V2
      RenderedContext context =
          new Renderer().render(example(), RenderOptions.defaults().withDialect(Dialect.NATIVE));
      assertThat(context.messages())
          .extracting(Message::role)
          .containsExactly(MessageRole.USER, MessageRole.ASSISTANT, MessageRole.USER);
      List<Part> first = context.messages().get(0).parts();
      assertThat(first.subList(0, 3))
          .containsExactly(
              new Part.Text("[TURN " + TURN + "] ts=2026-02-09T02:14:32.676425Z"),
              new Part.Text("Could you find top 3 places to eat here in Wuppertal?"),
              new Part.Text(
                  "[USER ATTACHMENT] menu.pdf | application/pdf\nsummary: 2-page menu\n[path: fi:"
                      + TURN
                      + ".user.attachments/menu.pdf]\n[physical_path: "
                      + TURN
                      + "/attachments/menu.pdf]"));
      assertThat(first.get(3)).isInstanceOf(Part.Document.class);
      assertThat(context.messages().get(1).parts())
          .containsExactly(
              new Part.Text("Searching for restaurants"),
              new Part.ToolCall(
                  new CallId(CALL), null, "web_tools.web_search", "{\"query\":\"Wuppertal\"}"));
      assertThat(context.messages().get(2).parts())
          .containsExactly(
              new Part.ToolResult(
                  new CallId(CALL),
                  null,
                  false,
                  List.of(
                      new Part.Text("{\"result\":[]}"),
                      new Part.Text("[path: so:sources_pool[1-5]]\nfive rows"))));
    }
  }

  @Nested
  class Tokens {
    @Test
    void areThoseOfTheSpecification() {
      // T-58, V9: header and call, o200k_base / chars4
      assertThat(costs(Dialect.TRANSCRIPT, TokenMeter.of(TokenCounter.O200K_BASE)))
          .containsExactly(34L, 55L);
      assertThat(costs(Dialect.TRANSCRIPT, TokenMeter.of(TokenCounter.CHARS4)))
          .containsExactly(17L, 37L);
      assertThat(costs(Dialect.NATIVE, TokenMeter.of(TokenCounter.O200K_BASE)))
          .containsExactly(33L, 4L + 8L);
      assertThat(costs(Dialect.NATIVE, TokenMeter.of(TokenCounter.CHARS4)))
          .containsExactly(16L, 5L + 6L);
      TokenMeter calibrated = new TokenMeter(TokenCounter.O200K_BASE, new BigDecimal("1.25"));
      assertThat(costs(Dialect.TRANSCRIPT, calibrated)).startsWith(43L);
    }

    private List<Long> costs(Dialect dialect, TokenMeter meter) {
      RenderOptions options = RenderOptions.defaults().withDialect(dialect).withMeter(meter);
      List<StreamItem> items = new Renderer().view(example(), options).items();
      return items.stream()
          .filter(i -> i.type().isCall() || i.type().equals(BlockType.TURN_HEADER))
          .map(StreamItem::cost)
          .toList();
    }
  }

  private static String golden(String name) throws IOException {
    try (InputStream file = GoldenTest.class.getResourceAsStream("/golden/" + name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
