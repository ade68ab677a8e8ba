package dev.contexture.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.ContextBrowser;
import dev.contexture.engine.agent.AgentTools;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.BlockSchema;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.tool.ToolRule;
import dev.contexture.tool.ToolRules;
import dev.contexture.tool.ToolSpec;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The tools for memory blocks: checklist 81 and 82 (M-120 to M-122, M-72). */
class AgentToolsTest extends ToolFixture {
  private AgentTools atlas;
  private MemoryStore memory;

  @BeforeEach
  void prepare() {
    atlas = tools("atlas");
    memory = engine.memory(SHOP);
  }

  private void create(String label, String content) {
    memory.createBlock("atlas", BlockSpec.of(label, MemoryBlockType.WORKING).content(content));
  }

  private String shown(String label) {
    return memory.getRenderedContent("atlas", label).orElseThrow();
  }

  @Nested
  class Definitions {
    @Test
    void areSortedAndNameTheirOperations() { // M-98
      ContextBrowser chat = engine.browser(SHOP.user("u1").conversation("c1"));
      assertThat(engine.agentTools(chat, "atlas").definitions())
          .extracting("name")
          .containsExactly(
              "block",
              "block_edit",
              "react.hide",
              "react.memsearch",
              "react.read",
              "recall",
              "search");
      assertThat(atlas.specs())
          .extracting(ToolSpec::name)
          .containsExactly("block", "block_edit", "recall", "search");
      assertThat(engine.agentTools(chat).specs())
          .extracting(ToolSpec::name)
          .containsExactly("react.hide", "react.memsearch", "react.read");
      assertThat(atlas.specs().getFirst().operations()).hasSize(12).contains("list", "viewport");
      assertThat(atlas.specs().get(1).operations()).hasSize(10).contains("patch", "redo");
    }

    @Test
    void rulesNarrowThem() { // M-113, M-115: an operation that the tool lacks is refused
      ToolSpec block = atlas.specs().getFirst();
      assertThat(block.narrowedTo(List.of("load", "list")).operations())
          .containsExactly("list", "load");
      ToolRules rules =
          ToolRules.of(List.of(new ToolRule.AllowedOperations("block", List.of("list"))));
      assertThat(rules.allowedOperations("block")).contains(List.of("list"));
    }

    @Test
    void whatTheyDoNotKnowIsRefusedAsAResult() { // M-120
      failed(atlas, "blocks", "{}", "invalid_argument");
      failed(atlas, "react.read", "{'paths':['ar:t1.n']}", "invalid_argument");
      failed(atlas, "block", "[1]", "invalid_argument");
      failed(atlas, "block", "no json", "invalid_argument");
      failed(atlas, "block", "{}", "invalid_argument");
      failed(atlas, "block", "{'op':'rename','label':'a'}", "invalid_argument");
      failed(atlas, "block", "{'op':'list','lable':'a'}", "invalid_argument");
      failed(atlas, "block", "{'op':'load','label':7}", "invalid_argument");
      failed(atlas, "block_edit", "{'op':'append','label':'notes'}", "invalid_argument");
      JsonObject gone =
          failed(
              atlas,
              "block_edit",
              "{'op':'append','label':'gone','content':'x'}",
              "block_not_found");
      assertThat(gone.string("hint").orElseThrow()).contains("list");
    }
  }

