package dev.contexture.bench.peer;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A keystroke history in the format of josephg/editing-traces. Immutable.
 *
 * @param concurrent whether transactions name their parents; otherwise each follows the one before
 */
public record EditingTrace(
    String startContent, String endContent, boolean concurrent, List<Transaction> transactions) {
  record Patch(int position, int deleted, String inserted) {}

  record Transaction(List<Integer> parents, int agent, List<Patch> patches) {}

  public static EditingTrace read(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return of((JsonObject) JsonValue.parse(text));
    }
  }

  private static EditingTrace of(JsonObject root) {
    boolean concurrent = text(root.members().get("kind")).equals("concurrent");
    List<Transaction> transactions = new ArrayList<>();
    for (JsonValue item : array(root.members().get("txns"))) {
      JsonObject txn = (JsonObject) item;
      List<Integer> parents =
          array(txn.members().get("parents")).stream().map(EditingTrace::integer).toList();
      int agent = concurrent ? integer(txn.members().get("agent")) : 0;
      List<Patch> patches =
          array(txn.members().get("patches")).stream().map(EditingTrace::patch).toList();
      transactions.add(new Transaction(parents, agent, patches));
    }
    String start = text(root.members().get("startContent"));
    String end = text(root.members().get("endContent"));
    return new EditingTrace(start, end, concurrent, transactions);
  }

  private static Patch patch(JsonValue value) {
    List<JsonValue> parts = array(value);
    return new Patch(integer(parts.get(0)), integer(parts.get(1)), text(parts.get(2)));
  }

  private static List<JsonValue> array(@Nullable JsonValue value) {
    return value instanceof JsonArray items ? items.items() : List.of();
  }

  private static int integer(@Nullable JsonValue value) {
    return value instanceof JsonNumber number ? Integer.parseInt(number.text()) : 0;
  }

  private static String text(@Nullable JsonValue value) {
    return value instanceof JsonString string ? string.value() : "";
  }

  public int patches() {
    return transactions.stream().mapToInt(txn -> txn.patches().size()).sum();
  }
}
