package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.Turn;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.archive.ArchiveReport;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.provider.catalogue.ModelCatalogue;
import dev.contexture.render.RenderOptions;
import dev.contexture.store.Store;
import dev.contexture.store.WriteSet;
import dev.contexture.store.sqlite.InMemoryStore;
import dev.contexture.testkit.Faults;
import dev.contexture.turn.TurnStart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An import that ends at any of its writes is whole after another one. */
class ArchiveCrashTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final Scope OTHER = Scope.of("zoo", "park");
  private static final Scope.OfConversation LONG = OTHER.user("u42").conversation("long");
  private static final int TURNS = 2_000; // more than one page, and than is written at once

  private static byte[] archive = {};

  @BeforeAll
  static void export() {
    try (Contexture from = engine(new InMemoryStore())) {
      remember(from.memory(SHOP));
      ContextBrowser chat = from.browser(SHOP.user("u42").conversation("long"));
      for (int i = 1; i <= TURNS; i++) {
        chat.startTurn(TurnStart.prompt("ask " + i).id(TurnId.of("t" + i))).finish("answer " + i);
      }
      ContextBrowser brief = from.browser(SHOP.user("u42").conversation("brief"));
      Turn open = brief.startTurn(TurnStart.prompt("still open").id(TurnId.of("t1")));
      open.request("claude-opus-5").agent("atlas").build();
      archive = export(from, SHOP);
    }
  }

  @AfterAll
  static void release() {
    archive = new byte[0];
  }

  private static Contexture engine(Store store) {
    return Contexture.builder(store)
        .providers(BuiltInProviders.of(ModelCatalogue.shipped()))
        .build();
  }

  private static void remember(MemoryStore memory) {
    memory.putAgent("atlas", "Atlas", "a guide");
    memory.putAgent("billing", "Billing", null);
    memory.createBlock(
        "atlas", BlockSpec.of("notes", MemoryBlockType.CORE).user("u42").content("begin"));
    MemoryStore hers = memory.forUser("u42");
    for (int i = 0; i < 1_100; i++) { // more than one page, and a checkpoint
      hers.appendToBlock("atlas", "notes", "\n" + i);
    }
    hers.shareBlock("atlas", "notes", "billing", MemoryPermission.READ_ONLY);
    memory.createBlock(
        "atlas",
        BlockSpec.of("old", MemoryBlockType.WORKING)
            .user("u42")
            .content("gone")
            .permission(MemoryPermission.ADMIN));
    hers.deleteBlock("atlas", "old");
    memory.insertArchival("atlas", "u42", "lives in Oslo", JsonObject.of("a", JsonValue.of(1)));
  }

  private static byte[] export(Contexture engine, Scope scope) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    engine.archives().exportUser(scope.user("u42"), out);
    return out.toByteArray();
  }

  private static ArchiveReport take(Contexture engine) {
    return engine.archives().importArchive(OTHER, new ByteArrayInputStream(archive));
  }

  /** The lines without their hashes and where the archive was made. */
  private static List<String> content(byte[] archive) {
    Stream<String> lines = new String(archive, StandardCharsets.UTF_8).lines().skip(1);
    return lines
        .map(line -> line.replaceFirst(",\"sha256\":\"[0-9a-f]{64}\"}$", ""))
        .map(line -> line.replaceFirst("\"settings_version\":\\d+", ""))
        .map(line -> line.contains("\"type\":\"share\"") ? shareOf(line) : line)
        .toList();
  }

  private static String shareOf(String line) {
    return line.replaceFirst("\"version\":\\d+,\"at\":\"[^\"]*\"", "");
  }

  private static boolean breaksOff(Contexture engine) {
    try {
      take(engine);
      return false;
    } catch (ContextureException failed) {
      assertThat(failed.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "commit.done"})
  void isTriedAgainAfterItEndedAtAnyWrite(String point) {
    List<String> wanted = content(archive);
    int writes = 0;
    boolean broken = true;
    for (; broken; writes++) {
      Faults faults = new Faults();
      try (Contexture to = engine(faults.around(new InMemoryStore()))) {
        faults.endAfter(point, writes);
        broken = breaksOff(to);
        faults.clear();
        take(to);
        assertThat(content(export(to, OTHER))).as("write " + writes).isEqualTo(wanted);
        assertThat(take(to)).isEqualTo(new ArchiveReport(0, 0, 0, 0, 5));
      }
    }
    assertThat(writes).isGreaterThan(9);
  }

  @Test
  void leavesAConversationThatSomebodyMakesMeanwhile() {
    InMemoryStore store = new InMemoryStore();
    try (Contexture others = engine(store);
        Contexture to =
            engine(
                beforeWritesTo(
                    LONG, store, () -> others.browser(LONG).startTurn("mine").finish("yours")))) {
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> take(to))
          .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ID_CONFLICT));
      assertThat(to.browser(LONG).render(RenderOptions.defaults()).text())
          .contains("mine", "yours")
          .doesNotContain("ask 1");
    }
  }

  /** A store in which something happens once, before a conversation is written to. */
  private static Store beforeWritesTo(Scope.OfConversation one, Store store, Runnable happens) {
    AtomicBoolean happened = new AtomicBoolean();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          boolean writes =
              method.getName().equals("commit")
                  && arguments[0] instanceof WriteSet set
                  && one.equals(set.conversation());
          if (writes && happened.compareAndSet(false, true)) {
            happens.run();
          }
          return method.invoke(store, arguments);
        };
    return (Store)
        Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, handler);
  }

  @Test
  void doesNotGoOnBehindWhatOthersWroteMeanwhile() {
    Faults faults = new Faults();
    try (Contexture to = engine(faults.around(new InMemoryStore()))) {
      faults.endAfter("commit", 8);
      assertThat(breaksOff(to)).isTrue();
      faults.clear();
      assertThat(to.store().version(LONG)).isPositive();
      to.browser(LONG).startTurn("mine").finish("yours");
      assertThatExceptionOfType(ContextureException.class)
          .isThrownBy(() -> take(to))
          .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ID_CONFLICT));
      assertThat(to.browser(LONG).render(RenderOptions.defaults()).text())
          .contains("mine", "yours");
    }
  }
}
