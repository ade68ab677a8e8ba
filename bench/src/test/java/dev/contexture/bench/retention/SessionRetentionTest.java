package dev.contexture.bench.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.bench.replay.CostTable;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonValue;
import dev.contexture.simulator.SentBlock;
import dev.contexture.simulator.SentRequest;
import dev.contexture.simulator.replay.RecordedSession;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SessionRetentionTest {
  private static final String FACT = "I am allergic to nuts.";

  private static RecordedSession session(RecordedSession.Event... events) {
    return new RecordedSession(JsonValue.of("be kind"), JsonArray.of(), List.of(events));
  }

  private static RecordedSession.Event said(String role, String text) {
    return new RecordedSession.Event.Said(role, "text", text, null, 1);
  }

  private static RecordedSession.Event call() {
    return new RecordedSession.Event.Request();
  }

  private static SentRequest request(String... texts) {
    return SentRequest.at(
        0,
        Stream.of(texts)
            .map(text -> CostTable.block(SentBlock.Tier.MESSAGES, "text", "user", text, false))
            .toList());
  }

  private static SessionRetention five(String fifth) {
    List<RecordedSession.Event> events = new ArrayList<>();
    events.add(call()); // before anything was said nothing is asked
    events.add(said("user", FACT + " Find a bakery for me."));
    for (int i = 0; i < 5; i++) {
      events.add(call());
    }
    SessionRetention kept =
        new SessionRetention(session(events.toArray(RecordedSession.Event[]::new)));
    for (int i = 0; i < 4; i++) {
      kept.request(request("nothing"));
    }
    kept.request(request("Find a bakery for me.", fifth));
    return kept.finish();
  }

  @Test
  void countsASentenceThatIsGoneAsLostAndOneThatStandsThereAsPresent() {
    assertThat(five("He is allergic to nuts.").words()).isEqualTo(new SessionRetention.Count(2, 1));
    assertThat(five("said: " + FACT + " ok").words()).isEqualTo(new SessionRetention.Count(2, 2));
    assertThat(five("said: " + FACT).words().percent()).isEqualTo(100);
  }

  @Test
  void needsAReferenceThatTheAnswerWritesAndThatStoodInTheSessionBefore() {
    SessionRetention kept =
        new SessionRetention(
            session(
                said("user", "look at src/a.py and src/b.py"),
                call(),
                said("assistant", "src/a.py src/new.py"),
                said("user", "go on"),
                call(),
                said("assistant", "src/b.py src/new.py")));
    kept.request(request("about src/a.py"));
    kept.request(request("about src/a.py", "also src/new.pyc"));
    assertThat(kept.finish().references()).isEqualTo(new SessionRetention.Count(3, 1));
  }

  @Test
  void refusesRequestsThatAreNotThoseOfTheSession() {
    SessionRetention kept = new SessionRetention(session(said("user", FACT), call()));
    kept.request(request(FACT));
    assertThatThrownBy(() -> kept.request(request(FACT))).isInstanceOf(IllegalStateException.class);
    SessionRetention none = new SessionRetention(session(said("user", FACT), call()));
    assertThatThrownBy(none::finish).isInstanceOf(IllegalStateException.class);
  }
}