  @Nested
  class Block {
    @Test
    void isMadeListedShownAndKept() { // M-121
      JsonObject made =
          done(atlas, "block", "{'op':'create','label':'plan','description':'what to do'}");
      assertThat(made.string("id").orElseThrow()).startsWith("mem_");
      done(
          atlas,
          "block",
          "{'op':'create','label':'tasks','description':'d','type':'Archival','schema':{'kind':'list'}}");
      failed(atlas, "block", "{'op':'create','label':'plan','description':''}", "label_taken");
      failed(
          atlas,
          "block",
          "{'op':'create','label':'me','description':'','type':'Core'}",
          "invalid_argument");
      failed(atlas, "block", "{'op':'create','label':'a b','description':''}", "invalid_label");
      List<JsonObject> listed = rows(done(atlas, "block", "{'op':'list'}"), "blocks");
      assertThat(listed)
          .extracting(JsonObject::toJson)
          .containsExactly(
              "{\"label\":\"plan\",\"owner\":\"atlas\",\"type\":\"Working\",\"pinned\":false,"
                  + "\"permission\":\"ReadWrite\",\"size\":0}",
              "{\"label\":\"tasks\",\"owner\":\"atlas\",\"type\":\"Archival\",\"pinned\":false,"
                  + "\"permission\":\"ReadWrite\",\"size\":0}");
      JsonObject info = done(atlas, "block", "{'op':'info','label':'tasks'}");
      assertThat(info.object("schema").flatMap(schema -> schema.string("kind"))).contains("list");
      assertThat(info.string("description")).contains("d");
      assertThat(info.keys()).contains("id", "char_limit", "version", "created_at", "updated_at");
    }

