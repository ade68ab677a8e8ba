package dev.contexture.server.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.contexture.block.Scope;
import dev.contexture.error.ContextureException;
import dev.contexture.seeds.TestSeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFileTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final String HOST = "the-key-of-the-host-0123456789abcdef";
  private static final Grant WRITER = Grant.of(Scope.of("acme", "shop"), KeyRole.WRITER);

  @TempDir Path directory;
  private final Random random = TestSeed.random(1);
  private KeyFile file;

  @BeforeEach
  void name() {
    file = new KeyFile(directory.resolve("keys.json"));
  }

  private KeyFile.Made add(Grant grant) {
    return file.add(grant, random, NOW);
  }

  @Test
  void keepsTheHashOnly() throws IOException {
    KeyFile.Made made = add(WRITER.withUser("u1").withAgent("atlas"));
    assertThat(made.key()).matches("cx_[0-9a-f]{16}_[A-Za-z0-9_-]{43}");
    String stored = Files.readString(file.path());
    String secret = made.key().substring(made.key().length() - 43);
    assertThat(stored)
        .doesNotContain(secret)
        .contains(KeyFile.hex(KeyFile.sha256(made.key())), "\"user\": \"u1\"");
    assertThat(file.read()).containsExactly(made.stored());
    assertThat(made.toString()).doesNotContain(secret);
    assertThat(made.stored().describe().toJson()).doesNotContain(made.stored().sha256());
  }

  @Test
  void isForItsOwnerOnlyAndLeavesNothingBehind() throws IOException {
    add(WRITER);
    add(WRITER);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
        .isEqualTo("rw-------");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("keys.json", "keys.json.lock");
    }
  }

  @Test
  void losesNoKeyOfManyWriters() throws InterruptedException {
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      writers.add(Thread.ofVirtual().start(() -> add(WRITER)));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(file.read()).hasSize(8);
  }

  @Test
  void takesARevokedKeyNoMore() {
    KeyFile.Made first = add(WRITER);
    KeyFile.Made second = add(WRITER);
    KeyRing ring = KeyRing.of(file);
    assertThat(ring.find(first.key())).contains(new KeyRing.Found(first.stored().id(), WRITER));
    StoredKey revoked = file.revoke(first.stored().id(), NOW.plusSeconds(1));
    assertThat(revoked.revoked()).isTrue();
    assertThat(ring.find(first.key())).isEmpty();
    assertThat(ring.find(second.key())).isPresent();
    assertThat(file.revoke(first.stored().id(), NOW.plusSeconds(9)).revokedAt())
        .isEqualTo(NOW.plusSeconds(1));
    assertThatThrownBy(() -> file.revoke("none", NOW))
        .isInstanceOf(ContextureException.class)
        .hasMessageContaining("contexture keys list");
    assertThat(ring.find(add(WRITER).key())).as("a new key is taken at once").isPresent();
  }

  @Test
  void takesNothingButWholeKeys() {
    KeyFile.Made made = add(WRITER);
    String key = made.key();
    KeyRing ring = KeyRing.of(file);
    assertThat(ring.find(key + "x")).isEmpty();
    assertThat(ring.find(key.substring(0, key.length() - 1))).isEmpty();
    assertThat(ring.find(key.toUpperCase(java.util.Locale.ROOT))).isEmpty();
    assertThat(ring.find("cx_" + made.stored().id() + "_")).isEmpty();
    assertThat(ring.find(made.stored().sha256())).isEmpty();
    assertThat(ring.find("")).isEmpty();
    assertThat(ring.find("x".repeat(100_000))).isEmpty();
  }

  @Test
  void takesNoKeyWhileTheFileIsDamaged() throws IOException {
    KeyFile.Made made = add(WRITER);
    KeyRing ring = KeyRing.withAdmin(HOST, file);
    String good = Files.readString(file.path());
    for (String bad :
        List.of(
            "",
            "{",
            "[]",
            "{\"version\":2,\"keys\":[]}",
            good.replace("writer", "root"),
            good.replace("\"id\"", "\"name\""))) {
      Files.writeString(file.path(), bad);
      assertThatThrownBy(() -> ring.find(made.key()))
          .as(bad)
          .isInstanceOf(ContextureException.class)
          .hasMessageContaining("no key of it is taken");
      assertThatThrownBy(() -> KeyRing.of(file)).hasMessageContaining("is no readable key file");
      assertThat(ring.find(HOST)).isPresent();
    }
    Files.delete(file.path());
    assertThat(ring.find(made.key())).isEmpty();
    Files.writeString(file.path(), good);
    assertThat(ring.find(made.key())).isPresent();
  }

  @Test
  void refusesAKeyWhoseTimeIsOver() {
    Instant end = NOW.plusSeconds(60);
    KeyTerms terms = KeyTerms.NONE.withName("dashboards").withExpiry(end);
    KeyFile.Made made = file.add(WRITER, terms, random, NOW);
    assertThat(file.read()).containsExactly(made.stored());
    java.util.concurrent.atomic.AtomicReference<Instant> now =
        new java.util.concurrent.atomic.AtomicReference<>(end.minusSeconds(1));
    KeyRing ring = KeyRing.of(file, now::get);
    KeyRing.Found found = ring.find(made.key()).orElseThrow();
    assertThat(found.name()).isEqualTo("dashboards");
    assertThat(ring.isLive(found)).isTrue();
    now.set(end);
    assertThatThrownBy(() -> ring.find(made.key()))
        .isInstanceOfSatisfying(
            ContextureException.class,
            refused -> assertThat(refused.code().wireName()).isEqualTo("key_expired"))
        .hasMessageContaining("expired at " + end);
    assertThat(ring.isLive(found)).as("streams end too").isFalse();
    assertThat(ring.find(made.key() + "x")).as("a wrong key learns nothing").isEmpty();
    assertThatThrownBy(() -> file.add(WRITER, terms, random, end))
        .hasMessageContaining("a time after now");
    assertThatThrownBy(() -> KeyTerms.NONE.withName("a\nb")).hasMessageContaining("name is");
  }

  @Test
  void removesAKey() {
    KeyFile.Made first = add(WRITER);
    KeyFile.Made second = add(WRITER);
    KeyRing ring = KeyRing.of(file);
    assertThat(file.remove(first.stored().id())).isEqualTo(first.stored());
    assertThat(file.read()).containsExactly(second.stored());
    assertThat(ring.find(first.key())).isEmpty();
    assertThat(ring.find(second.key())).isPresent();
    assertThatThrownBy(() -> file.remove(first.stored().id()))
        .hasMessageContaining("contexture keys list");
  }

  @Test
  void readsFilesOfTheFirstForm() throws IOException {
    KeyFile.Made made = add(WRITER);
    String text = Files.readString(file.path());
    assertThat(text)
        .as("keys without terms are written as before")
        .doesNotContain("name", "expires");
    assertThat(KeyRing.of(file).find(made.key()))
        .contains(new KeyRing.Found(made.stored().id(), WRITER));
  }

  @Test
  void knowsWhenAKeyWasLastTaken() throws IOException {
    KeyFile.Made made = add(WRITER);
    KeyFile.Made unused = add(WRITER);
    java.util.concurrent.atomic.AtomicReference<Instant> now =
        new java.util.concurrent.atomic.AtomicReference<>(NOW.plusMillis(1_500));
    KeyRing ring = KeyRing.of(file, now::get);
    ring.find(made.key());
    assertThat(KeyUses.of(file)).as("no write for a request").isEmpty();
    ring.writeUses();
    assertThat(KeyUses.of(file))
        .containsExactly(java.util.Map.entry(made.stored().id(), NOW.plusSeconds(1)));
    now.set(NOW.plusSeconds(9));
    ring.find(made.key());
    ring.find(unused.key());
    ring.writeUses();
    assertThat(KeyUses.of(file))
        .containsEntry(made.stored().id(), NOW.plusSeconds(9))
        .containsEntry(unused.stored().id(), NOW.plusSeconds(9));
    Path uses = directory.resolve("keys.json.used");
    Files.writeString(uses, "{");
    assertThatThrownBy(() -> KeyUses.of(file)).hasMessageContaining("may be deleted");
    file.remove(unused.stored().id());
    now.set(NOW.plusSeconds(20));
    ring.find(made.key());
    ring.writeUses();
    assertThat(KeyUses.of(file)).containsOnlyKeys(made.stored().id());
  }

  @Test
  void tellsWhatBecameOfKeys() {
    KeyFile.Made first = add(WRITER);
    KeyRing ring = KeyRing.of(file);
    List<String> told = new ArrayList<>();
    ring.whenChanged(change -> told.add(change.kind() + " " + change.key().id()));
    KeyFile.Made second = add(WRITER);
    assertThat(ring.isUsable()).isTrue();
    file.revoke(first.stored().id(), NOW);
    assertThat(ring.isUsable()).isTrue();
    file.remove(first.stored().id());
    assertThat(ring.isUsable()).isTrue();
    assertThat(told)
        .containsExactly(
            "ADDED " + second.stored().id(),
            "REVOKED " + first.stored().id(),
            "REMOVED " + first.stored().id());
  }

  @Test
  void readsADamagedFileOnce() throws IOException {
    KeyFile.Made made = add(WRITER);
    KeyRing ring = KeyRing.of(file);
    Files.writeString(file.path(), "{");
    Throwable first = catchThrowable(() -> ring.find(made.key()));
    Throwable second = catchThrowable(() -> ring.find(made.key()));
    assertThat(first.getCause()).hasMessageContaining("is no readable key file");
    assertThat(second.getCause()).isSameAs(first.getCause());
    assertThat(ring.isLive(new KeyRing.Found(made.stored().id(), WRITER))).isFalse();
  }

  @Test
  void needsAFileOrTheKeyOfTheHost() {
    assertThatThrownBy(() -> KeyRing.of(file)).hasMessageContaining("contexture keys add --keys");
    KeyRing ring = KeyRing.withAdmin(HOST, null);
    assertThat(ring.find(HOST).orElseThrow().grant()).isEqualTo(Grant.ALL);
    assertThat(ring.find(HOST.substring(1))).isEmpty();
    for (String bad :
        List.of("", "a", "x".repeat(31), "with space".repeat(4), "ü".repeat(40), "x".repeat(513))) {
      assertThatThrownBy(() -> KeyRing.withAdmin(bad, null))
          .hasMessageContaining("CONTEXTURE_ADMIN_KEY has " + bad.length())
          .hasMessageContaining("32 to 512");
    }
  }

  @Test
  void refusesAFileThatOthersMayWrite() throws IOException {
    KeyFile.Made made = add(WRITER);
    KeyRing ring = KeyRing.of(file);
    for (String mode : List.of("rw-rw----", "rw--w----", "rw-----w-", "rw-rw-rw-")) {
      Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString(mode));
      assertThatThrownBy(() -> KeyRing.of(file))
          .as(mode)
          .isInstanceOf(ContextureException.class)
          .hasMessageContaining("others than its owner may write it (" + mode + ")")
          .hasMessageContaining("chmod 600 " + file.path());
      assertThatThrownBy(() -> add(WRITER)).hasMessageContaining("chmod 600");
      assertThatThrownBy(() -> ring.find(made.key()))
          .as("while it runs")
          .hasMessageContaining("no key of it is taken");
    }
    Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-r-----"));
    assertThat(ring.find(made.key())).as("reading is another matter").isPresent();
  }

  @Test
  void refusesNamesThatAreNone() {
    assertThatThrownBy(() -> WRITER.withUser("..")).hasMessageContaining("user is '..'");
    assertThatThrownBy(() -> WRITER.withAgent("a/b")).hasMessageContaining("agent is 'a/b'");
    assertThatThrownBy(() -> KeyRole.named("root")).hasMessageContaining("reader, writer or admin");
  }
}
