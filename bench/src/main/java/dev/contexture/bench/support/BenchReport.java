package dev.contexture.bench.support;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What a measurement found: own figures, peers' figures of the same run, and the circumstances. A
 * peer's figure is compared with the own figure of the same name.
 *
 * <p>Confined to one thread.
 */
public final class BenchReport {
  /** Ours, in the column of subjects. */
  public static final String SELF = "contexture";

  private static final MathContext SHOWN_DIGITS = new MathContext(4);

  /**
   * One measured value.
   *
   * @param subject who was measured: {@link #SELF} or a peer with its version
   * @param name what was measured
   * @param unit of the value, for example ms
   */
  private record Figure(String subject, String name, double value, String unit) {
    private Figure {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(subject + ", " + name + " is " + value);
      }
    }
  }

  private final String bench;
  private final boolean quick;
  private final List<Figure> own = new ArrayList<>();
  private final List<Figure> peers = new ArrayList<>();
  private final Map<String, JsonValue> facts = new LinkedHashMap<>();

  public BenchReport(String bench, boolean quick) {
    this.bench = bench;
    this.quick = quick;
  }

  /** A figure of ours. */
  public BenchReport figure(String name, double value, String unit) {
    own.add(new Figure(SELF, name, value, unit));
    return this;
  }

  /** A peer's figure; the name is that of our figure that it compares with. */
  public BenchReport peer(String peer, String name, double value, String unit) {
    peers.add(new Figure(peer, name, value, unit));
    return this;
  }

  public BenchReport seed(long seed) {
    return fact("seed", JsonValue.of(seed));
  }

  public BenchReport repetitions(long repetitions) {
    return fact("repetitions", JsonValue.of(repetitions));
  }

  /** Anything else that a reader must know, for example the size of the data. */
  public BenchReport fact(String name, JsonValue value) {
    facts.put(name, value);
    return this;
  }

  /** Prints one JSON object on one line, or a table. */
  public void print(PrintStream out, boolean json) {
    if (json) {
      out.println(toJson().toJson());
    } else {
      printTable(out);
    }
  }

  public JsonObject toJson() {
    JsonObject.Builder report = JsonObject.builder().put("bench", bench).put("quick", quick);
    report.put("figures", new JsonArray(own.stream().map(BenchReport::json).toList()));
    report.put("peers", new JsonArray(peers.stream().map(this::peerJson).toList()));
    facts.forEach(report::put);
    return report.put("versions", Circumstances.toJson()).build();
  }

  private static JsonValue json(Figure figure) {
    return start(figure).build();
  }

  private JsonValue peerJson(Figure figure) {
    JsonObject.Builder json = JsonObject.builder().put("peer", figure.subject);
    json.putAll(start(figure).build());
    ratio(figure).ifPresent(ratio -> json.put("ratio", number(ratio)));
    return json.build();
  }

  private static JsonObject.Builder start(Figure figure) {
    return JsonObject.builder()
        .put("name", figure.name)
        .put("value", number(figure.value))
        .put("unit", figure.unit);
  }

  private void printTable(PrintStream out) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("what", "who", "value", "unit", "times contexture"));
    own.forEach(figure -> rows.add(row(figure)));
    peers.forEach(figure -> rows.add(row(figure)));
    out.println(bench + (quick ? " (quick: not to be quoted)" : ""));
    TextTable.print(rows, out);
    facts.forEach((name, value) -> out.println(name + ": " + value));
    Circumstances.toJson().members().forEach((name, value) -> out.println(name + ": " + value));
  }

  private List<String> row(Figure figure) {
    OptionalDouble ratio = figure.subject.equals(SELF) ? OptionalDouble.empty() : ratio(figure);
    String shown = ratio.isPresent() ? text(ratio.getAsDouble()) + "x" : "";
    return List.of(figure.name, figure.subject, text(figure.value), figure.unit, shown);
  }

  /** How many times our figure of the same name and unit the peer's is. */
  private OptionalDouble ratio(Figure peer) {
    return own.stream()
        .filter(figure -> figure.name.equals(peer.name) && figure.unit.equals(peer.unit))
        .filter(figure -> figure.value != 0)
        .mapToDouble(figure -> peer.value / figure.value)
        .findFirst();
  }

  private static JsonValue number(double value) {
    return new JsonNumber(text(value));
  }

  private static String text(double value) {
    BigDecimal rounded = new BigDecimal(value).round(SHOWN_DIGITS);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
