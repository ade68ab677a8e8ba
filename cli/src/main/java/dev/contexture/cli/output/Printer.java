package dev.contexture.cli.output;

import dev.contexture.cli.ContextureCommand;
import dev.contexture.cli.support.Api;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNumber;
import dev.contexture.json.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Prints the results of a command in its output style. Confined to one thread. */
public final class Printer {
  private final PrintWriter out;
  private final PrintWriter err;
  private final OutputStyle looks;

  private Printer(PrintWriter out, PrintWriter err, OutputStyle looks) {
    this.out = out;
    this.err = err;
    this.looks = looks;
  }

  /** That of a command which runs. */
  public static Printer of(@Nullable CommandSpec spec) {
    CommandSpec running = Objects.requireNonNull(spec);
    CommandLine line = running.commandLine();
    return new Printer(line.getOut(), line.getErr(), ContextureCommand.of(running).looks());
  }

  public boolean json() {
    return looks.json();
  }

  public Paint paint() {
    return looks.out();
  }

  /** Text for people; what a terminal would obey in it is named. */
  public void line(String text) {
    out.println(TerminalText.line(text));
  }

  /** One line of JSON. */
  public void json(JsonObject json) {
    out.println(json.toJson());
  }

  /** Something beside the result. */
  public void note(String text) {
    err.println(TerminalText.line(text));
    err.flush();
  }

  public Progress progress(String what) {
    return new Progress(err, looks.progress(), what);
  }

  /** Rows under their names, in columns as wide as what is in them. */
  public void table(List<String> names, List<List<String>> cells) {
    List<List<String>> rows =
        cells.stream().map(row -> row.stream().map(TerminalText::cell).toList()).toList();
    List<Integer> widths = new ArrayList<>();
    for (int column = 0; column < names.size(); column++) {
      int widest = names.get(column).length();
      for (List<String> row : rows) {
        widest = Math.max(widest, row.get(column).length());
      }
      widths.add(widest);
    }
    line(paint().faint(padded(names, widths)));
    rows.forEach(row -> line(padded(row, widths)));
  }

  private static String padded(List<String> cells, List<Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String cell = cells.get(column);
      line.append(cell).append(" ".repeat(widths.get(column) - cell.length() + 2));
    }
    return line.toString().stripTrailing();
  }

  /** A number with the word for one or for many. */
  public static String count(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  /** The objects in an array of an answer; none if it has none. */
  public static List<JsonObject> objects(JsonObject of, String name) {
    return of.array(name).map(JsonArray::items).orElse(List.of()).stream()
        .filter(JsonObject.class::isInstance)
        .map(JsonObject.class::cast)
        .toList();
  }

  /** A whole number of an answer; 0 if it has none. */
  public static long number(JsonObject of, String name) {
    return of.find(name).orElse(null) instanceof JsonNumber number ? number.asLong().orElse(0) : 0;
  }

  /** The path of a page of a list. */
  public static String paged(String path, int limit, @Nullable String cursor) {
    String page = path + "?limit=" + limit;
    return cursor == null ? page : page + "&cursor=" + Api.encoded(cursor);
  }

  /** Says how to go on where a page is not the last one. */
  public void more(JsonObject page) {
    page.string("next_cursor").ifPresent(next -> note("there are more: --cursor " + next));
  }
}
