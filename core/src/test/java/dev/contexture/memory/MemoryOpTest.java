package dev.contexture.memory;

import static dev.contexture.memory.Docs.AGENT;
import static dev.contexture.memory.Docs.doc;
import static dev.contexture.memory.Docs.json;
import static dev.contexture.memory.Docs.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.memory.schema.ListSchema;
import dev.contexture.memory.schema.TextSchema;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryOpTest {
  @Test
  void everyOperationOfADocumentHasOne() {
    Set<MemoryOperation> covered = EnumSet.noneOf(MemoryOperation.class);
    Set<String> records = new TreeSet<>();
    for (String op : OPS) {
      MemoryOp read = MemoryOp.fromJson(json(op));
      assertThat(MemoryOp.fromJson(read.toJson())).isEqualTo(read);
      assertThat(read.toJson().toJson()).isEqualTo(json(op).toJson());
      covered.add(read.operation());
      records.add(read.getClass().getSimpleName());
    }
    Set<MemoryOperation> all = EnumSet.allOf(MemoryOperation.class);
    all.removeAll(
        EnumSet.of(
            MemoryOperation.UNDO,
            MemoryOperation.REDO,
            MemoryOperation.DELETE,
            MemoryOperation.EDIT_TEXT,
            MemoryOperation.APPLY_UPDATES)); // of the store, or no JSON
    assertThat(covered).isEqualTo(all);
    assertThat(records)
        .containsExactlyElementsOf(
            Arrays.stream(MemoryOp.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .sorted()
                .toList());
  }

  private static final String[] OPS = {
    "{'op':'set_text','text':'x','section':'s'}",
    "{'op':'set_text','text':'x'}",
    "{'op':'append','content':'x'}",
    "{'op':'append_text','text':'x'}",
    "{'op':'replace_text','find':'a','replace':''}",
    "{'op':'splice_text','at':0,'delete':1,'insert':'x'}",
    "{'op':'set_field','field':'f','value':1.10}",
    "{'op':'set_field','field':'f','value':null}",
    "{'op':'set_text_field','field':'f','text':'x'}",
    "{'op':'remove_field','field':'f'}",
    "{'op':'append_to_list_field','field':'f','value':[]}",
    "{'op':'remove_from_list_field','field':'f','index':0}",
    "{'op':'increment_counter','field':'f','by':-3}",
    "{'op':'push_item','value':{'a':1}}",
    "{'op':'insert_item','index':2,'value':1}",
    "{'op':'set_item','index':2,'value':1}",
    "{'op':'delete_item','index':2}",
    "{'op':'append_log_entry','entry':{'message':'x'}}",
    "{'op':'set_text_in_section','section':'s','text':'x'}",
    "{'op':'set_field_in_section','section':'s','field':'f','value':1}",
    "{'op':'import','value':['x']}"
  };

  @ParameterizedTest
  @ValueSource(
      strings = {
        "invalid_argument {'op':'explode'}",
        "invalid_argument {}",
        "field_type []",
        "unknown_field {'op':'set_text','text':'x','txt':'y'}",
        "field_required {'op':'set_text'}",
        "field_type {'op':'set_text','text':1}",
        "field_required {'op':'push_item'}",
        "field_required {'op':'delete_item'}",
        "invalid_argument {'op':'delete_item','index':-1}",
        "field_type {'op':'delete_item','index':1.5}",
        "field_type {'op':'append','content':'x','section':1}"
      })
  void refusesWhatIsNoOperation(String sample) {
    String[] parts = sample.split(" ", 2);
    ErrorCode code =
        Arrays.stream(ErrorCode.values())
            .filter(known -> known.wireName().equals(parts[0]))
            .findFirst()
            .orElseThrow();
    refused(() -> MemoryOp.fromJson(json(parts[1])), code);
  }

  @Test
  void saysWhatItGave() {
    StructuredDocument text = doc(TextSchema.PLAIN);
    assertThat(new MemoryOp.SetText("abc").apply(text)).isEqualTo(JsonObject.EMPTY);
    assertThat(new MemoryOp.ReplaceText("b", "x").apply(text)).isEqualTo(json("{'replaced':true}"));
    assertThat(new MemoryOp.ReplaceText("b", "x").apply(text))
        .isEqualTo(json("{'replaced':false}"));
    StructuredDocument map = doc(Docs.PROFILE);
    assertThat(new MemoryOp.IncrementCounter("score", 4).apply(map)).isEqualTo(json("{'value':4}"));
  }

  @Test
  void takesABase() {
    DetachedHost host = Docs.host(ListSchema.ofAnything());
    StructuredDocument list = host.open(AGENT);
    list.importJson(json("['a','b','c']"));
    list.commit();
    list.deleteItem(0);
    list.commit();
    new MemoryOp.DeleteItem(1).apply(list, 1L);
    assertThat(list.exportJson()).isEqualTo(json("['c']"));
    new MemoryOp.InsertItem(3, json("'d'")).apply(list, 1L);
    new MemoryOp.SetItem(2, json("'C'")).apply(list, 1L);
    assertThat(list.exportJson()).isEqualTo(json("['C','d']"));
  }
}
