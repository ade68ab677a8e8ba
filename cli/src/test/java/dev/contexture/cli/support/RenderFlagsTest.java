package dev.contexture.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** H-5: every render option is a flag. */
class RenderFlagsTest {
  @Command
  private static final class Host {
    @Mixin private final RenderFlags flags = new RenderFlags();

    @Parameters(arity = "1")
    private String file = "";
  }

  @Test
  void givesNothingThatWasNotGiven() {
    assertThat(options("in.json")).isEqualTo("{}");
  }

  @Test
  void givesEveryOptionOfTheRenderCall() {
    String[] args =
        ("--max-tokens 1000 --system-text s --policy economical --include-sources"
                + " --include-announce --cache-last --force-sanitize --read-only"
                + " --keep-recent-turns 0 --exclude-contributions stage.gate,react.notes"
                + " --include-only-contributions react.note --dialect native"
                + " --cache-point-min-rounds 3 --cache-point-offset-rounds 5"
                + " --cache-ttl-seconds 300 --limit 7 --days 30 --text-only --strict-budget"
                + " --tokenizer chars4 in.json")
            .split(" ");
    assertThat(options(args))
        .isEqualTo(
            "{\"max_tokens\":1000,\"system_text\":\"s\",\"policy\":\"economical\","
                + "\"include_sources\":true,\"include_announce\":true,\"cache_last\":true,"
                + "\"force_sanitize\":true,\"read_only\":true,\"keep_recent_turns\":0,"
                + "\"exclude_contributions\":[\"stage.gate\",\"react.notes\"],"
                + "\"include_only_contributions\":[\"react.note\"],\"dialect\":\"native\","
                + "\"cache_point_min_rounds\":3,\"cache_point_offset_rounds\":5,"
                + "\"cache_ttl_seconds\":300,\"limit\":7,\"days\":30,\"text_only\":true,"
                + "\"strict_budget\":true,\"tokenizer\":\"chars4\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--no-cache-last", "--cache-last=false"})
  void switchesTheTailCachePointOff(String flag) {
    assertThat(options(flag, "in.json")).isEqualTo("{\"cache_last\":false}");
  }

  @ParameterizedTest
  @CsvSource({
    "--include-sources, include_sources",
    "--include-announce, include_announce",
    "--force-sanitize, force_sanitize",
    "--read-only, read_only",
    "--text-only, text_only",
    "--strict-budget, strict_budget"
  })
  void takesTheFileAfterABareFlag(String flag, String option) {
    assertThat(options(flag, "in.json")).isEqualTo("{\"" + option + "\":true}");
    assertThat(options(flag + "=false", "in.json")).isEqualTo("{\"" + option + "\":false}");
  }

  private static String options(String... args) {
    Host host = new Host();
    new CommandLine(host).parseArgs(args);
    assertThat(Stream.of(args)).last().isEqualTo(host.file);
    return host.flags.toOptions().toJson();
  }
}
