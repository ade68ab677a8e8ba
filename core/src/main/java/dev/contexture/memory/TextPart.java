package dev.contexture.memory;

import dev.contexture.crdt.Document;
import dev.contexture.crdt.SharedText;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonString;
import dev.contexture.json.SendableText;
import dev.contexture.memory.content.ContentReader;
import dev.contexture.memory.schema.MemoryErrors;
import dev.contexture.memory.textedit.TextEdit;
import java.util.List;
import java.util.function.Consumer;

/** The operations of a Text. */
final class TextPart {
  private final DocumentPart part;
  private final String container;

  TextPart(DocumentPart part) {
    this.part = part;
    this.container = part.prefix() + ContentReader.TEXT;
  }

  void set(String given) {
    String target = SendableText.of(given);
    change(target, document -> document.text(container).set(target));
  }

  void setAt(String given, long base) {
    String target = SendableText.of(given);
    part.changeAt(
        base,
        fork -> {
          fork.text(container).set(target);
          return null;
        });
  }

  void append(String given) {
    String added = SendableText.of(given);
    part.changeText(
        added.codePointCount(0, added.length()),
        () -> now() + added,
        document -> document.text(container).append(added));
  }

  boolean replace(String givenFind, String givenReplacement) {
    String find = SendableText.of(givenFind);
    String replacement = SendableText.of(givenReplacement);
    String now = now();
    int at = find.isEmpty() ? -1 : now.indexOf(find);
    if (at < 0 || find.equals(replacement)) {
      return false;
    }
    String target = now.substring(0, at) + replacement + now.substring(at + find.length());
    int position = now.codePointCount(0, at);
    int count = find.codePointCount(0, find.length());
    change(target, document -> document.text(container).splice(position, count, replacement));
    return true;
  }

  /** Makes an edit that looks for its places itself; returns how many there were. */
  int edit(TextEdit edit) {
    String now = now();
    List<TextEdit.Splice> splices = edit.splices(now);
    long after = now.length();
    for (TextEdit.Splice splice : splices) {
      after += splice.insert().length() - (splice.to() - splice.from());
    }
    if (after > Math.max(now.length(), TextEdit.MAX_CHARS)) { // before it takes the memory
      throw ContextureException.limit(
          ErrorCode.LIMIT_EXCEEDED, "text", TextEdit.MAX_CHARS, after, "chars");
    }
    String target = TextEdit.Splice.apply(now, splices);
    change(target, document -> splice(document.text(container), now, splices));
    return splices.size();
  }

  /** From the end, so that the positions before stay right. */
  private static void splice(SharedText text, String now, List<TextEdit.Splice> splices) {
    int chars = now.length();
    int position = text.length();
    for (TextEdit.Splice splice : splices.reversed()) {
      position -= now.codePointCount(splice.from(), chars);
      chars = splice.from();
      int delete = now.codePointCount(splice.from(), splice.to());
      if (!now.substring(splice.from(), splice.to()).equals(splice.insert())) {
        text.splice(position, delete, splice.insert());
      }
    }
  }

  void splice(int at, int delete, String given) {
    String insert = SendableText.of(given);
    checkRange(part.document().text(container), at, delete);
    part.changeText(
        (long) insert.codePointCount(0, insert.length()) - delete,
        () -> spliced(at, delete, insert),
        document -> document.text(container).splice(at, delete, insert));
  }

  private String spliced(int at, int delete, String insert) {
    String now = now();
    int from = now.offsetByCodePoints(0, at);
    int to = now.offsetByCodePoints(from, delete);
    return now.substring(0, from) + insert + now.substring(to);
  }

  void spliceAt(int at, int delete, String given, long base) {
    String insert = SendableText.of(given);
    part.changeAt(
        base,
        fork -> {
          SharedText text = fork.text(container);
          checkRange(text, at, delete);
          text.splice(at, delete, insert);
          return null;
        });
  }

  private static void checkRange(SharedText text, int at, int delete) {
    int length = text.length();
    if (at < 0 || at > length) {
      throw MemoryErrors.index("text", at, length, true);
    }
    if (delete < 0 || delete > length - at) {
      throw MemoryErrors.index("text", (long) at + delete, length, true);
    }
  }

  private String now() {
    return part.document().text(container).toString();
  }

  private void change(String target, Consumer<Document> change) {
    part.change(new JsonString(now()), new JsonString(target), change);
  }
}
