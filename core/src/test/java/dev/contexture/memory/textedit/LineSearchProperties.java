package dev.contexture.memory.textedit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Looking for lines finds what comparing at every place finds, and long texts take no longer. */
class LineSearchProperties {
  @Provide
  Arbitrary<List<String>> text() {
    return Arbitraries.of("a", "b", "").list().ofMaxSize(40);
  }

  @Provide
  Arbitrary<List<String>> wanted() {
    return Arbitraries.of("a", "b", "", "c").list().ofMinSize(1).ofMaxSize(6);
  }

  @Property
  void findsEveryPlace(@ForAll("text") List<String> text, @ForAll("wanted") List<String> wanted) {
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at + wanted.size() <= text.size(); at++) {
      if (text.subList(at, at + wanted.size()).equals(wanted)) {
        places.add(at);
      }
    }
    LineSearch search = new LineSearch(text);
    assertThat(search.places(wanted, Integer.MAX_VALUE)).isEqualTo(places);
    assertThat(search.places(wanted, 2)).isEqualTo(places.subList(0, Math.min(2, places.size())));
  }

  @Example
  void longTextsOfEqualLines() {
    List<String> text = new ArrayList<>(Collections.nCopies(400_000, "a"));
    text.add("b");
    List<String> wanted = new ArrayList<>(Collections.nCopies(200_000, "a"));
    wanted.addAll(List.of("b", "a"));
    assertThat(new LineSearch(text).places(wanted, 6)).isEmpty();
    assertThat(new LineSearch(text).places(wanted.subList(0, 200_001), 6)).containsExactly(200_000);
  }
}
