package dev.contexture.memory;

import dev.contexture.json.JsonValue;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.content.ContentRenderer;
import dev.contexture.memory.schema.ListSchema;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/*
 * How long the items of a list are when they are shown, so that a change of one needs no look at
 * the others. Lengths of numbered items are kept for the number 1, the others as negative numbers:
 * items move, and only the digits of their numbers change then.
 */
/** The length of a shown list, item by item. Immutable. */
final class ItemLengths {
  private final ListSchema schema;
  private final List<String> items;
  private final int[] lengths;
  private final long total;

  private ItemLengths(ListSchema schema, List<String> items, int[] lengths) {
    this.schema = schema;
    this.items = items;
    this.lengths = lengths;
    this.total = total(lengths);
  }

  /**
   * The lengths of items.
   *
   * @param items their JSON texts
   * @param known of another state of the list: what both have in front and behind is not read again
   */
  static ItemLengths of(ListSchema schema, List<String> items, @Nullable ItemLengths known) {
    ItemLengths before =
        known != null && known.schema.equals(schema)
            ? known
            : new ItemLengths(schema, List.of(), new int[0]);
    List<String> old = before.items;
    int shorter = Math.min(old.size(), items.size());
    int front = 0;
    while (front < shorter && old.get(front).equals(items.get(front))) {
      front++;
    }
    int back = 0;
    while (back < shorter - front
        && old.get(old.size() - 1 - back).equals(items.get(items.size() - 1 - back))) {
      back++;
    }
    int[] lengths = new int[items.size()];
    System.arraycopy(before.lengths, 0, lengths, 0, front);
    System.arraycopy(before.lengths, old.size() - back, lengths, items.size() - back, back);
    for (int i = front; i < items.size() - back; i++) {
      lengths[i] = length(schema, items.get(i));
    }
    return new ItemLengths(schema, items, lengths);
  }

  /** As above, with what was last asked for as what is known. */
  static ItemLengths of(
      ListSchema schema, List<String> items, AtomicReference<@Nullable ItemLengths> last) {
    ItemLengths now = of(schema, items, last.get());
    last.set(now);
    return now;
  }

  private static int length(ListSchema schema, String item) {
    JsonValue value = ContentReader.parse(item);
    String shown = ContentRenderer.listItem(schema, 1, value);
    int length = shown.codePointCount(0, shown.length());
    return ContentRenderer.isNumbered(value) ? length : -length;
  }

  private static long total(int[] lengths) {
    long total = Math.max(0, lengths.length - 1); // line feeds
    int digits = 1;
    int next = 10;
    for (int i = 0; i < lengths.length; i++) {
      if (i + 1 == next) {
        digits++;
        next = next > Integer.MAX_VALUE / 10 ? Integer.MAX_VALUE : next * 10;
      }
      total += lengths[i] < 0 ? -lengths[i] : lengths[i] + digits - 1;
    }
    return total;
  }

  int size() {
    return items.size();
  }

  /** Code points of the whole list as it is shown. */
  long total() {
    return total;
  }
}
