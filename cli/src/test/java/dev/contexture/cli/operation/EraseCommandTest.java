package dev.contexture.cli.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.cli.Main;
import dev.contexture.cli.Run;
import dev.contexture.cli.Served;
import dev.contexture.cli.output.Printer;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.schema.MemoryBlockType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Erasing for good, beside a running server and without one. */
class EraseCommandTest {
  private static final Scope SCOPE = Scope.of("local", "local");

  @TempDir Path directory;

  @BeforeEach
  void write() {
    Served.fill(directory, "c1", 3);
    Served.fill(directory, "c2", 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void erasesOnlyIfSureAndWhatIsNamed(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      Run unsure = store.run("erase", "conversation", "c1", "--user", "u");
      assertThat(unsure.exitCode()).isEqualTo(Main.FAILED);
      assertThat(unsure.err()).contains("nothing was erased", "--yes");
      Run one = store.run("erase", "conversation", "c1", "--user", "u", "--yes");
      assertThat(one.exitCode()).as(one.err()).isZero();
      assertThat(one.out()).contains("erased conversation c1");
      assertThat(store.run("conversations", "show", "c1", "--user", "u").err())
          .contains("code: not_found");
      assertThat(store.run("conversations", "show", "c2", "--user", "u").exitCode()).isZero();
      Run user = store.run("erase", "user", "u", "--yes", "--json");
      JsonObject erased = user.json();
      assertThat(erased.string("kind")).contains("user");
      assertThat(Printer.number(erased.object("erased").orElseThrow(), "conversations"))
          .isPositive();
      assertThat(erased.isTrue("pending")).isFalse();
      assertThat(store.run("conversations", "show", "c2", "--user", "u").err())
          .contains("code: not_found");
      assertThat(store.run("erase", "user", "u", "--yes").exitCode())
          .as("what is gone is no failure")
          .isZero();
    }
  }

  /** A block of an agent for all its users, and one of the same label for one user. */
  private void remember() {
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(SCOPE);
      BlockSpec notes = BlockSpec.of("notes", MemoryBlockType.CORE);
      memory.createBlock("atlas", notes.content("for all"));
      memory.forUser("u").createBlock("atlas", notes.content("of u"));
      memory.createBlock("scout", notes.content("of scout"));
    }
  }

  private boolean exists(String agent, @Nullable String user) {
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(SCOPE);
      return (user == null ? memory : memory.forUser(user))
          .getBlockMetadata(agent, "notes")
          .filter(block -> Objects.equals(block.user(), user))
          .isPresent();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void erasesTheBlockOfOneUserOnly(boolean byServer) {
    remember();
    try (Served store = Served.open(directory, byServer)) {
      Run own = store.run("erase", "block", "notes", "--agent", "atlas", "--user", "u", "--yes");
      assertThat(own.out()).as(own.err()).contains("erased block notes: 1 memory_blocks");
    }
    assertThat(exists("atlas", "u")).isFalse();
    assertThat(exists("atlas", null)).isTrue();
    try (Served store = Served.open(directory, byServer)) {
      Run all = store.run("erase", "block", "notes", "--agent", "atlas", "--yes");
      assertThat(all.out()).as(all.err()).contains("erased block notes: 1 memory_blocks");
    }
    assertThat(exists("atlas", null)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void erasesAnAgentWithItsMemory(boolean byServer) {
    remember();
    try (Served store = Served.open(directory, byServer)) {
      Run agent = store.run("erase", "agent", "atlas", "--yes");
      assertThat(agent.out()).as(agent.err()).contains("erased agent atlas: ", "memory_blocks");
    }
    assertThat(exists("atlas", null)).isFalse();
    assertThat(exists("atlas", "u")).isFalse();
    assertThat(exists("scout", null)).isTrue();
  }

  /** An option that was to narrow down what goes must not be without effect. */
  @Test
  void refusesOptionsThatNarrowNothingDown() {
    remember();
    try (Served store = Served.open(directory, false)) {
      for (String arguments :
          List.of(
              "user u --user u",
              "user u --agent atlas",
              "agent atlas --user u",
              "agent atlas --agent atlas",
              "conversation c1 --user u --agent atlas",
              "project local --user u",
              "project local --agent atlas")) {
        List<String> all = new ArrayList<>(List.of("erase", "--yes"));
        all.addAll(List.of(arguments.split(" ", -1)));
        Run refused = store.run(all.toArray(String[]::new));
        assertThat(refused.exitCode()).as(arguments).isEqualTo(2);
        assertThat(refused.err()).as(arguments).contains("left out", "code: invalid_argument");
      }
      assertThat(store.run("conversations", "show", "c1", "--user", "u").exitCode()).isZero();
    }
    assertThat(exists("atlas", "u")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void needsToKnowWhatAndWhose(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      assertThat(store.run("erase", "conversation", "c1", "--yes").err()).contains("--user");
      assertThat(store.run("erase", "block", "notes", "--yes").err()).contains("--agent");
      assertThat(store.run("erase", "planet", "x", "--yes").exitCode()).isEqualTo(2);
      assertThat(store.run("erase", "project", "other", "--yes").err()).contains("X-Confirm");
      for (List<String> gone :
          List.of(
              List.of("block", "nope", "--agent", "a"),
              List.of("agent", "nope"),
              List.of("project", "local"))) {
        List<String> arguments = new ArrayList<>(List.of("erase"));
        arguments.addAll(gone);
        arguments.add("--yes");
        Run done = store.run(arguments.toArray(String[]::new));
        assertThat(done.exitCode()).as(done.err()).isZero();
      }
      assertThat(store.run("conversations", "show", "c1", "--user", "u").err())
          .contains("code: not_found");
    }
  }
}
