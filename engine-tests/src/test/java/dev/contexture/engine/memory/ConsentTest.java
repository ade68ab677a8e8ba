package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.ConsentAnswer;
import dev.contexture.memory.permission.ConsentBroker;
import dev.contexture.memory.permission.ConsentKind;
import dev.contexture.memory.permission.MemoryPermission;
import java.time.Duration;
import java.util.ArrayList;
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
    limits = waiting(Duration.ofMinutes(5));
    broker =
        request -> {
          throw new IllegalStateException("down");
        };
    humanBlock();
    ContextureException failed =
        refused(ErrorCode.CONSENT_DENIED, () -> memory().appendToBlock(ATLAS, NOTES, "b"));
    assertThat(failed).hasMessageContaining("the broker failed").hasMessageNotContaining("down");
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
  void aGrantHoldsForTheVersionThatWasShownOnly() { // M-14
    List<String> shown = new ArrayList<>();
    broker =
        request -> {
          shown.add(request.subject().version() + ": " + request.subject().preview());
          if (shown.size() == 1) { // somebody edits while the human thinks
            process().actingAs(Actor.human("eve")).updateBlockText(ATLAS, NOTES, "b");
          }
          return ConsentAnswer.Granted.once(Actor.human("eve"));
        };
    humanBlock();
    assertThat(memory().appendToBlock(ATLAS, NOTES, "!")).isEqualTo(3);
    assertThat(shown).containsExactly("1: - a\n+ a!", "2: - b\n+ b!");
    assertThat(shown(memory())).isEqualTo("b!");
    assertThat(store.memory().consents(SHOP, 9)).isEmpty();
  }

  @Test
  void aBlockThatNeverRestsIsNotAskedForLongerThanTheWait() {
    limits = waiting(Duration.ofSeconds(2));
    AtomicInteger asked = new AtomicInteger();
    MemoryStore eve = process().actingAs(Actor.human("eve")); // the last broker may outlive us
    broker =
        request -> {
          String other = "edit " + asked.incrementAndGet(); // another one in every broker's thread
          eve.updateBlockText(ATLAS, NOTES, other);
          return ConsentAnswer.Granted.once(Actor.human("eve"));
        };
    humanBlock();
    refused(ErrorCode.CONSENT_DENIED, () -> memory().appendToBlock(ATLAS, NOTES, "!"));
    assertThat(asked.get()).isGreaterThan(1);
    assertThat(shown(memory())).doesNotContain("!");
  }

  @Test
  void theHostAnswersFromAnotherProcess() throws Exception { // checklist 85
    limits = waiting(Duration.ofMinutes(5));
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
      assertThat(pending.expiresAt()).isEqualTo(pending.askedAt().plusSeconds(300));
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

  @Test
  void theGateAsksForWhatChangesNothing() { // M-11
    AtomicInteger asked = new AtomicInteger();
    broker =
        request -> {
          asked.incrementAndGet();
          return new ConsentAnswer.Denied("no");
        };
    humanBlock();
    refused(ErrorCode.CONSENT_DENIED, () -> memory().replaceInBlock(ATLAS, NOTES, "zzz", "y"));
    refused(ErrorCode.CONSENT_DENIED, () -> memory().appendToBlock(ATLAS, NOTES, ""));
    refused(ErrorCode.CONSENT_DENIED, () -> memory().updateBlockText(ATLAS, NOTES, "a"));
    refused(ErrorCode.CONSENT_DENIED, () -> memory().redoBlock(ATLAS, NOTES));
    assertThat(asked).hasValue(4);
    MemoryStore granted = process(request -> ConsentAnswer.Granted.once(Actor.human("eve")));
    assertThat(granted.replaceInBlock(ATLAS, NOTES, "zzz", "y")).isFalse();
    assertThat(granted.redoBlock(ATLAS, NOTES).done()).isFalse();
    assertThat(memory().history(ATLAS, NOTES, 0, 9)).hasSize(1);
  }

  @Test
  void anAgentWithAPartnerWaitsForItAndOneWithoutIsRefusedAtOnce() throws Exception { // M-14
    limits = waiting(Duration.ofSeconds(20));
    create("partners", MemoryPermission.PARTNER, "p");
    ContextureException none =
        refused(ErrorCode.CONSENT_DENIED, () -> memory().appendToBlock(ATLAS, "partners", "q"));
    assertThat(none).hasMessageContaining("no partner");
    refused(ErrorCode.INVALID_ARGUMENT, () -> memory().setPartner(ATLAS, Actor.agent("bert")));
    assertThat(memory().setPartner(ATLAS, Actor.human("pat")).partner()).isEqualTo("human:pat");
    assertThat(memory().putAgent(ATLAS, "Atlas", null).partner()).isEqualTo("human:pat");
    MemoryStore host = process();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting =
          CompletableFuture.supplyAsync(
              () -> memory().appendToBlock(ATLAS, "partners", "q"), executor);
      String id = next(host).id();
      MemoryStore ann = host.actingAs(Actor.human("ann")); // the store's, not the agent's
      refused(ErrorCode.ACCESS_DENIED, () -> ann.grantConsent(id));
      host.actingAs(Actor.human("pat")).grantConsent(id);
      assertThat(waiting.get()).isEqualTo(2);
    }
    assertThat(memory().actingAs(Actor.human("pat")).appendToBlock(ATLAS, "partners", "!"))
        .isEqualTo(3); // the partner itself need not be asked
    memory().setPartner(ATLAS, null);
    refused(ErrorCode.CONSENT_DENIED, () -> memory().appendToBlock(ATLAS, "partners", "r"));
    limits = waiting(Duration.ZERO);
    MemoryStore hasty = process();
    hasty.setPartner(ATLAS, Actor.human("pat"));
    refused(ErrorCode.CONSENT_DENIED, () -> hasty.appendToBlock(ATLAS, "partners", "r"));
  }

  @Test
  void whoeverAccompaniesAWaitCanEndIt() { // M-14
    limits = waiting(Duration.ofSeconds(60));
    broker = ConsentBroker.HOST;
    humanBlock();
    StringBuilder heard = new StringBuilder();
    ConsentWait wait =
        new ConsentWait() {
          @Override
          public void begin() {
            heard.append("begin ");
          }

          @Override
          public String ended() {
            return "the caller left";
          }

          @Override
          public void end() {
            heard.append("end");
          }
        };
    ContextureException left =
        refused(
            ErrorCode.CONSENT_DENIED,
            () -> ConsentWait.during(wait, () -> memory().appendToBlock(ATLAS, NOTES, "b")));
    assertThat(left.details()).containsEntry("reason", "the caller left");
    assertThat(heard).hasToString("begin end");
    assertThat(store.memory().consents(SHOP, 9)).isEmpty();
  }

  private static PendingConsent next(MemoryStore host) throws InterruptedException {
    eventually(() -> !host.pendingConsents().isEmpty());
    List<PendingConsent> pending = host.pendingConsents();
    assertThat(pending).hasSize(1);
    return pending.getFirst();
  }
}
