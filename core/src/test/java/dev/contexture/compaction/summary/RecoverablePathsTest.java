package dev.contexture.compaction.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.block.BlockPath;
import dev.contexture.timeline.Chat;
import dev.contexture.timeline.Timeline;
import dev.contexture.token.TokenCounter;
import dev.contexture.token.TokenMeter;
import dev.contexture.view.ContributionFilters;
import dev.contexture.view.Dialect;
import dev.contexture.view.Emitter;
import dev.contexture.view.Reader;
import dev.contexture.view.View;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The paths that a summary names. */
class RecoverablePathsTest {
  private static final Emitter EMITTER =
      new Emitter(Dialect.NATIVE, Reader.ANY, TokenMeter.of(TokenCounter.CHARS4));

  private static List<SummaryEntry> paths(Timeline timeline) {
    View view = View.of(timeline, ContributionFilters.NONE, EMITTER);
    return RecoverablePaths.of(view, timeline.entries(), List.of(), List.of());
  }

  @Test
  void believeADeclaredKindBeforeTheName() {
    Chat chat = new Chat().turn("t1").prompt("p");
    chat.declaredCall("c1", "blaze", "{}", "write").result("c1", made("a.py"));
    chat.declaredCall("c2", "write_file", "{}", "read").result("c2", made("b.py"));
    chat.declaredCall("c3", "blaze", "{}", "patch").result("c3", made("c.py"));
    assertThat(paths(chat.timeline()))
        .extracting(entry -> entry.path().map(BlockPath::text).orElse("") + " " + entry.text())
        .containsExactly("fi:t1.files/c.py patched file", "fi:t1.files/a.py file");
  }

  private static String made(String file) {
    return "{\"artifact_path\":\"fi:t1.files/" + file + "\"}";
  }
}
