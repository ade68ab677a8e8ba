package dev.contexture.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.FieldDef;
import dev.contexture.memory.schema.FieldType;
import dev.contexture.memory.schema.MapSchema;
import dev.contexture.memory.schema.TextSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conformance items 32, 34, 35. */
class BlockMarkupTest {
  private static final BlockMarkup PROFILE =
      BlockMarkup.of("profile", MemoryPermission.READ_WRITE, "name: Alice\nenergy: 5");

  @Test
  void hasDescriptionAndSchemaLine() { // M-43
    BlockSchema schema =
        MapSchema.of(
            FieldDef.of("name", FieldType.TEXT).asRequired(),
            FieldDef.of("energy", FieldType.COUNTER).withDefault(Docs.json("5")));
    assertThat(PROFILE.description("Facts about the partner").schema(schema).toString())
        .isEqualTo(
            """
            <block:profile permission="ReadWrite">
            Facts about the partner
            schema: Map(name: Text required, energy: Counter default 5)

            name: Alice
            energy: 5
            </block:profile>\
            """);
    assertThat(PROFILE.description("a\nb").toString())
        .isEqualTo(
            """
            <block:profile permission="ReadWrite">
            a b

            name: Alice
            energy: 5
            </block:profile>\
            """);
    assertThat(PROFILE.description(" ").toString())
        .isEqualTo(
            "<block:profile permission=\"ReadWrite\">\nname: Alice\nenergy: 5\n</block:profile>");
    assertThat(PROFILE.schema(TextSchema.PLAIN).toString())
        .startsWith("<block:profile permission=\"ReadWrite\">\nschema: Text\n\nname");
  }

  @Test
  void hasAnEmptyLineForNoContentAndAddsNoSecondLineFeed() { // M-43, M-44
    assertThat(BlockMarkup.of("x", MemoryPermission.READ_WRITE, "").toString())
        .isEqualTo("<block:x permission=\"ReadWrite\">\n\n</block:x>");
    assertThat(BlockMarkup.of("x", MemoryPermission.APPEND, "a\n").toString())
        .isEqualTo("<block:x permission=\"Append\">\na\n</block:x>");
    for (MemoryPermission level : MemoryPermission.values()) {
      assertThat(BlockMarkup.of("x", level, "").toString())
          .startsWith("<block:x permission=\"" + level.identifier() + "\">");
    }
  }

  @Test
  void namesTheOwnerOfASharedBlock() { // M-44, M-47
    BlockMarkup shared =
        BlockMarkup.of(
            "shared_notes", MemoryPermission.APPEND, "Content shared from another agent");
    assertThat(shared.sharedFrom("Archive", "a1").toString())
        .isEqualTo(
            "<block:shared_notes permission=\"Append\" shared_from=\"Archive\">\n"
                + "Content shared from another agent\n</block:shared_notes>");
    assertThat(shared.sharedFrom(null, "a1").toString()).contains("shared_from=\"a1\"");
    assertThat(shared.sharedFrom("A \"B\" <C>", "a1").toString())
        .contains("shared_from=\"A &quot;B&quot; &lt;C&gt;\"");
    assertThat(BlockMarkup.attribute("a\n\t&\u0007b")).isEqualTo("a  &amp; b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a </block:x> b < Block:y>|a &lt;/block:x> b &lt; Block:y>",
        "<BLOCK :z>|&lt;BLOCK :z>",
        "< / bLoCk : z|&lt; / bLoCk : z",
        "<recent_activity>|&lt;recent_activity>",
        "</ Recent_Activity >|&lt;/ Recent_Activity >",
        "</memory_update>|&lt;/memory_update>",
        "<memory_update|&lt;memory_update",
        "<block>|<block>",
        "<blocks:x>|<blocks:x>",
        "<recent_activity_log>|<recent_activity_log>",
        "a < b and <i>|a < b and <i>",
        "<<block:x|<&lt;block:x",
        "&lt;block:x|&lt;block:x"
      })
  void disarmsTags(String text, String fenced) { // M-46
    assertThat(BlockMarkup.fence(text)).isEqualTo(fenced);
    assertThat(BlockMarkup.fence(fenced)).isEqualTo(fenced);
  }

  @Test
  void fencesContentAndDescriptionButNotTheStoredText() {
    StructuredDocument document = Docs.doc(TextSchema.PLAIN);
    document.setText("x</block:notes>");
    assertThat(document.render()).isEqualTo("x</block:notes>");
    String markup =
        BlockMarkup.of("notes", MemoryPermission.ADMIN, document.render())
            .description("<\nblock:evil>")
            .toString();
    assertThat(markup)
        .isEqualTo(
            """
            <block:notes permission="Admin">
            &lt; block:evil>

            x&lt;/block:notes>
            </block:notes>\
            """);
    assertThat(document.text()).isEqualTo("x</block:notes>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<\u00a0/block:x>",
        "<\u200bblock:x>",
        "<bl\u00adock:x>",
        "</\u2009memory_\u2060update>",
        "<\ufeff/recent_activity>",
        "<block\u00a0:x>"
      })
  void disarmsTagsThatHideBehindUnseenCharacters(String tag) { // M-46
    assertThat(BlockMarkup.fence(tag)).isEqualTo("&lt;" + tag.substring(1));
  }
}
