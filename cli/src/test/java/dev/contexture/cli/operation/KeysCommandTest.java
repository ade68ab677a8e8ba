package dev.contexture.cli.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.cli.Main;
import dev.contexture.cli.Run;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.server.keys.KeyFile;
import dev.contexture.server.keys.KeyRing;
import dev.contexture.server.keys.KeyRole;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysCommandTest {
  @TempDir Path directory;

  private Run add(String... more) {
    String[] args = {
      "keys", "add", "--keys", file(), "--tenant", "acme", "--project", "shop", "--role", "writer"
    };
    String[] all = java.util.Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return Run.of(all);
  }

  private String file() {
    return directory.resolve("keys.json").toString();
  }

  @Test
  void printsAKeyOnceAndThatIsTaken() {
    Run run = add("--user", "u1");
    assertThat(run.exitCode()).isZero();
    String key = run.out().strip();
    KeyRing.Found found =
        KeyRing.of(new KeyFile(directory.resolve("keys.json"))).find(key).orElseThrow();
    assertThat(found.grant().role()).isEqualTo(KeyRole.WRITER);
    assertThat(found.grant().user()).isEqualTo("u1");
    assertThat(run.err()).contains(found.id()).doesNotContain(key);
    Run list = Run.of("keys", "list", "--keys", file());
    assertThat(list.out()).contains(found.id(), "writer", "acme/shop", "u1", "all", "valid");
    assertThat(list.out().lines().findFirst().orElseThrow())
        .containsSubsequence("ID", "ROLE", "SCOPE", "USER", "AGENT", "CREATED", "STATE");
    assertThat(list.out()).doesNotContain(key.substring(key.length() - 20));
  }

  @Test
  void revokes() {
    JsonObject made = (JsonObject) JsonValue.parse(add("--agent", "atlas", "--json").out());
    String key = made.string("key").orElseThrow();
    String id = made.string("id").orElseThrow();
    Run revoked = Run.of("keys", "revoke", "--keys", file(), id, "--json");
    assertThat(revoked.out()).contains("\"revoked_at\"").doesNotContain(key);
    assertThat(KeyRing.of(new KeyFile(directory.resolve("keys.json"))).find(key)).isEmpty();
    assertThat(Run.of("--json", "keys", "list", "--keys", file()).out())
        .contains(id, "\"agent\":\"atlas\"", "revoked_at")
        .doesNotContain("sha256");
    assertThat(Run.of("keys", "revoke", "--keys", file(), "none").err())
        .contains("code: not_found");
  }

  @Test
  void showsNameEndAndLastUse() throws java.io.IOException {
    String key = add("--name", "the agent", "--expires", "90d").out().strip();
    assertThat(add("--expires", "2999-01-31").exitCode()).isZero();
    KeyRing ring = KeyRing.of(new KeyFile(directory.resolve("keys.json")));
    ring.find(key);
    ring.writeUses();
    Run list = Run.of("keys", "list", "--keys", file());
    assertThat(list.out().lines().findFirst().orElseThrow())
        .containsSubsequence("ID", "NAME", "EXPIRES", "LAST USE", "STATE");
    assertThat(list.out()).contains("the agent", "2999-01-31T00:00:00Z", "never", "valid");
    assertThat(Run.of("keys", "list", "--keys", file(), "--json").out())
        .contains("\"name\":\"the agent\"", "\"expires_at\"", "\"last_used_at\"");
    Run past = add("--expires", "2001-01-01");
    assertThat(past.exitCode()).isEqualTo(Main.USAGE);
    assertThat(past.err()).contains("--expires is '2001-01-01T00:00:00Z'");
    assertThat(add("--expires", "soon").err()).contains("--expires is 'soon'");
    assertThat(add("--name", " ").err()).contains("--name is ' '");
  }

  @Test
  void removes() {
    JsonObject made = (JsonObject) JsonValue.parse(add("--json").out());
    String id = made.string("id").orElseThrow();
    assertThat(Run.of("keys", "remove", "--keys", file(), id).out()).contains("removed " + id);
    assertThat(Run.of("keys", "list", "--keys", file()).out()).doesNotContain(id);
    assertThat(Run.of("keys", "remove", "--keys", file(), id).err()).contains("code: not_found");
  }

  @Test
  void refusesWhatIsMissingOrWrong() {
    assertThat(Run.of("keys").exitCode()).isEqualTo(2);
    assertThat(Run.of("keys", "add").exitCode()).isEqualTo(2);
    assertThat(Run.of("keys", "list", "--keys", file()).err())
        .contains("there is no key file", "code: not_found");
    assertThat(
            Run.of(
                    "keys",
                    "add",
                    "--keys",
                    file(),
                    "--tenant",
                    "..",
                    "--project",
                    "p",
                    "--role",
                    "reader")
                .err())
        .contains("--tenant is '..'");
    Run role =
        Run.of(
            "keys", "add", "--keys", file(), "--tenant", "t", "--project", "p", "--role", "boss");
    assertThat(role.exitCode()).isEqualTo(Main.USAGE);
    assertThat(role.err()).contains("--role is 'boss'");
    assertThat(
            Run.of(
                    "keys",
                    "add",
                    "--keys",
                    file(),
                    "--tenant",
                    "t",
                    "--project",
                    "p",
                    "--role",
                    "root")
                .err())
        .contains("role is 'root'");
    assertThat(directory.resolve("keys.json")).doesNotExist();
  }
}
