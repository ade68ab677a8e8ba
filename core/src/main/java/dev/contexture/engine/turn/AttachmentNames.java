package dev.contexture.engine.turn;

import dev.contexture.block.BlockPath;
import dev.contexture.turn.Attachment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Gives each attachment of a turn a name of its own, so that each can be read. */
final class AttachmentNames {
  private AttachmentNames() {}

  /**
   * The names by which attachments are stored, in their order. The first of a name keeps it; the
   * others get the first number from 2 on that no attachment has: {@code menu.pdf}, {@code
   * menu-2.pdf}.
   */
  static List<String> distinct(List<Attachment> attachments) {
    Set<String> given = new HashSet<>();
    attachments.forEach(attachment -> given.add(attachment.name()));
    Set<String> taken = new HashSet<>();
    List<String> names = new ArrayList<>();
    for (Attachment attachment : attachments) {
      String name = attachment.name();
      for (int number = 2; taken.contains(name); number++) {
        String other = numbered(attachment.name(), number);
        name = given.contains(other) ? name : other;
      }
      taken.add(name);
      names.add(name);
    }
    return names;
  }

  /** The name with a number before its extension, cut where it would be too long. */
  private static String numbered(String name, int number) {
    int dot = name.lastIndexOf('.');
    String stem = dot > 0 ? name.substring(0, dot) : name;
    String end = "-" + number + (dot > 0 ? name.substring(dot) : "");
    while (bytes(stem + end) > BlockPath.MAX_NAME_BYTES && stem.length() > 1) {
      stem = stem.substring(0, stem.offsetByCodePoints(stem.length(), -1));
    }
    return stem + end;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
