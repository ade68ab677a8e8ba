package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockMetadata;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.search.SearchOptions;
import dev.contexture.seeds.TestSeed;
import dev.contexture.store.sqlite.SqliteInspection;
import dev.contexture.testkit.KilledProcess;
import dev.contexture.turn.Finish;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An erase whose process is killed at any moment has not begun, or is finished by the next start:
 * no file holds anything of it then, and nobody else has lost anything.
 */
class EraseCrashTest {
  private static final Scope SHOP = Scope.of("acme", "shop");
  private static final Scope OTHER = Scope.of("acme", "other");
  private static final Scope.OfUser USER = SHOP.user("u1");
  private static final String AGENT = "atlas";
  private static final int PARTS = 12; // of each sort
  private static final int LONGEST_MILLIS = 120; // an erase takes about that long

  @TempDir Path directory;

  /** What is erased, and so many parts of which sort hold a word that nothing else does. */
  private enum Kind {
    USER(true, false, false),
    AGENT(false, true, true),
    PROJECT(true, true, true),
    MEMORY(false, true, false);

    final boolean chats;
    final boolean blocks;
    final boolean archival;

    Kind(boolean chats, boolean blocks, boolean archival) {
      this.chats = chats;
      this.blocks = blocks;
      this.archival = archival;
    }

    void erase(Contexture engine) {
      switch (this) {
        case USER -> engine.eraseUser(EraseCrashTest.USER);
        case AGENT -> engine.eraseAgent(SHOP.agent(EraseCrashTest.AGENT));
        case PROJECT -> engine.eraseProject(SHOP);
        case MEMORY -> {
          MemoryStore memory = engine.memory(SHOP).actingAs(Actor.system());
          for (BlockMetadata block : memory.listBlocks(EraseCrashTest.AGENT)) {
            memory.purgeBlock(block.id());
          }
        }
      }
    }
  }

  /** What is killed: erases, and says when it begins and when it was told that it is done. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      Contexture engine = Contexture.open(Path.of(args[0])); // never closed: it is killed before
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      out.println("open");
      Kind.valueOf(args[1]).erase(engine);
      out.println("erased");
      new CountDownLatch(1).await();
    }
  }

  @Test
  void isUntouchedOrGoneFromEveryFile() throws Exception {
    int runs = Integer.getInteger("contexture.crash.runs", 8);
    long seed = TestSeed.of(42);
    Random random = new Random(seed);
    for (int run = 0; run < runs; run++) {
      Kind kind = Kind.values()[run % Kind.values().length];
      String secret = "zebra" + run + "x";
      List<String> kept = fill(kind, secret);
      int millis = random.nextInt(LONGEST_MILLIS);
      List<String> said = KilledProcess.run(Child.class, millis, directory.toString(), kind.name());
      String what = "seed %d, run %d: %s killed after %d ms".formatted(seed, run, kind, millis);
      verify(kind, secret, said.contains("erased"), kept, what);
    }
  }

  /** Writes what is to be erased, and what is not unless it is there. */
  private List<String> fill(Kind kind, String secret) throws IOException {
    try (Contexture engine = Contexture.open(directory)) {
      for (Scope scope : List.of(SHOP, OTHER)) {
        if (engine.store().head(scope.user("u2").conversation("c")).isEmpty()) {
          chat(engine, scope.user("u2").conversation("c"), "lasting");
          block(engine.memory(scope), "bert", "notes", "lasting");
          engine.memory(scope).insertArchival("bert", "lasting", null);
        }
      }
      for (int i = 0; i < PARTS; i++) {
        String word = secret + i + "q";
        if (kind.chats) {
          chat(engine, USER.conversation("c" + i), word);
        }
        if (kind.blocks) {
          block(engine.memory(SHOP), AGENT, "b" + i, word);
        }
        if (kind.archival) {
          engine.memory(SHOP).insertArchival(AGENT, word, null);
        }
      }
      awaitIndexed(engine);
      assertThat(parts(engine, kind, secret)).hasSize(all(kind));
      assertThat(filesWith(secret)).isNotEmpty();
      return kept(engine, kind);
    }
  }

