package dev.contexture.memory;

import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A block as the prompt has it. Immutable.
 *
 * <pre>{@code
 * BlockMarkup.of("notes", MemoryPermission.READ_WRITE, document.render())
 *     .description("Facts about the partner").toString();
 * }</pre>
 *
 * @param permission the level that is effective for the viewing agent
 * @param content the rendered content, not yet fenced
 * @param description shown in front of the content unless blank
 * @param schemaLine shown behind the description
 * @param user to whom it belongs; null: to an agent, for all of its users
 * @param sharedFrom name of the owner, else its id, if the block is shared by another agent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BlockMarkup(
    String label,
    MemoryPermission permission,
    String content,
    @Nullable String description,
    @Nullable String schemaLine,
    @Nullable String user,
    @Nullable String sharedFrom) {
  private static final String INVISIBLE =
      "[\\p{Cf}\\x{34F}\\x{115F}\\x{1160}\\x{3164}\\x{FE00}-\\x{FE0F}]*+";
  private static final String BLANK =
      "(?:[\\s\\p{Z}\\p{Cc}]|" + INVISIBLE.replace("*+", "") + ")*+";
  private static final Pattern TAG =
      Pattern.compile(
          "<(?="
              + BLANK
              + "(?:/"
              + BLANK
              + ")?(?:"
              + word("block")
              + BLANK
              + ":|(?:"
              + word("recent_activity")
              + "|"
              + word("memory_update")
              + ")(?!\\w)))",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  /** A word, whatever stands unseen between its letters. */
  private static String word(String letters) {
    return String.join(INVISIBLE, letters.split(""));
  }

  public static BlockMarkup of(String label, MemoryPermission permission, String content) {
    return new BlockMarkup(label, permission, content, null, null, null, null);
  }

  public BlockMarkup description(String text) {
    return new BlockMarkup(label, permission, content, text, schemaLine, user, sharedFrom);
  }

  public BlockMarkup schema(BlockSchema schema) {
    return new BlockMarkup(
        label, permission, content, description, schema.line(), user, sharedFrom);
  }

  /** A block of one user; null: it is an agent's. */
  public BlockMarkup user(@Nullable String whose) {
    return new BlockMarkup(label, permission, content, description, schemaLine, whose, sharedFrom);
  }

  /** Another agent's block: its name, or its id if it has none. */
  public BlockMarkup sharedFrom(@Nullable String ownerName, String ownerId) {
    String shown = ownerName == null || ownerName.isBlank() ? ownerId : ownerName;
    return new BlockMarkup(label, permission, content, description, schemaLine, user, shown);
  }

  /**
   * The text with every tag disarmed that would open or close a part of the prompt; nothing else
   * changes.
   */
  public static String fence(String text) {
    return text.indexOf('<') < 0 ? text : TAG.matcher(text).replaceAll("&lt;");
  }

  /** The text as the value of an attribute. */
  public static String attribute(String text) {
    String escaped =
        text.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\"", "&quot;");
    return CONTROL.matcher(escaped).replaceAll(" ");
  }

  /** The whole markup. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    out.append("<block:").append(label);
    out.append(" permission=\"").append(permission.identifier()).append('"');
    if (user != null) {
      out.append(" user=\"").append(attribute(user)).append('"');
    }
    if (sharedFrom != null) {
      out.append(" shared_from=\"").append(attribute(sharedFrom)).append('"');
    }
    out.append(">\n").append(preamble());
    String shown = fence(content);
    out.append(shown);
    if (!shown.endsWith("\n")) {
      out.append('\n');
    }
    return out.append("</block:").append(label).append('>').toString();
  }

  private String preamble() {
    StringBuilder out = new StringBuilder();
    if (description != null && !description.isBlank()) {
      out.append(fence(description.replace("\r\n", " ").replace('\n', ' '))).append('\n');
    }
    if (schemaLine != null) {
      out.append("schema: ").append(fence(schemaLine)).append('\n');
    }
    return out.isEmpty() ? "" : out.append('\n').toString();
  }
}
