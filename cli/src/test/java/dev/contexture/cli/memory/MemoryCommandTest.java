package dev.contexture.cli.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.cli.Main;
import dev.contexture.cli.Run;
import dev.contexture.cli.Served;
import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.BuildVersion;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.seeds.TestSeed;
import dev.contexture.server.ContextureServer;
import dev.contexture.server.ServerOptions;
import dev.contexture.server.keys.Grant;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import dev.contexture.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code contexture memory}, with and without a server. */
class MemoryCommandTest {
  private static final String MAP =
      "{\"kind\":\"map\",\"fields\":[{\"name\":\"city\",\"type\":\"text\"},"
          + "{\"name\":\"visits\",\"type\":\"counter\"},{\"name\":\"likes\",\"type\":\"list\"}]}";

  @TempDir Path directory;

  @BeforeEach
  void write() {
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(Scope.of("local", "local"));
      memory.createBlock(
          "atlas", BlockSpec.of("notes", MemoryBlockType.CORE).content(JsonValue.of("buy milk")));
      memory.createBlock(
          "atlas",
          BlockSpec.of("trip", MemoryBlockType.WORKING)
              .schema(BlockSchema.fromJson(JsonValue.parse(MAP)))
              .content(JsonValue.parse("{\"city\":\"Oslo\",\"likes\":[\"tea\"]}")));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void showsAndMovesWhatBelongsToAUser(boolean byServer) {
    try (Contexture engine = Contexture.open(directory)) {
      MemoryStore memory = engine.memory(Scope.of("local", "local"));
      memory.createBlock(
          "atlas",
          BlockSpec.of("notes", MemoryBlockType.CORE).user("ann").content(JsonValue.of("no nuts")));
      memory.insertArchival("atlas", "ann", "moved to Oslo", null);
      memory.insertArchival("atlas", "opens at nine", null);
    }
    try (Served store = Served.open(directory, byServer)) {
      assertThat(store.run("memory", "list", "atlas").out()).contains("USER", "ann", "trip");
      assertThat(store.run("memory", "list", "atlas", "--user", "bob").out())
          .contains("trip")
          .doesNotContain("ann");
      assertThat(store.run("memory", "show", "atlas", "notes").out()).contains("buy milk");
      assertThat(store.run("memory", "show", "atlas", "notes", "--user", "ann").out())
          .contains("no nuts", "of user ann");
      assertThat(store.run("memory", "show", "atlas", "notes", "--user", "bob").out())
          .contains("buy milk", "for all users");
      String[] edit = {
        "memory", "edit", "atlas", "notes", "--user", "ann", "--set", "nuts", "--as", "pat"
      };
      assertThat(store.run(edit).out()).contains("1 change in the block of user ann");
      edit[5] = "bob";
      assertThat(store.run(edit).err()).contains("code: not_found", "--for-all");
      assertThat(store.run("memory", "show", "atlas", "notes").out()).contains("buy milk");
      assertThat(store.run("memory", "entries", "atlas").out()).contains("moved to Oslo", "nine");
      assertThat(store.run("memory", "entries", "atlas", "--user", "bob").out())
          .contains("nine")
          .doesNotContain("Oslo");
      String[] move = {"memory", "move", "atlas", "--block", "trip", "--to", "ann", "--dry-run"};
      assertThat(store.run(move).out()).contains("WOULD MOVE", "trip", "agent atlas", "ann");
      assertThat(store.run("memory", "show", "atlas", "trip").exitCode()).isZero();
      assertThat(store.run("memory", "move", "atlas", "--block", "trip", "--to", "ann").out())
          .contains("MOVED");
      assertThat(store.run("memory", "show", "atlas", "trip").err()).contains("code: not_found");
      Run back =
          store.run("memory", "move", "atlas", "--from", "ann", "--block", "trip", "--to-agent");
      assertThat(back.out()).as(back.err()).contains("MOVED", "agent atlas");
      assertThat(store.run("memory", "move", "atlas", "--to", "ann").err())
          .contains("nothing to move");
      assertThat(store.run("memory", "move", "atlas", "--block", "notes", "--to", "ann").err())
          .contains("code: label_taken");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void listsAndShows(boolean byServer) {
    try (Served store = Served.open(directory, byServer)) {
      assertThat(store.run("memory", "list").out()).contains("atlas");
      Run blocks = store.run("memory", "list", "atlas");
      assertThat(blocks.exitCode()).as(blocks.err()).isZero();
      assertThat(blocks.out()).contains("notes", "core", "trip", "working");
      assertThat(Printer.objects(store.run("memory", "list", "atlas", "--json").json(), "blocks"))
          .hasSize(2);
      assertThat(store.run("memory", "list", "nobody").err()).contains("code: not_found");
      assertThat(store.run("memory", "show", "atlas", "notes").out()).contains("buy milk");
      JsonObject shown = store.run("memory", "show", "atlas", "trip", "--json").json();
      assertThat(shown.object("value").flatMap(value -> value.string("city"))).contains("Oslo");
      assertThat(store.run("memory", "show", "atlas", "nope").err()).contains("code: not_found");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void editsAsAHuman(boolean byServer) throws IOException {
    Path file = Files.writeString(directory.resolve("new.txt"), "buy oat milk\n");
    try (Served store = Served.open(directory, byServer)) {
      Run set = store.run("memory", "edit", "atlas", "notes", "--set", "buy tea", "--as", "ann");
      assertThat(set.exitCode()).as(set.err()).isZero();
      assertThat(set.out()).contains("1 change in the block for all users; version 2");
      Run filed =
          store.run("memory", "edit", "atlas", "notes", "--file", file.toString(), "--json");
      assertThat(filed.json().isTrue("changed")).isTrue();
      assertThat(store.run("memory", "show", "atlas", "notes", "--json").json().string("value"))
          .contains("buy oat milk");
      Run same = store.run("memory", "edit", "atlas", "notes", "--set", "buy oat milk");
      assertThat(same.out()).contains("nothing changed; version 3");
      Run old = store.run("memory", "show", "atlas", "notes", "--at", "2");
      assertThat(old.out()).contains("buy tea");
      Run map =
          store.run(
              "memory",
              "edit",
              "atlas",
              "trip",
              "--set",
              "{\"city\":\"Bergen\",\"visits\":3,\"likes\":[\"tea\",\"fish\"]}");
      assertThat(map.exitCode()).as(map.err()).isZero();
      assertThat(store.run("memory", "show", "atlas", "trip", "--json").out())
          .contains("\"value\":{\"city\":\"Bergen\",\"visits\":3,\"likes\":[\"tea\",\"fish\"]}");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void setsNamedFieldsAndAsksBeforeItRemovesOthers(boolean byServer) {
    String all = "{\"city\":\"Bergen\",\"visits\":3,\"likes\":[\"tea\"]}";
    try (Served store = Served.open(directory, byServer)) {
      store.run("memory", "edit", "atlas", "trip", "--set", all, "--replace", "--yes");
      Run one = store.run("memory", "edit", "atlas", "trip", "--set", "{\"city\":\"Oslo\"}");
      assertThat(one.out()).as(one.err()).contains("1 change in");
      String[] whole = {
        "memory", "edit", "atlas", "trip", "--set", "{\"city\":\"Rome\"}", "--replace"
      };
      assertThat(store.run(whole).err())
          .contains("nothing was changed: it would remove visits, likes", "--yes");
      assertThat(store.run("memory", "show", "atlas", "trip", "--json").out())
          .contains("\"value\":{\"city\":\"Oslo\",\"visits\":3,\"likes\":[\"tea\"]}");
      List<String> sure = new ArrayList<>(List.of(whole));
      sure.add("--yes");
      Run replaced = store.run(sure.toArray(String[]::new));
      assertThat(replaced.exitCode()).as(replaced.err()).isZero();
      assertThat(store.run("memory", "show", "atlas", "trip", "--json").out())
          .contains("\"value\":{\"city\":\"Rome\",\"visits\":0}");
    }
  }

  @Test
  void saysWhoEditedAndRefusesNonsense() {
    try (Served store = Served.open(directory, true)) {
      store.run("memory", "edit", "atlas", "notes", "--set", "x", "--as", "ann", "--message", "m");
      try (Api api = Api.running(flags()).orElseThrow()) {
        assertThat(api.get("/v1/agents/atlas/blocks/notes/history").toJson())
            .contains("human:ann")
            .contains("\"message\":\"m\"");
      }
      assertThat(store.run("memory", "edit", "atlas", "trip", "--set", "{").err())
          .contains("code: malformed_json");
      assertThat(store.run("memory", "edit", "atlas", "trip", "--set", "[]").err())
          .contains("code: field_type");
      assertThat(store.run("memory", "edit", "atlas", "trip", "--set", "{\"x\":1}").err())
          .contains("code: field_not_found");
      assertThat(store.run("memory", "edit", "atlas", "notes", "--file", "nowhere").err())
          .contains("code: not_found");
      assertThat(store.run("memory", "edit", "atlas", "notes").err())
          .contains("no editor is set: set VISUAL or EDITOR, or give --set or --file");
    }
  }

  private StoreFlags flags() {
    StoreFlags flags = new StoreFlags();
    new picocli.CommandLine(flags).parseArgs("--data", directory.toString());
    return flags;
  }

  /** What an agent writes while the editor is open stays. */
  @Test
  void mergesWithWhatOthersWriteMeanwhile() throws IOException {
    Path editor = directory.resolve("editor.sh");
    try (Served store = Served.open(directory, true)) {
      String address;
      try (Api api = Api.running(flags()).orElseThrow()) {
        address = api.address();
      }
      String url = address + "/v1/agents/atlas/blocks/notes/ops";
      Files.writeString(
          editor,
          """
          set -e
          curl -sf -H 'Content-Type: application/json' -X POST %s \\
            -d '{"ops":[{"op":"append_text","text":"\\npay rent"}]}' > /dev/null
          sed -i 's/milk/oat milk/' "$1"
          """
              .formatted(url));
      Run run =
          Run.with(
              Map.of("EDITOR", "bash " + editor),
              "memory",
              "edit",
              "atlas",
              "notes",
              "--data",
              directory.toString());
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(store.run("memory", "show", "atlas", "notes", "--json").json().string("value"))
          .contains("buy oat milk\npay rent");
    }
  }

  @Test
  void saysThatAnEditorCannotBeStarted() {
    Run run =
        Run.with(
            Map.of("EDITOR", "/nope --wait"),
            "memory",
            "edit",
            "atlas",
            "notes",
            "--data",
            directory.toString());
    assertThat(run.err())
        .startsWith("error: the editor '/nope' cannot be started; name another one in EDITOR")
        .doesNotContain("java.", "Exception");
  }

  @Test
  void changesNothingIfTheEditorFails() {
    Run run =
        Run.with(
            Map.of("EDITOR", "false"),
            "memory",
            "edit",
            "atlas",
            "notes",
            "--data",
            directory.toString());
    assertThat(run.exitCode()).isEqualTo(Main.FAILED);
    assertThat(run.err()).contains("the editor failed, and nothing was changed");
  }

  /** Runs the editor "replace everything by this text" and says whether it was opened. */
  private Run edit(String written, String label, String... more) throws IOException {
    Files.writeString(directory.resolve("written"), written);
    Path editor = directory.resolve("editor.sh");
    Files.writeString(
        editor,
        "cp '%s' \"$1\" && touch '%s'\n"
            .formatted(directory.resolve("written"), directory.resolve("opened")));
    List<String> args = new ArrayList<>(List.of("memory", "edit", "atlas", label));
    args.addAll(List.of(more));
    args.addAll(List.of("--data", directory.toString()));
    return Run.with(Map.of("EDITOR", "bash " + editor), args.toArray(String[]::new));
  }

  @Test
  void keepsWhatWasWrittenIfItIsRefused() throws IOException {
    for (String written : List.of("{\"x\":1}", "{ no JSON")) {
      Run run = edit(written, "trip");
      assertThat(run.exitCode()).isEqualTo(Main.FAILED);
      Matcher kept = Pattern.compile("is kept in (\\S+\\.json), for --file").matcher(run.err());
      assertThat(kept.find()).as(run.err()).isTrue();
      Path file = Path.of(kept.group(1));
      assertThat(file).hasContent(written);
      Files.delete(file);
    }
  }

  @Test
  void keepsWhatWasWrittenIfTheServerRefusesIt() throws IOException {
    try (Contexture engine = Contexture.open(directory)) {
      engine
          .memory(Scope.of("local", "local"))
          .createBlock(
              "atlas",
              BlockSpec.of("short", MemoryBlockType.CORE).charLimit(10).content(JsonValue.of("a")));
    }
    String written = "longer than ten letters";
    Run run = edit(written, "short", "--json");
    assertThat(run.exitCode()).isEqualTo(Main.FAILED);
    JsonObject problem = (JsonObject) JsonValue.parse(run.err());
    assertThat(problem.string("code")).contains("limit_exceeded");
    Path file = Path.of(problem.string("kept").orElseThrow());
    assertThat(file).hasContent(written);
    Files.delete(file);
  }

  @Test
  void opensNoEditorForWhoIsNobody() throws IOException {
    Run run = edit("x", "notes", "--as", "Ann Bee");
    assertThat(run.err()).contains("--as is 'Ann Bee'", "code: invalid_argument");
    assertThat(directory.resolve("opened")).doesNotExist();
  }

  /** A key that may read but not act as a human is refused before anything is typed. */
  @Test
  void opensNoEditorForWhoMayNotEdit() throws IOException {
    KeyFile keys = new KeyFile(directory.resolve("keys.json"));
    String key =
        keys.add(
                Grant.of(Scope.of("local", "local"), KeyRole.WRITER),
                TestSeed.random(1),
                Instant.EPOCH)
            .key();
    ServerOptions options =
        ServerOptions.local(BuildVersion.text()).withPort(0).withKeys(KeyRing.of(keys));
    try (Contexture engine = Contexture.open(directory);
        ContextureServer server = ContextureServer.start(engine, options)) {
      ((SqliteStore) engine.store()).announceServer(server.address());
      Run run = edit("x", "notes", "--key", key);
      assertThat(run.err()).contains("code: forbidden").doesNotContain("kept in");
      assertThat(directory.resolve("opened")).doesNotExist();
    }
  }
}
