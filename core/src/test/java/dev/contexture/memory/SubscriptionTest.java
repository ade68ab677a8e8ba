package dev.contexture.memory;

import static dev.contexture.memory.Docs.AGENT;
import static dev.contexture.memory.Docs.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ErrorCode;
import dev.contexture.event.Changes.Subscription;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.TextSchema;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Conformance item 83 (M-125, M-127). */
class SubscriptionTest {
  private final DetachedHost host = Docs.host(Docs.REPORT);
  private final StructuredDocument document = host.open(AGENT);

  @Test
  void tellsOncePerCommitThatChangedThePart() {
    List<DocumentChange> root = new ArrayList<>();
    List<DocumentChange> notes = new ArrayList<>();
    List<DocumentChange> count = new ArrayList<>();
    Subscription rootSubscription = document.subscribeRoot(root::add);
    document.subscribe("notes", notes::add);
    document.section("stats").subscribe("count", count::add);
    document.setTextInSection("a", "notes");
    document.setTextInSection("b", "notes");
    assertThat(root).isEmpty();
    document.commit();
    document.commit();
    assertThat(root)
        .containsExactly(
            new DocumentChange(
                1,
                DocumentChange.Origin.LOCAL,
                AGENT,
                "setTextInSection",
                java.util.Set.of("", "notes")));
    StructuredDocument other = host.open(AGENT);
    other.setFieldInSection("count", JsonValue.of(1), "stats");
    other.commit();
    assertThat(notes).hasSize(1);
    assertThat(count).extracting(DocumentChange::version).containsExactly(2L);
    rootSubscription.close();
    other.setTextInSection("c", "notes");
    other.setTextInSection("b", "notes"); // back to what it was: nothing differs
    other.commit();
    assertThat(root).hasSize(2);
    assertThat(notes).hasSize(1);
  }

  @Test
  void throwingAndEndedListenersHarmNobody() {
    List<RuntimeException> failures = new ArrayList<>();
    DocumentSubscriptions subscriptions = new DocumentSubscriptions(failures::add);
    List<String> heard = new ArrayList<>();
    List<Subscription> second = new ArrayList<>();
    subscriptions.root(
        change -> {
          second.getFirst().close();
          throw new IllegalStateException("broken");
        });
    second.add(subscriptions.root(change -> heard.add("second")));
    subscriptions.root(change -> heard.add("third"));
    DocumentChange change =
        new DocumentChange(1, DocumentChange.Origin.REMOTE, AGENT, "append", java.util.Set.of(""));
    subscriptions.publish(change);
    assertThat(heard).containsExactly("third");
    assertThat(failures).hasSize(1);
  }

  @Test
  void mergedUpdatesAreRemoteAndUnknownPartsRefused() {
    StructuredDocument other = Docs.doc(Docs.REPORT);
    other.setTextInSection("x", "notes");
    List<DocumentChange> heard = new ArrayList<>();
    document.subscribeRoot(heard::add);
    document.applyUpdates(other.exportUpdates());
    document.commit();
    assertThat(heard)
        .extracting(DocumentChange::origin)
        .containsExactly(DocumentChange.Origin.REMOTE);
    refused(() -> document.subscribe("none", heard::add), ErrorCode.FIELD_NOT_FOUND);
    refused(() -> document.subscribe("stats/none", heard::add), ErrorCode.FIELD_NOT_FOUND);
    refused(() -> Docs.doc(TextSchema.PLAIN).subscribe("x", heard::add), ErrorCode.FIELD_NOT_FOUND);
    Docs.doc(MapSchema.of()).subscribe("anything", heard::add).close();
  }
}
