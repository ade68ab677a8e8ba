package dev.contexture.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class GrowingListProperties {
  /** Every list made on the way stays as it was, whatever grows from it. */
  @Property(tries = 200)
  void keepsEveryListAsItWas(
      @ForAll @Size(max = 40) List<@IntRange(min = -600, max = 600) Integer> steps) {
    GrowingList<Object> list = GrowingList.empty();
    List<Object> model = new ArrayList<>();
    List<GrowingList<Object>> lists = new ArrayList<>();
    List<List<Object>> models = new ArrayList<>();
    for (int step : steps) {
      if (step < 0) {
        int length = Math.max(0, model.size() + step);
        list = list.first(length);
        model = new ArrayList<>(model.subList(0, length));
      }
      for (int i = 0; i < step; i++) {
        Object element = new Object();
        list = list.append(element);
        model.add(element);
      }
      lists.add(list);
      models.add(List.copyOf(model));
    }
    for (int i = 0; i < lists.size(); i++) {
      assertThat(lists.get(i)).isEqualTo(models.get(i));
      for (int j = 0; j < lists.size(); j++) {
        assertThat(lists.get(i).firstDifference(lists.get(j), 0))
            .isEqualTo(difference(models.get(i), models.get(j)));
      }
    }
  }

  private static int difference(List<Object> one, List<Object> other) {
    int at = 0;
    while (at < Math.min(one.size(), other.size()) && one.get(at) == other.get(at)) {
      at++;
    }
    return at;
  }

  @Example
  void goesOnBehindADifference() {
    GrowingList<String> common = GrowingList.<String>empty().append("a");
    GrowingList<String> one = common.append("b").append("c");
    GrowingList<String> other = common.append("x").append("c");
    assertThat(one.firstDifference(other, 0)).isEqualTo(1);
    assertThat(one.firstDifference(other, 2)).isEqualTo(3);
  }

  @Example
  void refusesWhatItDoesNotHold() {
    GrowingList<String> list = GrowingList.<String>empty().append("a").append("b").first(1);
    assertThatThrownBy(() -> list.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.first(2)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