    @Test
    void loadsAllOrSomeLinesAndChangesNothing() { // M-121
      create("text", "a\nb\nc\nd");
      done(atlas, "block", "{'op':'viewport','label':'text','start_line':2,'display_lines':1}");
      assertThat(shown("text")).contains("b").doesNotContain("a\nb");
      JsonObject all = done(atlas, "block", "{'op':'load','label':'text'}");
      assertThat(all.string("content")).contains("a\nb\nc\nd");
      assertThat(all.keys()).contains("description", "type", "permission");
      JsonObject some =
          done(atlas, "block", "{'op':'load','label':'text','start_line':2,'display_lines':2}");
      assertThat(some.string("content")).contains("b\nc");
      assertThat(number(some, "total_lines")).isEqualTo(4);
      assertThat(
              done(atlas, "block", "{'op':'load','label':'text','start_line':4}").string("content"))
          .contains("d");
      assertThat(
              done(atlas, "block", "{'op':'load','label':'text','display_lines':99}")
                  .string("content"))
          .contains("a\nb\nc\nd");
      failed(atlas, "block", "{'op':'load','label':'text','start_line':5}", "invalid_argument");
      assertThat(memory.getBlockMetadata("atlas", "text").orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void hasAViewportIfItIsText() { // M-121
      create("text", "a\nb");
      done(atlas, "block", "{'op':'viewport','label':'text','display_lines':1}");
      assertThat(shown("text")).doesNotContain("b\n").contains("a");
      done(atlas, "block", "{'op':'viewport','label':'text'}");
      assertThat(shown("text")).isEqualTo("a\nb");
      failed(atlas, "block", "{'op':'viewport','label':'text','start_line':2}", "invalid_argument");
      failed(
          atlas,
          "block",
          "{'op':'viewport','label':'text','start_line':0,'display_lines':1}",
          "invalid_argument");
      done(atlas, "block", "{'op':'create','label':'l','description':'','schema':{'kind':'list'}}");
      failed(atlas, "block", "{'op':'viewport','label':'l','display_lines':1}", "wrong_schema");
    }

    @Test
    void isPinnedArchivedAndRestored() { // M-121, M-21
      create("text", "a");
      done(atlas, "block", "{'op':'pin','label':'text'}");
      assertThat(memory.getBlockMetadata("atlas", "text").orElseThrow().pinned()).isTrue();
      done(atlas, "block", "{'op':'unpin','label':'text'}");
      assertThat(memory.getBlockMetadata("atlas", "text").orElseThrow().pinned()).isFalse();
      done(atlas, "block", "{'op':'archive','label':'text'}");
      assertThat(memory.getBlockMetadata("atlas", "text").orElseThrow().type())
          .isEqualTo(MemoryBlockType.ARCHIVAL);
      done(atlas, "block", "{'op':'restore','label':'text'}");
      done(atlas, "block", "{'op':'restore','label':'text'}");
      assertThat(memory.getBlockMetadata("atlas", "text").orElseThrow().type())
          .isEqualTo(MemoryBlockType.WORKING);
      memory
          .actingAs(Actor.system())
          .createBlock(
              "atlas",
              BlockSpec.of("self", MemoryBlockType.CORE).permission(MemoryPermission.ADMIN));
      failed(atlas, "block", "{'op':'archive','label':'self'}", "permission_denied");
      failed(atlas, "block", "{'op':'restore','label':'self'}", "permission_denied");
    }

    @Test
    void isDeletedAtAdminOnly() { // M-9
      create("text", "a");
      JsonObject denied =
          failed(atlas, "block", "{'op':'delete','label':'text'}", "permission_denied");
      assertThat(denied.object("details").orElseThrow().string("required")).contains("Admin");
      memory.createBlock(
          "atlas",
          BlockSpec.of("mine", MemoryBlockType.WORKING).permission(MemoryPermission.ADMIN));
      done(atlas, "block", "{'op':'delete','label':'mine'}");
      assertThat(memory.getBlock("atlas", "mine")).isEmpty();
      failed(atlas, "block", "{'op':'delete','label':'mine'}", "block_not_found");
    }

    @Test
    void isSharedByNameOrId() { // M-121: Append unless said otherwise
      memory.putAgent("b-7", "Bert", null);
      create("text", "a");
      JsonObject shared =
          done(atlas, "block", "{'op':'share','label':'text','target_agent':'Bert'}");
      assertThat(shared.string("target_agent")).contains("b-7");
      assertThat(shared.string("permission")).contains("Append");
      failed(atlas, "block", "{'op':'share','label':'text','target_agent':'phantom'}", "not_found");
      AgentTools bert = tools("b-7");
      done(bert, "block_edit", "{'op':'append','label':'text','content':'b'}");
      failed(
          bert,
          "block_edit",
          "{'op':'replace','label':'text','old':'a','new':'x'}",
          "permission_denied");
      done(
          atlas,
          "block",
          "{'op':'share','label':'text','target_agent':'b-7','permission':'ReadWrite'}");
      done(bert, "block_edit", "{'op':'replace','label':'text','old':'a','new':'x'}");
      assertThat(shown("text")).isEqualTo("xb");
      done(atlas, "block", "{'op':'unshare','label':'text','target_agent':'Bert'}");
      failed(bert, "block", "{'op':'load','label':'text'}", "block_not_found");
      failed(
          atlas,
          "block",
          "{'op':'share','label':'text','target_agent':'b-7','permission':'All'}",
          "invalid_argument");
      memory.putAgent("b-8", "Bert", null);
      failed(
          atlas,
          "block",
          "{'op':'share','label':'text','target_agent':'Bert'}",
          "invalid_argument");
    }
  }

  @Nested
  class Labels {
    private void share(String owner, String label, String content) {
      memory.createBlock(owner, BlockSpec.of(label, MemoryBlockType.WORKING).content(content));
      memory.putAgent("atlas", null, null);
      memory.shareBlock(owner, label, "atlas", MemoryPermission.READ_WRITE);
    }

    private String loaded(String label) {
      return done(atlas, "block", "{'op':'load','label':'" + label + "'}")
          .string("content")
          .orElseThrow();
    }

    @Test
    void aBareLabelMeansTheOwnBlockElseTheOnlySharedOne() { // 57, M-72
      share("bert", "notes", "of bert");
      assertThat(loaded("notes")).isEqualTo("of bert");
      done(atlas, "block_edit", "{'op':'append','label':'notes','content':'!'}");
      assertThat(memory.getRenderedContent("bert", "notes")).contains("of bert!");
      done(atlas, "block", "{'op':'unpin','label':'notes'}"); // the pin of the share (M-70)
      assertThat(memory.listSharedBlocks("atlas").getFirst().pinned()).isFalse();
      share("carl", "notes", "of carl");
      JsonObject ambiguous =
          failed(atlas, "block", "{'op':'load','label':'notes'}", "ambiguous_label");
      assertThat(ambiguous.object("details").orElseThrow().string("owners")).contains("bert, carl");
      failed(
          atlas, "block_edit", "{'op':'append','label':'notes','content':'!'}", "ambiguous_label");
      assertThat(loaded("carl/notes")).isEqualTo("of carl");
      create("notes", "own");
      assertThat(loaded("notes")).isEqualTo("own");
      assertThat(loaded("bert/notes")).isEqualTo("of bert!");
      List<JsonObject> listed = rows(done(atlas, "block", "{'op':'list'}"), "blocks");
      assertThat(listed)
          .extracting(row -> row.string("owner").orElseThrow() + " " + number(row, "size"))
          .containsExactly("atlas 3", "bert 8", "carl 7");
    }
  }

  @Nested
  class Edits {
    @Test
    void eachIsOneUndoStep() { // M-120, M-122
      create("text", "one\ntwo\nthree");
      JsonObject replaced =
          done(
              atlas,
              "block_edit",
              "{'op':'replace','label':'text','old':'t','new':'T','mode':'all'}");
      assertThat(number(replaced, "replaced")).isEqualTo(2);
      assertThat(number(replaced, "version")).isEqualTo(2);
      done(
          atlas,
          "block_edit",
          "{'op':'replace','label':'text','old':'e','new':'E','mode':'nth','n':2}");
      done(
          atlas,
          "block_edit",
          "{'op':'replace','label':'text','old':'(o)n','new':'$1N','mode':'regex'}");
      assertThat(shown("text")).isEqualTo("oNe\nTwo\nThrEe");
      done(
          atlas,
          "block_edit",
          "{'op':'patch','label':'text','patch':'@@ -1,3 +1,3 @@\\n oNe\\n-Two\\n+2\\n ThrEe\\n'}");
      done(
          atlas,
          "block_edit",
          "{'op':'edit_range','label':'text','start_line':3,'end_line':9,'content':'  3'}");
      assertThat(shown("text")).isEqualTo("oNe\n2\n  3");
      for (String before : List.of("oNe\n2\nThrEe", "oNe\nTwo\nThrEe", "one\nTwo\nThrEe")) {
        done(atlas, "block_edit", "{'op':'undo','label':'text'}");
        assertThat(shown("text")).isEqualTo(before);
      }
      JsonObject redone = done(atlas, "block_edit", "{'op':'redo','label':'text'}");
      assertThat(number(redone, "undo_depth")).isEqualTo(4);
      assertThat(number(redone, "redo_depth")).isEqualTo(2);
      assertThat(memory.history("atlas", "text", 1, 1).getFirst().operation())
          .isEqualTo("editText");
    }

    @Test
    void thereMayBeNothingToUndo() { // M-122
      memory.createBlock("atlas", BlockSpec.of("text", MemoryBlockType.WORKING));
      JsonObject none =
          failed(atlas, "block_edit", "{'op':'undo','label':'text'}", "nothing_to_do");
      assertThat(number(none.object("details").orElseThrow(), "undo_depth")).isZero();
      failed(atlas, "block_edit", "{'op':'redo','label':'text'}", "nothing_to_do");
    }

    @Test
    void whatDoesNotFitChangesNothing() { // 81
      create("text", "a\nb");
      JsonObject conflict =
          failed(
              atlas,
              "block_edit",
              "{'op':'patch','label':'text','patch':'@@ -1,2 +1,2 @@\\n a\\n-x\\n+y'}",
              "patch_conflict");
      assertThat(conflict.object("details").orElseThrow().toJson())
          .isEqualTo("{\"hunk\":1,\"line\":2,\"expected\":\"x\",\"found\":\"b\"}");
      JsonObject none =
          failed(
              atlas,
              "block_edit",
              "{'op':'replace','label':'text','old':'a','new':'x','mode':'nth','n':2}",
              "no_match");
      assertThat(number(none.object("details").orElseThrow(), "occurrences")).isEqualTo(1);
      failed(
          atlas,
          "block_edit",
          "{'op':'replace','label':'text','old':'','new':'x'}",
          "invalid_argument");
      failed(
          atlas,
          "block_edit",
          "{'op':'replace','label':'text','old':'a','new':'x','mode':'nth'}",
          "invalid_argument");
      failed(
          atlas,
          "block_edit",
          "{'op':'replace','label':'text','old':'(','new':'x','mode':'regex'}",
          "invalid_regex");
      failed(
          atlas,
          "block_edit",
          "{'op':'edit_range','label':'text','start_line':3,'end_line':3,'content':''}",
          "invalid_argument");
      assertThat(shown("text")).isEqualTo("a\nb");
      assertThat(memory.getBlockMetadata("atlas", "text").orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void reachFieldsItemsAndSections() { // M-122
      memory.createBlock(
          "atlas",
          BlockSpec.of("all", MemoryBlockType.WORKING)
              .schema(
                  BlockSchema.fromJson(
                      JsonValue.parse(
                          "{\"kind\":\"composite\",\"sections\":["
                              + "{\"name\":\"log\",\"schema\":{\"kind\":\"text\"}},"
                              + "{\"name\":\"todo\",\"schema\":{\"kind\":\"list\"}},"
                              + "{\"name\":\"stats\",\"schema\":{\"kind\":\"map\",\"fields\":["
                              + "{\"name\":\"mood\",\"type\":\"text\"},"
                              + "{\"name\":\"runs\",\"type\":\"counter\"}]}}]}"))));
      String at = "'label':'all','section':";
      done(atlas, "block_edit", "{'op':'append'," + at + "'log','content':'line 1'}");
      done(
          atlas,
          "block_edit",
          "{'op':'edit_range'," + at + "'log','start_line':1,'end_line':1,'content':'Line'}");
      done(atlas, "block_edit", "{'op':'insert_item'," + at + "'todo','index':0,'value':{'t':1}}");
      JsonObject two =
          done(atlas, "block_edit", "{'op':'insert_item'," + at + "'todo','index':0,'value':'x'}");
      assertThat(number(two, "items")).isEqualTo(2);
      done(atlas, "block_edit", "{'op':'delete_item'," + at + "'todo','index':0}");
      done(atlas, "block_edit", "{'op':'set_field'," + at + "'stats','field':'mood','value':'ok'}");
      JsonObject runs =
          done(atlas, "block_edit", "{'op':'increment'," + at + "'stats','field':'runs','by':3}");
      assertThat(number(runs, "value")).isEqualTo(3);
      assertThat(memory.getSnapshot("atlas", "all").orElseThrow().value().toJson())
          .isEqualTo(
              "{\"log\":\"Line\",\"todo\":[{\"t\":1}],\"stats\":{\"mood\":\"ok\",\"runs\":3}}");
      failed(
          atlas,
          "block_edit",
          "{'op':'delete_item'," + at + "'todo','index':1}",
          "index_out_of_range");
      failed(
          atlas,
          "block_edit",
          "{'op':'set_field'," + at + "'stats','field':'no','value':1}",
          "field_not_found");
      failed(
          atlas, "block_edit", "{'op':'append'," + at + "'nope','content':'x'}", "field_not_found");
      failed(atlas, "block_edit", "{'op':'append','label':'all','content':'x'}", "wrong_schema");
    }

    @Test
    void passTheGate() { // 19, M-12
      memory.createBlock(
          "atlas",
          BlockSpec.of("text", MemoryBlockType.WORKING)
              .content("a")
              .permission(MemoryPermission.READ_ONLY));
      for (String edit :
          List.of(
              "'op':'append','content':'x'",
              "'op':'replace','old':'none','new':'x'",
              "'op':'replace','old':'a','new':'x','mode':'all'",
              "'op':'replace','old':'a','new':'x','mode':'nth','n':1",
              "'op':'replace','old':'a','new':'x','mode':'regex'",
              "'op':'patch','patch':'@@ -1 +1 @@\\n-a\\n+x'",
              "'op':'edit_range','start_line':1,'end_line':1,'content':'x'",
              "'op':'set_field','field':'f','value':1",
              "'op':'insert_item','index':0,'value':1",
              "'op':'delete_item','index':0",
              "'op':'increment','field':'f','by':1",
              "'op':'undo'",
              "'op':'redo'")) {
        failed(atlas, "block_edit", "{'label':'text'," + edit + "}", "permission_denied");
      }
      assertThat(shown("text")).isEqualTo("a");
    }
  }
}
