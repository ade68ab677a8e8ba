package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.Actor;
import dev.contexture.memory.ConsentAnswer;
import dev.contexture.memory.ConsentBroker;
import dev.contexture.memory.ConsentKind;
import dev.contexture.memory.MemoryPermission;
import dev.contexture.memory.StructuredDocument;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Consent (M-14, M-15, M-129; checklist 23, 85). */
class ConsentTest extends MemoryTestBase {
  private void humanBlock() {
    create(NOTES, MemoryPermission.HUMAN, "a");
  }

  @Test
  void aBrokerThatThrowsOrNeverAnswersDenies() { // checklist 23
    limits = waiting(Duration.ofSeconds(30));
    broker =
        request -> {
          throw new IllegalStateException("down");
        };
    humanBlock();
    ContextureException failed =
        refused(ErrorCode.CONSENT_DENIED, () -> memory().appendToBlock(ATLAS, NOTES, "b"));
    assertThat(failed).hasMessageContaining("down");
    limits = waiting(Duration.ofMillis(200));
    CountDownLatch never = new CountDownLatch(1);
    broker =
        request -> {
          try {
            never.await();
          } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
          }
          return new ConsentAnswer.Denied("late");
        };
    ContextureException late =
        refused(ErrorCode.CONSENT_DENIED, () -> process().appendToBlock(ATLAS, NOTES, "b"));
    assertThat(late.details()).containsEntry("reason", "no answer in time");
    broker = ConsentBroker.HOST;
    refused(ErrorCode.CONSENT_DENIED, () -> process().appendToBlock(ATLAS, NOTES, "b"));
    assertThat(shown(memory())).isEqualTo("a");
    assertThat(memory().pendingConsents()).isEmpty();
    assertThat(store.memory().consents(SHOP, 9)).isEmpty();
    never.countDown();
  }

  @Test
  void aGrantHoldsForOneWriteAndItsRepetitions() { // checklist 23, M-15
    AtomicInteger asked = new AtomicInteger();
    broker =
        request -> {
          asked.incrementAndGet();
          assertThat(request.kind()).isEqualTo(ConsentKind.HUMAN);
          assertThat(request.subject().preview()).isEqualTo("- a\n+ ab");
          // Another process is quicker while the human thinks: the write is repeated.
          process().actingAs(Actor.system()).setBlockPinned(ATLAS, NOTES, asked.get() == 1);
          return ConsentAnswer.Granted.once(Actor.human("eve"));
        };
    humanBlock();
    StructuredDocument handle = memory().getBlock(ATLAS, NOTES).orElseThrow();
    handle.append("b");
    handle.commit();
    assertThat(asked).hasValue(1);
    assertThat(memory().history(ATLAS, NOTES, 1, 9))
        .extracting(BlockVersion::grant)
        .containsExactly(new BlockVersion.Grant(Actor.human("eve"), clock.instant()));
    refused(
        ErrorCode.CONSENT_DENIED,
        () -> process(ConsentBroker.DENY).appendToBlock(ATLAS, NOTES, "b")); // asks again
  }

  @Test
  void theHostAnswersFromAnotherProcess() throws Exception { // checklist 85
    limits = waiting(Duration.ofSeconds(20));
    broker = ConsentBroker.HOST;
    humanBlock();
    create("partners", MemoryPermission.PARTNER, "p");
    MemoryStore host = process().actingAs(Actor.human("eve"));
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var granted =
          CompletableFuture.supplyAsync(() -> memory().appendToBlock(ATLAS, NOTES, "b"), executor);
      PendingConsent pending = next(host);
      assertThat(pending.actor()).isEqualTo(Actor.agent(ATLAS));
      assertThat(pending.subject().label()).isEqualTo(NOTES);
      assertThat(pending.expiresAt()).isEqualTo(pending.askedAt().plusSeconds(20));
      refused(
          ErrorCode.ACCESS_DENIED,
          () -> host.actingAs(Actor.agent(ATLAS)).grantConsent(pending.id()));
      host.grantConsent(pending.id());
      refused(ErrorCode.INVALID_ARGUMENT, () -> host.denyConsent(pending.id(), "too late"));
      assertThat(granted.get()).isEqualTo(2);

      var denied =
          CompletableFuture.supplyAsync(
              () ->
                  refused(
                      ErrorCode.CONSENT_DENIED, () -> memory().appendToBlock(ATLAS, NOTES, "c")),
              executor);
      host.denyConsent(next(host).id(), "not now");
      assertThat(denied.get().details()).containsEntry("reason", "not now");

      var partners =
          CompletableFuture.supplyAsync(
              () -> memory().appendToBlock(ATLAS, "partners", "q"), executor);
      String id = next(host).id();
      refused(ErrorCode.ACCESS_DENIED, () -> host.grantConsent(id)); // eve is not the partner
      host.actingAs(Actor.human("ann")).grantConsent(id);
      assertThat(partners.get()).isEqualTo(2);
    }
    refused(ErrorCode.INVALID_ARGUMENT, () -> host.grantConsent("con_unknown"));
    assertThat(host.pendingConsents()).isEmpty();
    assertThat(shown(memory())).isEqualTo("ab");
  }

  @Test
  void theGateRunsAgainAfterTheGrant() { // M-14
    broker =
        request -> {
          process()
              .actingAs(Actor.system())
              .configureBlock(
                  ATLAS, NOTES, BlockChanges.NONE.permission(MemoryPermission.READ_ONLY));
          return ConsentAnswer.Granted.once(Actor.human("eve"));
        };
    humanBlock();
    refused(ErrorCode.PERMISSION_DENIED, () -> memory().appendToBlock(ATLAS, NOTES, "b"));
    assertThat(shown(memory())).isEqualTo("a");
  }

  private static PendingConsent next(MemoryStore host) throws InterruptedException {
    eventually(() -> !host.pendingConsents().isEmpty());
    List<PendingConsent> pending = host.pendingConsents();
    assertThat(pending).hasSize(1);
    return pending.getFirst();
  }
}
