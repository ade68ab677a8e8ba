package dev.contexture.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.timeline.Chat;
import dev.contexture.view.Dialect;
import dev.contexture.view.Part;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** V10: the messages of an active turn after each single contribute (T-30, T-39, T-41). */
class NativeGrowthTest {
  private final Chat chat = new Chat().activeTurn("t1");
  private final Renderer renderer = new Renderer();

  private String messages() {
    RenderedContext context =
        renderer.render(chat.timeline(), RenderOptions.defaults().withDialect(Dialect.NATIVE));
    assertThat(context.report().prefixChangedAt()).isEmpty();
    return context.messages().stream()
        .map(m -> m.role().name().charAt(0) + parts(m.parts()))
        .collect(Collectors.joining(" "));
  }

  private static String parts(List<Part> parts) {
    return parts.stream()
        .map(
            part ->
                switch (part) {
                  case Part.Text text -> text.text().lines().findFirst().orElse("");
                  case Part.ToolCall call -> call.id().value();
                  case Part.ToolResult result -> "tr " + result.id() + parts(result.content());
                  default -> part.toString();
                })
        .collect(Collectors.joining(", ", "[", "]"));
  }

  @Test
  void addsNothingThatChangesLater() {
    assertThat(messages()).isEqualTo("U[[TURN t1] ts=2026-02-09T02:14:32.676425Z]");
    chat.prompt("p");
    String start = "U[[TURN t1] ts=2026-02-09T02:14:32.676425Z, p]";
    assertThat(messages()).isEqualTo(start);
    chat.call("tc_a");
    assertThat(messages()).isEqualTo(start);
    chat.call("tc_b");
    assertThat(messages()).isEqualTo(start);
    chat.result("tc_b", "B");
    assertThat(messages()).isEqualTo(start);
    chat.result("tc_a", "A");
    String first = start + " A[tc_a, tc_b] U[tr tc_a[A], tr tc_b[B]";
    assertThat(messages()).isEqualTo(first + "]");
    chat.notice("tc_b", "{\"code\":\"late\"}");
    first += ", [react.notice] (JSON)";
    assertThat(messages()).isEqualTo(first + "]");
    chat.notes("tc_c", "notes c");
    assertThat(messages()).isEqualTo(first + "]");
    chat.call("tc_c");
    assertThat(messages()).isEqualTo(first + "]");
    chat.emptyResult("tc_c");
    String second = first + "] A[notes c, tc_c] U[tr tc_c[]";
    assertThat(messages()).isEqualTo(second + "]");
    chat.result("tc_b", "B2");
    second += ", [react.tool.result] (text)";
    assertThat(messages()).isEqualTo(second + "]");
    chat.notes("tc_a", "notes a");
    assertThat(messages()).isEqualTo(second + "]");
    chat.call("tc_a");
    assertThat(messages()).isEqualTo(second + "]");
    chat.result("tc_a", "A2");
    assertThat(messages()).isEqualTo(second + "] A[notes a, tc_a] U[tr tc_a[A2]]");
  }

  @Test
  void letsTheResultAnsweredLastGainContent() {
    // T-39: what follows directly joins, if nothing lay between
    chat.call("tc_a").result("tc_a", "A").artifact("tc_a", "fi:t1.files/x", "file");
    assertThat(messages()).endsWith("A[tc_a] U[tr tc_a[A, [path: fi:t1.files/x]]]");
    chat.gate("between").notice("tc_a", "{}");
    assertThat(messages())
        .endsWith("U[tr tc_a[A, [path: fi:t1.files/x]], [stage.gate], [react.notice] (JSON)]");
  }

  @Test
  void holdsBackABatchThatReachesIntoAPendingOne() {
    // T-41: b is answered inside the batch of c, which still waits
    chat.call("tc_a").call("tc_b").result("tc_a", "A").call("tc_c");
    String start = "U[[TURN t1] ts=2026-02-09T02:14:32.676425Z]";
    assertThat(messages()).isEqualTo(start);
    chat.result("tc_b", "B");
    assertThat(messages()).isEqualTo(start);
    chat.result("tc_c", "C");
    assertThat(messages())
        .isEqualTo(start + " A[tc_a, tc_b] U[tr tc_a[A], tr tc_b[B]] A[tc_c] U[tr tc_c[C]]");
  }

  @Test
  void countsTheNewestOfSeveralCallsWithOneUnansweredId() {
    // T-39: what came for the older call is late once its batch is sent
    chat.call("tc_a").call("tc_b").notice("tc_a", "{}").result("tc_b", "B").call("tc_a");
    String sent = "A[tc_b] U[tr tc_b[B], [react.notice] (JSON)]";
    assertThat(messages()).endsWith(sent);
    chat.result("tc_a", "A");
    assertThat(messages()).endsWith(sent + " A[tc_a] U[tr tc_a[A]]");
  }

  @Test
  void stopsWhenNobodyWaitsForItAnyMore() {
    chat.prompt("p");
    var items =
        renderer
            .view(chat.timeline(), RenderOptions.defaults().withDialect(Dialect.NATIVE))
            .items();
    dev.contexture.error.Cancellation.bind()
        .cancel(
            new dev.contexture.error.ContextureException(
                dev.contexture.error.ErrorCode.TIMED_OUT, "late"));
    try {
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> NativeLayout.count(items))
          .hasMessage("late");
    } finally {
      dev.contexture.error.Cancellation.unbind();
    }
  }
}
