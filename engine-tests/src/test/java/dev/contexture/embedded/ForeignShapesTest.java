package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.Contexture;
import dev.contexture.block.BlockType;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.provider.foreign.ForeignFormat;
import dev.contexture.request.history.ImportedFile;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files with something in them that nobody knows. */
class ForeignShapesTest {
  /** What tells a part of a chat from others, in all formats. */
  private static final Pattern KIND =
      Pattern.compile("\"(type|role|content_type|from|sender|message_type)\"\\s*:\\s*\"([^\"]+)\"");

  /** No names of members and ids that are made here. */
  private static final Pattern WORD =
      Pattern.compile("\\b(?!tool_id|tool_call_id|params|tc_|call_)\\w{4,}");

  @TempDir Path directory;
  private Contexture engine;

  @BeforeEach
  void open() {
    engine = Contexture.open(directory);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static String file(ForeignFormat format) throws Exception {
    String name = format.name().toLowerCase(Locale.ROOT);
    boolean lines = format == ForeignFormat.MCP_MEMORY || format == ForeignFormat.CLAUDE_CODE;
    String path = "/dev/contexture/provider/imports/" + name + (lines ? ".jsonl" : ".json");
    try (InputStream in = ForeignShapesTest.class.getResourceAsStream(path)) {
      return new String(Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private ImportedFile read(String text) {
    return engine.files().read(text, ImportedFile.Options.named("x").agent("atlas"));
  }

  /** The words of what was said, called and found out, wherever they are kept. */
  private static Set<String> words(ImportedFile file) {
    StringBuilder all = new StringBuilder();
    for (ImportedFile.ImportedChat chat : file.chats()) {
      chat.history().instructions().forEach(one -> all.append(one.text()).append('\n'));
      chat.history().turns().stream()
          .flatMap(turn -> turn.blocks().stream())
          .filter(block -> !block.type().equals(BlockType.TURN_HEADER))
          .forEach(block -> all.append(block.text().orElse("")).append('\n'));
    }
    file.memory().forEach(block -> all.append(block.content().toJson()).append('\n'));
    return WORD.matcher(all).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  private static int findings(ImportedFile file) {
    return file.chats().stream().mapToInt(chat -> chat.history().findings().size()).sum();
  }

  /** Each kind in turn is one that there is not: that is refused or told, never passed over. */
  @ParameterizedTest
  @EnumSource
  void areRefusedOrTold(ForeignFormat format) throws Exception {
    String whole = file(format);
    ImportedFile known = read(whole);
    List<String> silent = new ArrayList<>();
    int tried = 0;
    Matcher kind = KIND.matcher(whole);
    while (kind.find()) {
      String changed =
          whole.substring(0, kind.start(2)) + "frobnicate" + whole.substring(kind.end(2));
      tried++;
      try {
        ImportedFile read = read(changed);
        Set<String> lost = new TreeSet<>(words(known));
        lost.removeAll(words(read));
        lost.remove(kind.group(2));
        if (!lost.isEmpty() && findings(read) <= findings(known)) {
          silent.add(kind.group() + " at " + kind.start() + ": " + lost);
        }
      } catch (ContextureException refused) {
        assertThat(refused.code()).isEqualTo(ErrorCode.IMPORT_MALFORMED);
        assertThat(refused).hasMessageContaining("allowed");
      }
    }
    assertThat(tried).isPositive();
    assertThat(silent).isEmpty();
  }
}
