package dev.contexture.bench.retention;

import dev.contexture.bench.replay.EngineReplay;
import dev.contexture.json.JsonValue;
import dev.contexture.simulator.replay.RecordedSession;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A dialogue in which the user states facts once, early, and an agent then works on with calls of a
 * tool and long results. Made from a seed and the texts of a language.
 *
 * @param session what was said, and where the model was called
 * @param words what the user said, in order
 */
record NeedleDialogue(RecordedSession session, List<Words> words) {
  /** The languages, by the names of their files. */
  static final List<String> LANGUAGES = List.of("en", "de", "es", "ru", "zh");

  /** How many dialogues a language has: each has its own occasion. */
  static final int PER_LANGUAGE = 8;

  static final long SEED = 17;

  private static final int FACTS_AT_FIRST = 5;
  private static final List<Integer> TURNS_WITH_A_FACT = List.of(3, 4, 6);
  private static final int ROUNDS = 170;
  private static final double LEAST_RESULT = 0.10;
  private static final double MOST_RESULT = 0.22;
  private static final Pattern SLOT = Pattern.compile("\\{(\\w+)}");
  private static final Map<String, Map<String, List<String>>> TEXTS = new ConcurrentHashMap<>();
  private static final String TOOLS =
      "[{\"name\":\"lookup\",\"description\":\"Looks something up in lists and pages.\","
          + "\"input_schema\":{\"type\":\"object\"}}]";

  NeedleDialogue {
    words = List.copyOf(words);
  }

  /**
   * One message of the user.
   *
   * @param facts sentences of it that are to be kept
   * @param before the request that it was said before, counted from 1
   */
  record Words(String text, List<String> facts, int before) {
    Words {
      facts = List.copyOf(facts);
    }
  }

  /** Whether a text is a whole message, call or result, and no summary of some. */
  boolean isSaid(String text) {
    return session.events().stream()
        .anyMatch(
            event -> event instanceof RecordedSession.Event.Said said && said.text().equals(text));
  }

  /** The dialogue of this number, with results that suit a limit. */
  static NeedleDialogue of(String language, int number, long limit) {
    return new Writer(language, number, limit).write();
  }

  /** Writes one dialogue. Confined to one thread. */
  private static final class Writer {
    private final Map<String, List<String>> texts;
    private final boolean spaces;
    private final int number;
    private final long limit;
    private final SplittableRandom random;
    private final List<RecordedSession.Event> events = new ArrayList<>();
    private final List<Words> words = new ArrayList<>();
    private final List<String> facts;
    private int turn;
    private int rounds;
    private int requests;

    Writer(String language, int number, long limit) {
      this.texts = TEXTS.computeIfAbsent(language, NeedleDialogue::read);
      this.spaces = !language.equals("zh");
      this.number = number;
      this.limit = limit;
      this.random =
          new SplittableRandom(SEED + 31L * LANGUAGES.indexOf(language) + 1_009L * number);
      this.facts = facts();
    }

    NeedleDialogue write() {
      while (rounds < ROUNDS) {
        turn++;
        say();
        for (int round = 1 + random.nextInt(5); round >= 0; round--) {
          call();
        }
        request();
        said("assistant", "text", filled("answer"), null);
      }
      JsonValue system = JsonValue.of("You help with errands. Look things up before you answer.");
      return new NeedleDialogue(new RecordedSession(system, JsonValue.parse(TOOLS), events), words);
    }

    /** All facts of the language in another order, each with its own values. */
    private List<String> facts() {
      List<String> templates = new ArrayList<>(lines("fact"));
      List<String> shuffled = new ArrayList<>();
      while (!templates.isEmpty()) {
        shuffled.add(fill(templates.remove(random.nextInt(templates.size()))));
      }
      return shuffled;
    }

    private void say() {
      List<String> sentences = new ArrayList<>();
      List<String> told = new ArrayList<>();
      if (turn == 1) {
        sentences.add(fill(lines("goal").get(number)));
        told.addAll(facts.subList(0, FACTS_AT_FIRST));
        sentences.addAll(told);
      } else {
        sentences.add(filled("ask"));
        int fact = TURNS_WITH_A_FACT.indexOf(turn);
        if (fact >= 0) {
          told.add(facts.get(FACTS_AT_FIRST + fact));
          sentences.add(filled("aside"));
          sentences.addAll(told);
        }
      }
      String text = String.join(spaces ? " " : "", sentences);
      words.add(new Words(text, told, requests + 1));
      said("user", "text", text, null);
    }

    private void call() {
      rounds++;
      request();
      String id = "c" + rounds;
      said("assistant", "tool_use", "{\"page\":" + rounds + ",\"of\":\"" + code() + "\"}", id);
      double share = LEAST_RESULT + random.nextDouble() * (MOST_RESULT - LEAST_RESULT);
      said("tool", "tool_result", rows((long) (share * limit)), id);
    }

    private String rows(long tokens) {
      StringBuilder rows = new StringBuilder();
      long used = 0;
      while (used < tokens) {
        String row = filled("row");
        used += EngineReplay.tokens(row) + 1;
        rows.append(row).append('\n');
      }
      return rows.toString();
    }

    private void request() {
      requests++;
      events.add(new RecordedSession.Event.Request());
    }

    private void said(String role, String kind, String text, @Nullable String call) {
      events.add(new RecordedSession.Event.Said(role, kind, text, call, turn));
    }

    private String filled(String section) {
      List<String> lines = lines(section);
      return fill(lines.get(random.nextInt(lines.size())));
    }

    private String fill(String template) {
      Matcher slot = SLOT.matcher(template);
      return slot.replaceAll(found -> Matcher.quoteReplacement(value(found.group(1))));
    }

    private String value(String slot) {
      return switch (slot) {
        case "n" -> Integer.toString(7 + random.nextInt(80));
        case "hour" -> Integer.toString(8 + random.nextInt(4));
        case "day" -> Integer.toString(1 + random.nextInt(28));
        case "amount" -> Integer.toString(150 + random.nextInt(4_800));
        case "code" -> code();
        case "phone" ->
            "0" + (100 + random.nextInt(900)) + " " + (100_000 + random.nextInt(900_000));
        default -> filled(slot);
      };
    }

    private String code() {
      char first = (char) ('A' + random.nextInt(26));
      char second = (char) ('A' + random.nextInt(26));
      return "" + first + second + "-" + (1_000 + random.nextInt(9_000));
    }

    private List<String> lines(String section) {
      return Objects.requireNonNull(texts.get(section), section);
    }
  }

  private static Map<String, List<String>> read(String language) {
    String file = "needles/" + language + ".txt";
    try (InputStream bytes =
        Objects.requireNonNull(NeedleDialogue.class.getResourceAsStream(file), file)) {
      Map<String, List<String>> sections = new HashMap<>();
      List<String> section = new ArrayList<>();
      String text = new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        if (line.startsWith("[")) {
          section = new ArrayList<>();
          sections.put(line.substring(1, line.length() - 1), section);
        } else if (!line.isBlank()) {
          section.add(line);
        }
      }
      return sections;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
