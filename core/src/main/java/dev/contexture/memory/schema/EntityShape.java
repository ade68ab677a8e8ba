package dev.contexture.memory.schema;

import dev.contexture.block.CodePoints;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The shape of the blocks that a knowledge graph is kept in: one for each entity, with its
 * observations and the relations that come from it in sections of their own, so that edits of
 * several writers merge. A node without a type is only the beginning of relations.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public final class EntityShape {
  /** What labels of nodes begin with. */
  public static final String PREFIX = "entity:";

  /** The section of what a node is called: {@link #NAME} and {@link #TYPE}. */
  public static final String ENTITY = "entity";

  public static final String NAME = "name";
  public static final String TYPE = "type";

  /** The section of texts. */
  public static final String OBSERVATIONS = "observations";

  /** The section of relations, each an object with {@code to} and {@code type}. */
  public static final String RELATIONS = "relations";

  /** The schema of the block. */
  public static final CompositeSchema SCHEMA =
      CompositeSchema.of(
          SectionDef.of(
              ENTITY,
              MapSchema.of(
                  FieldDef.of(NAME, FieldType.TEXT).asRequired(),
                  FieldDef.of(TYPE, FieldType.TEXT))),
          SectionDef.of(OBSERVATIONS, ListSchema.ofAnything()),
          SectionDef.of(RELATIONS, ListSchema.ofAnything()));

  /** The most characters of the block. */
  public static final int BLOCK_CHARS = 100_000;

  /** The most characters of a name. */
  public static final int NAME_CHARS = 1_000;

  private static final int SHOWN_CHARS = 100;
  private static final int SLUG_CHARS = 40;
  private static final int HASH_CHARS = 12;

  private EntityShape() {}

  /**
   * The label of the node of a name: readable, and another one for each name.
   *
   * @throws ContextureException {@code invalid_argument} if the name is blank or too long
   */
  public static String label(String name) {
    String slug =
        checked(name)
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-|-$", "");
    String readable = slug.length() > SLUG_CHARS ? slug.substring(0, SLUG_CHARS) : slug;
    return PREFIX + readable + (readable.isEmpty() ? "" : "-") + hash(name);
  }

  /**
   * The name of a node.
   *
   * @throws ContextureException {@code invalid_argument} if it is blank or too long
   */
  public static String checked(String name) {
    if (name.isBlank() || name.length() > NAME_CHARS) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "name", name, "1 to " + NAME_CHARS + " characters");
    }
    return name;
  }

  private static String hash(String name) {
    try {
      byte[] sha =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sha).substring(0, HASH_CHARS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /** What the block of a name is for. */
  public static String description(String name) {
    return "node '" + CodePoints.shortened(name, SHOWN_CHARS) + "' of the knowledge graph";
  }

  /** A relation as the node keeps it that it comes from. */
  public static JsonObject relation(String to, String type) {
    return JsonObject.builder().put("to", to).put("type", type).build();
  }

  /**
   * The content of a new block.
   *
   * @param type null: it is only the beginning of relations
   * @param relations each a {@link #relation}
   */
  public static JsonObject content(
      String name, @Nullable String type, List<String> observations, List<JsonObject> relations) {
    return JsonObject.builder()
        .put(ENTITY, JsonObject.builder().put(NAME, name).putIfPresent(TYPE, type).build())
        .put(OBSERVATIONS, JsonArray.ofStrings(observations))
        .put(RELATIONS, new JsonArray(List.copyOf(relations)))
        .build();
  }
}
