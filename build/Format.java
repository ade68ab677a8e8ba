import com.google.googlejavaformat.java.Formatter;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks ({@code check}) or rewrites ({@code fix}) the format of every Java source below a folder.
 */
final class Format {
  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules", "data");

  private Format() {}

  public static void main(String[] args) throws Exception {
    boolean fix = args[0].equals("fix");
    if (!fix && !args[0].equals("check")) {
      System.err.println("-Dformat takes check or fix, not " + args[0]);
      System.exit(2);
    }
    Formatter formatter = new Formatter();
    List<Path> unformatted = new ArrayList<>();
    for (Path source : sources(Path.of(args[1]))) {
      String before = Files.readString(source);
      String after = formatter.formatSourceAndFixImports(before);
      if (before.equals(after)) {
        continue;
      }
      unformatted.add(source);
      if (fix) {
        Files.writeString(source, after);
      }
    }
    if (!fix && !unformatted.isEmpty()) {
      unformatted.forEach(source -> System.err.println("not formatted: " + source));
      System.err.println("run: mvn -q validate -Dformat=fix");
      System.exit(1);
    }
  }

  private static List<Path> sources(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return SKIPPED.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