  /** Asking waits a little; a busy machine may need to be asked again. */
  private static void awaitIndexed(Contexture engine) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    boolean behind = true;
    while (behind && System.nanoTime() < deadline) {
      behind = engine.isErasing(SHOP) || engine.isErasing(OTHER);
    }
    assertThat(behind).as("the index is behind").isFalse();
  }

  private static void chat(Contexture engine, Scope.OfConversation chat, String word) {
    engine.browser(chat).startTurn("ask " + word).finish(Finish.with(word));
  }

  private static void block(MemoryStore memory, String agent, String label, String word) {
    memory.createBlock(agent, BlockSpec.of(label, MemoryBlockType.CORE).content(word));
    memory.appendToBlock(agent, label, " and " + word);
  }

  private void verify(
      Kind kind, String secret, boolean acknowledged, List<String> kept, String what)
      throws Exception {
    try (Contexture engine = Contexture.open(directory)) {
      while (engine.store().isErasing()) {
        Thread.sleep(2); // it goes on by itself; the timeout of the build ends it
      }
      List<String> left = parts(engine, kind, secret);
      if (acknowledged) {
        assertThat(left).as(what).isEmpty();
      } else if (kind != Kind.MEMORY) { // where each block is erased for itself
        assertThat(left.size()).as(what).isIn(0, all(kind));
      }
      assertThat(engine.isErasing(SHOP)).as(what).isFalse(); // the index needs no call, but time
      for (String word : words(secret)) {
        if (!left.toString().contains(word)) {
          assertThat(filesWith(word)).as(what).isEmpty();
        }
      }
      assertThat(kept(engine, kind)).as(what).isEqualTo(kept);
      kind.erase(engine);
      assertThat(engine.isErasing(SHOP)).as(what).isFalse();
    }
    assertThat(filesWith(secret)).as(what).isEmpty();
    assertThat(SqliteInspection.of(directory, SqliteInspection.Depth.ROWS).projects()).isPositive();
  }

  private static int all(Kind kind) {
    return PARTS * ((kind.chats ? 1 : 0) + (kind.blocks ? 1 : 0) + (kind.archival ? 1 : 0));
  }

  private static List<String> words(String secret) {
    return IntStream.range(0, PARTS).mapToObj(i -> secret + i + "q").toList();
  }

  /** What is whole of that which is erased. */
  private static List<String> parts(Contexture engine, Kind kind, String secret) {
    List<String> found = new ArrayList<>();
    MemoryStore memory = engine.memory(SHOP);
    int number = 0;
    for (String word : words(secret)) {
      int i = number++;
      String asked = text(engine, USER.conversation("c" + i));
      if (kind.chats && asked.equals("ask " + word + "|" + word + "|")) {
        found.add(asked);
      }
      memory
          .getRenderedContent(AGENT, "b" + i)
          .filter(text -> text.equals(word + " and " + word))
          .ifPresent(found::add);
    }
    memory.listArchival(AGENT, null, PARTS).forEach(entry -> found.add(entry.content()));
    return found;
  }

  private static String text(Contexture engine, Scope.OfConversation chat) {
    StringBuilder text = new StringBuilder();
    engine
        .store()
        .readRange(chat, 1, 100, 100)
        .forEach(each -> each.block().text().ifPresent(part -> text.append(part).append('|')));
    return text.toString();
  }

  /** Everything of others, and what is found of it. */
  private static List<String> kept(Contexture engine, Kind kind) {
    List<String> kept = new ArrayList<>();
    for (Scope scope : kind == Kind.PROJECT ? List.of(OTHER) : List.of(SHOP, OTHER)) {
      MemoryStore memory = engine.memory(scope);
      kept.add(text(engine, scope.user("u2").conversation("c")));
      kept.add(memory.getRenderedContent("bert", "notes").orElse("lost"));
      kept.add(memory.listArchival("bert", null, 9).toString());
      engine.search().searchAll(scope, "lasting", SearchOptions.DEFAULT).hits().stream()
          .map(hit -> hit.id())
          .sorted()
          .forEach(kept::add);
    }
    return kept;
  }

  private List<String> filesWith(String word) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try {
          String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
          if (bytes.toLowerCase(Locale.ROOT).contains(word)) {
            found.add(file.getFileName().toString());
          }
        } catch (NoSuchFileException removedByTheIndexMeanwhile) {
          found.remove(file.getFileName().toString());
        }
      }
    } catch (java.io.UncheckedIOException changed) {
      return filesWith(word); // a folder went while it was listed
    }
    return found;
  }
}
