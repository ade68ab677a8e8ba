package dev.contexture.engine.search;

import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.search.IndexDocument;
import dev.contexture.search.IndexEntry;
import dev.contexture.search.SearchContentType;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.TurnRow;
import dev.contexture.timeline.TurnStatus;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Turns messages of a conversation into entries of an index. */
final class MessageEntries {
  /** How many messages before and behind a message belong to what stands around it. */
  static final int NEIGHBOURS = 2;

  private static final int NEIGHBOUR_CHARS = 400;
  private static final int SPEAKER_CHARS = 40; // most have less

  // A short message is embedded with the short ones before it; a long one needs none, and a long
  // one
  // before it would make its vectors those of another message.
  private static final int INTRODUCTION_CHARS = 200;
  private static final int INTRODUCED_CHARS = 300;
  private static final int HASH_BYTES = 12;
  private static final Set<Author> ROLES_ONLY =
      Set.of(
          Author.USER,
          Author.ASSISTANT,
          Author.SYSTEM,
          Author.REACT,
          Author.AGENT,
          Author.TOOL,
          Author.GATE);

  private MessageEntries() {}

  /** Whether a turn's messages can be found: not if it was taken out of context. */
  static boolean isSearchable(TurnStatus status) {
    return status == TurnStatus.OPEN || status.kept();
  }

  /** Whether a block can be found: it has text that people or models are shown. */
  static boolean isSearchable(Block block) {
    BlockType type = block.type();
    return !type.has(BlockType.Flag.QUIET)
        && !type.has(BlockType.Flag.NATIVE_ONLY)
        && !type.equals(BlockType.TURN_HEADER)
        && !type.equals(BlockType.RANGE_SUMMARY)
        && block.text().filter(text -> !text.isBlank()).isPresent();
  }

  /** Who speaks: user, assistant, tool, system, or the speaker's own name. */
  static String role(Block block) {
    BlockType type = block.type();
    if (type.isResult() || block.author().equals(Author.TOOL)) {
      return "tool";
    }
    if (type.equals(BlockType.SYSTEM_MESSAGE)
        || block.author().equals(Author.SYSTEM)
        || block.author().equals(Author.GATE)) {
      return "system";
    }
    if (type.equals(BlockType.ASSISTANT_COMPLETION)
        || block.author().equals(Author.REACT)
        || block.author().equals(Author.AGENT)) {
      return "assistant";
    }
    return block.author().name();
  }

  static String id(Scope.OfConversation conversation, long seq) {
    return conversation.user() + "/" + conversation.conversation() + "/" + seq;
  }

  static String group(Scope.OfConversation conversation, String turn) {
    return conversation.user() + "/" + conversation.conversation() + "/" + turn;
  }

  /**
   * A message as it is indexed.
   *
   * @param turn its turn
   * @param around the messages before and behind it
   */
  static IndexDocument document(
      Scope.OfConversation conversation,
      TurnRow turn,
      StoredBlock message,
      List<StoredBlock> around) {
    Block block = message.block();
    String text = block.text().orElse("");
    Instant at = block.ts().orElse(turn.startedAt());
    IndexEntry entry =
        new IndexEntry(
            id(conversation, message.seq()),
            group(conversation, turn.turn().value()),
            SearchContentType.MESSAGES,
            turn.agent(),
            conversation.user(),
            conversation.conversation(),
            role(block),
            at,
            message.seq(),
            hash(text));
    StringBuilder context = new StringBuilder(contextChars(around));
    StringBuilder introduction = new StringBuilder();
    for (StoredBlock neighbour : around) {
      String said = neighbour.block().text().orElse("");
      context.append(speaker(neighbour.block())).append(said, 0, cut(said)).append('\n');
      if (neighbour.seq() < message.seq()
          && said.length() <= INTRODUCTION_CHARS
          && text.length() <= INTRODUCED_CHARS) {
        introduction.append(named(neighbour.block())).append(said).append('\n');
      }
    }
    introduction.append(named(block));
    return new IndexDocument(
        entry,
        text,
        speaker(block) + day(at),
        context.toString().strip(),
        "",
        "",
        introduction.toString());
  }

  /** Who speaks, also where it is nobody with a name. */
  private static String named(Block block) {
    return role(block) + ": ";
  }

  private static String speaker(Block block) {
    return ROLES_ONLY.contains(block.author()) ? "" : block.author().name() + ": ";
  }

  private static String day(Instant at) {
    LocalDate day = LocalDate.ofInstant(at, ZoneOffset.UTC);
    String month = day.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    return day.getDayOfMonth() + " " + month + " " + day.getYear();
  }

  /** Enough for what stands around a message, so that the text need not grow. */
  private static int contextChars(List<StoredBlock> around) {
    int chars = 0;
    for (StoredBlock neighbour : around) {
      chars += cut(neighbour.block().text().orElse("")) + SPEAKER_CHARS;
    }
    return chars;
  }

  /** How much of a neighbour's text counts. */
  private static int cut(String text) {
    if (text.length() <= NEIGHBOUR_CHARS) {
      return text.length();
    }
    return Character.isLowSurrogate(text.charAt(NEIGHBOUR_CHARS))
        ? NEIGHBOUR_CHARS - 1
        : NEIGHBOUR_CHARS;
  }

  /** Tells one content from another. */
  static String hash(String... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
