package dev.contexture.bench.peer;

import dev.contexture.search.Passages;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * SQLite FTS5 with two tables, in memory: passages in one, each text with its neighbours in the
 * other; their scores are added. The best that was found for FTS5 with one setting for all sets.
 */
public final class TwoTablePeer implements AutoCloseable {
  private static final int NEIGHBOURS = 2;
  private static final int NEIGHBOUR_CHARS = 400;
  private static final int MAX_WORDS = 1_000;
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
  private static final Set<String> STOP_WORDS =
      Set.of(
          ("a an and are as at be been but by can could did do does for from had has have he her"
                  + " his how i if in is it its me my of on or our she so than that the their them"
                  + " then there they this to was we were what when where which who why will with"
                  + " would you your")
              .split(" "));

  private final Connection connection;
  private final List<String> ids = new ArrayList<>();

  /**
   * @param ids of the texts
   * @param texts in their order, each with who said it and when in front
   * @param conversation whether they are messages, so that neighbours belong together
   */
  public TwoTablePeer(List<String> ids, List<String> texts, boolean conversation)
      throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite::memory:");
    try (Statement statement = connection.createStatement()) {
      for (String table : List.of("own", "near")) {
        statement.execute(
            "CREATE VIRTUAL TABLE "
                + table
                + " USING fts5(text, entry UNINDEXED, tokenize = 'porter unicode61')");
      }
    }
    connection.setAutoCommit(false);
    this.ids.addAll(ids);
    try (PreparedStatement own = insert("own");
        PreparedStatement near = insert("near")) {
      for (int i = 0; i < texts.size(); i++) {
        for (String passage : Passages.of(texts.get(i))) {
          add(own, passage, i);
        }
        add(near, conversation ? around(texts, i) : texts.get(i), i);
      }
    }
    connection.commit();
  }

  private PreparedStatement insert(String table) throws SQLException {
    return connection.prepareStatement("INSERT INTO " + table + " (text, entry) VALUES (?, ?)");
  }

  private static void add(PreparedStatement insert, String text, int entry) throws SQLException {
    insert.setString(1, text);
    insert.setInt(2, entry);
    int unused = insert.executeUpdate();
  }

  private static String around(List<String> texts, int of) {
    StringBuilder all = new StringBuilder();
    int end = Math.min(texts.size(), of + NEIGHBOURS + 1);
    for (int i = Math.max(0, of - NEIGHBOURS); i < end; i++) {
      String text = texts.get(i);
      boolean whole = i == of || text.length() <= NEIGHBOUR_CHARS;
      all.append(whole ? text : text.substring(0, NEIGHBOUR_CHARS)).append('\n');
    }
    return all.toString();
  }

  /** The ids of the best texts for the words of a question. */
  public List<String> search(String question, int limit) throws SQLException {
    List<String> words = new ArrayList<>(); // one that is said twice counts twice
    WORD.matcher(question.toLowerCase(Locale.ROOT))
        .results()
        .map(found -> found.group())
        .filter(word -> !STOP_WORDS.contains(word))
        .limit(MAX_WORDS)
        .forEach(words::add);
    if (words.isEmpty()) {
      return List.of();
    }
    String any = "\"" + String.join("\" OR \"", words) + "\"";
    Map<Integer, Double> scores = best("own", any);
    best("near", any).forEach((entry, score) -> scores.merge(entry, score, Double::sum));
    return scores.entrySet().stream()
        .sorted(Comparator.comparingDouble((Map.Entry<Integer, Double> e) -> -e.getValue()))
        .limit(limit)
        .map(entry -> ids.get(entry.getKey()))
        .toList();
  }

  /** The best score of each entry in one table, higher for better ones. */
  private Map<Integer, Double> best(String table, String any) throws SQLException {
    Map<Integer, Double> scores = new HashMap<>();
    String sql = "SELECT entry, -bm25(" + table + ") FROM " + table + " WHERE text MATCH ?";
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, any);
      try (ResultSet hits = select.executeQuery()) {
        while (hits.next()) {
          scores.merge(hits.getInt(1), hits.getDouble(2), Math::max);
        }
      }
    }
    return scores;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
