package dev.contexture.block;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BlockPathProperties {
  @Property(tries = 500)
  void parsingWhatWasPrintedGivesTheSamePath(@ForAll("paths") String text) {
    // T-13, T-14
    BlockPath path = BlockPath.parse(text);
    BlockPath again = BlockPath.parse(path.text());
    assertThat(again).isEqualTo(path);
    assertThat(again.text()).isEqualTo(path.text());
    assertThat(again.kind()).isEqualTo(path.kind());
    assertThat(again.turn()).isEqualTo(path.turn());
    assertThat(again.callId()).isEqualTo(path.callId());
    path.physical().ifPresent(p -> assertThat(BlockPath.ofPhysical(p)).isEqualTo(path));
  }

  @Property(tries = 500)
  void anyTextIsAPathOrRefused(@ForAll("nearPaths") String text) {
    // T-13
    if (BlockPath.isValid(text)) {
      assertThat(BlockPath.parse(BlockPath.parse(text).text())).isEqualTo(BlockPath.parse(text));
    }
  }

  @Provide
  Arbitrary<String> nearPaths() {
    return Combinators.combine(paths(), Arbitraries.integers().between(0, 40), Arbitraries.chars())
        .as(
            (path, at, c) -> {
              int cut = Math.min(at, path.length());
              return path.substring(0, cut) + c + path.substring(cut);
            });
  }

  @Provide
  Arbitrary<String> paths() {
    Arbitrary<String> turn = name(20);
    Arbitrary<String> call = name(20).map(name -> "tc_" + name);
    Arbitrary<String> file =
        Arbitraries.strings()
            .withCharRange(' ', 'ÿ')
            .withChars('中')
            .excludeChars('/', '\\')
            .ofMinLength(1)
            .ofMaxLength(12)
            .filter(name -> !name.equals(".") && !name.equals(".."))
            .filter(name -> name.chars().noneMatch(Character::isISOControl));
    Arbitrary<String> files = file.list().ofMinSize(1).ofMaxSize(3).map(l -> String.join("/", l));
    Arbitrary<String> verb = Arbitraries.of("call", "result", "notice");
    Arbitrary<String> json = Arbitraries.of("", ".json");
    Arbitrary<String> names =
        name(8).list().ofMinSize(1).ofMaxSize(4).map(list -> String.join(".", list));
    Arbitrary<String> items =
        Arbitraries.oneOf(
                Arbitraries.integers().between(0, 999).map(Object::toString),
                Combinators.combine(
                        Arbitraries.integers().between(0, 99),
                        Arbitraries.integers().between(0, 99))
                    .as((a, b) -> a + " - " + b),
                Arbitraries.strings().excludeChars(',', ']').ofMaxLength(5))
            .list()
            .ofMinSize(1)
            .ofMaxSize(4)
            .map(list -> String.join(",", list));
    return Arbitraries.oneOf(
        Combinators.combine(turn, names).as((t, n) -> "ar:" + t + "." + n),
        Combinators.combine(turn, call).as((t, c) -> "ar:" + t + ".react.notes." + c),
        Combinators.combine(turn, file).as((t, f) -> "fi:" + t + ".user.attachments/" + f),
        Combinators.combine(turn, files).as((t, f) -> "fi:" + t + ".files/" + f),
        Combinators.combine(turn, call).as((t, c) -> "fi:" + t + ".code." + c),
        Combinators.combine(turn, call, verb).as((t, c, v) -> "tc:" + t + "." + c + "." + v),
        Combinators.combine(turn, call, verb, json)
            .as((t, c, v, j) -> "tc:" + t + ".tool_calls." + c + "." + v + j),
        items.map(list -> "so:sources_pool[" + list + "]"),
        turn.map(t -> "su:" + t + ".conv.range.summary"),
        name(10).map(n -> "sk:" + n + "/" + n + ".md"));
  }

  private static Arbitrary<String> name(int longest) {
    return Arbitraries.strings()
        .alpha()
        .numeric()
        .withChars('_', '-')
        .ofMinLength(1)
        .ofMaxLength(longest);
  }
}
