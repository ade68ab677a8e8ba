import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts what makes a tree easy or hard to enter; one column for each tree that is given. */
public final class House {
  private static final Set<String> NO_PRODUCT =
      Set.of("testkit", "test-seeds", "bench", "engine-tests");
  private static final Pattern TYPE =
      Pattern.compile(
          "^(public )?(?:abstract |final |sealed |non-sealed |strictfp"
              + " )*(?:class|interface|record|enum|@interface) (\\w+)",
          Pattern.MULTILINE);
  private static final Pattern TAG = Pattern.compile("\\b(?:[TMPHV]-[0-9]+|V[0-9]+\\b(?!\\.))");
  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
  private static final Pattern ODD_NAME = Pattern.compile(".*(?:[a-z]ing|[a-z]ed)");
  // Nouns that end so, and the parts of words of the domain.
  private static final Set<String> NOUNS =
      Set.of("Ring", "String", "Feed", "Embed", "Seed", "Thing", "Finding", "Heading", "Setting");
  private static final Pattern DOC =
      Pattern.compile("^/\\*\\*(.*?)\\*/", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern QUESTION =
      Pattern.compile(
          "[\\s*]*(?:<\\w+>\\s*)*"
              + "(?:What|How|Where|Who|Whom|Whose|Which|When|Why|Whether|That|As)\\b.*",
          Pattern.DOTALL);
  private static final int SAME_LINES = 10;
  private static final int MOST_TYPES = 30;
  private static final int MOST_LINES = 500;

  private record Source(String module, String group, Path file, List<String> lines, String text) {
    String name() {
      return file.getFileName().toString().replace(".java", "");
    }

    boolean isProduct() {
      return !NO_PRODUCT.contains(module);
    }
  }

  public static void main(String[] args) throws IOException {
    boolean check = args.length > 0 && args[0].equals("--check");
    String[] trees = check ? Arrays.copyOfRange(args, 1, args.length) : args;
    Map<String, List<String>> table = new LinkedHashMap<>();
    StringBuilder details = new StringBuilder();
    for (String tree : trees) {
      List<Source> sources = read(Path.of(tree));
      figures(sources)
          .forEach((what, value) -> table.computeIfAbsent(what, k -> new ArrayList<>()).add(value));
      details.setLength(0);
      details(sources, details); // of the last tree
    }
    int width = table.keySet().stream().mapToInt(String::length).max().orElse(0);
    table.forEach(
        (what, values) ->
            System.out.printf(
                "%-" + width + "s  %s%n",
                what,
                String.join("  ", values.stream().map(v -> String.format("%24s", v)).toList())));
    System.out.println();
    System.out.print(details);
    if (check && !isSound(read(Path.of(trees[trees.length - 1])))) {
      System.out.println(
          "a package, a file, a name or a class doc is beyond what CONTRIBUTING.md allows");
      System.exit(1);
    }
  }

  private static boolean isSound(List<Source> sources) {
    List<Source> types = types(product(sources));
    return large(sources).isEmpty()
        && oddNames(types).isEmpty()
        && twice(types).isEmpty()
        && questions(product(sources)).isEmpty()
        && long500(sources).isEmpty();
  }

  private static List<Source> read(Path tree) throws IOException {
    List<Source> sources = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> all = Files.walk(tree)) {
      files = all.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
    for (Path file : files) {
      String relative = tree.relativize(file).toString().replace('\\', '/');
      Matcher place =
          Pattern.compile("(?:.*/)?([\\w-]+)/src/(main|test)/java/(.*)/[^/]+").matcher(relative);
      if (place.matches() && !relative.contains("/target/")) {
        String text = Files.readString(file);
        sources.add(
            new Source(
                place.group(2).equals("main") ? place.group(1) : "test",
                place.group(3).replace('/', '.'),
                file,
                text.lines().toList(),
                text));
      }
    }
    return sources;
  }

  private static List<Source> product(List<Source> sources) {
    return sources.stream()
        .filter(s -> !s.module().equals("test"))
        .filter(Source::isProduct)
        .toList();
  }

  private static List<Source> types(List<Source> sources) {
    return sources.stream().filter(s -> !s.name().endsWith("-info")).toList();
  }

  private static Map<String, String> figures(List<Source> sources) {
    List<Source> product = product(sources);
    List<Source> types = types(product);
    List<Source> core = types.stream().filter(s -> s.module().equals("core")).toList();
    long open = core.stream().filter(House::isPublic).count();
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("product lines", number(product.stream().mapToLong(s -> s.lines().size()).sum()));
    figures.put("product types", number(types.size()));
    figures.put(
        "core: types, public",
        core.size() + ", " + open + " (" + 100 * open / Math.max(1, core.size()) + " %)");
    packages(product).entrySet().stream()
        .limit(3)
        .forEach(
            e ->
                figures.put(
                    "package " + (figures.size() - 2) + " by size",
                    shortened(e.getKey()) + " " + e.getValue()));
    figures.put("packages over 30 types", number(large(sources).size()));
    figures.put("names that end in -ing or -ed", number(oddNames(types).size()));
    figures.put("simple names used twice", number(twice(types).size()));
    figures.put("class docs that begin with a question word", number(questions(product).size()));
    figures.put("spec tags in main code", number(product.stream().mapToLong(House::tags).sum()));
    figures.put("files over 500 lines", number(long500(sources).size()));
    figures.put("same " + SAME_LINES + " lines in two places", number(same(product).size()));
    figures.put(
        "test lines",
        number(
            sources.stream()
                .filter(s -> s.module().equals("test"))
                .mapToLong(s -> s.lines().size())
                .sum()));
    return figures;
  }

  private static void details(List<Source> sources, StringBuilder out) {
    List<Source> types = types(product(sources));
    out.append("packages over 30 types: ").append(String.join(", ", large(sources))).append('\n');
    out.append("names that end in -ing or -ed: ")
        .append(String.join(", ", oddNames(types)))
        .append('\n');
    out.append("simple names used twice: ").append(String.join(", ", twice(types))).append('\n');
    out.append("class docs that begin with a question word: ")
        .append(String.join(", ", questions(product(sources))))
        .append('\n');
    out.append("files over 500 lines: ").append(String.join(", ", long500(sources))).append('\n');
    same(product(sources)).forEach(pair -> out.append("same lines: ").append(pair).append('\n'));
  }

  private static boolean isPublic(Source source) {
    Matcher type = TYPE.matcher(source.text());
    return type.find() && type.group(1) != null;
  }

  private static Map<String, Integer> packages(List<Source> sources) {
    Map<String, Integer> sizes = new TreeMap<>();
    types(sources).forEach(s -> sizes.merge(s.group(), 1, Integer::sum));
    return sizes.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new));
  }

  private static List<String> large(List<Source> sources) {
    List<Source> main = sources.stream().filter(s -> !s.module().equals("test")).toList();
    return packages(main).entrySet().stream()
        .filter(e -> e.getValue() > MOST_TYPES)
        .map(e -> shortened(e.getKey()) + " " + e.getValue())
        .toList();
  }

  private static Set<String> oddNames(List<Source> types) {
    return types.stream()
        .map(Source::name)
        .filter(name -> ODD_NAME.matcher(name).matches())
        .filter(name -> NOUNS.stream().noneMatch(name::endsWith))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> twice(List<Source> types) {
    Set<String> seen = new HashSet<>();
    return types.stream()
        .map(Source::name)
        .filter(name -> !seen.add(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Types and packages whose doc begins with a question word, instead of a noun or a verb. */
  private static List<String> questions(List<Source> sources) {
    return sources.stream()
        .filter(s -> QUESTION.matcher(classDoc(s)).matches())
        .map(s -> s.name().endsWith("-info") ? shortened(s.group()) + " " + s.name() : s.name())
        .toList();
  }

  /** The doc of the type that a file is named after, or of its package; empty if there is none. */
  private static String classDoc(Source source) {
    Matcher type = TYPE.matcher(source.text());
    int end = type.find() ? type.start() : source.text().length();
    Matcher docs = DOC.matcher(source.text()).region(0, end);
    String last = "";
    while (docs.find()) {
      last = docs.group(1);
    }
    return last;
  }

  private static long tags(Source source) {
    Matcher comments = COMMENT.matcher(source.text());
    long tags = 0;
    while (comments.find()) {
      tags += TAG.matcher(comments.group()).results().count();
    }
    return tags;
  }

  private static List<String> long500(List<Source> sources) {
    return sources.stream()
        .filter(s -> s.lines().size() > MOST_LINES)
        .sorted(Comparator.comparingInt((Source s) -> -s.lines().size()))
        .map(s -> s.name() + " " + s.lines().size())
        .toList();
  }

  /**
   * Places where so many lines in a row are the same but for their indentation; imports do not
   * count.
   */
  private static List<String> same(List<Source> sources) {
    Map<String, String> first = new HashMap<>();
    List<String> pairs = new ArrayList<>();
    for (Source source : sources) {
      List<String> lines = new ArrayList<>();
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < source.lines().size(); i++) {
        String line = source.lines().get(i).strip();
        if (!line.isEmpty() && !line.startsWith("import ") && !line.startsWith("package ")) {
          lines.add(line);
          numbers.add(i + 1);
        }
      }
      for (int i = 0; i + SAME_LINES <= lines.size(); i++) {
        List<String> window = lines.subList(i, i + SAME_LINES);
        if (window.stream().filter(line -> line.length() > 3).count() < SAME_LINES * 2 / 3) {
          continue;
        }
        String place = source.name() + ":" + numbers.get(i);
        String other = first.putIfAbsent(String.join("\n", window), place);
        if (other != null) {
          pairs.add(other + " ~ " + place);
          i += SAME_LINES - 1;
        }
      }
    }
    return pairs;
  }

  private static String shortened(String name) {
    return name.replace("dev.contexture.", "");
  }

  private static String number(long value) {
    return String.format("%,d", value).replace(',', ' ');
  }
}
