package dev.contexture.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.StructuredDocument;
import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.MemoryPermission;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.store.MemoryReader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A store that fails at any call leaves the state before, or after the whole call (M-6, M-59). */
class MemoryFaultTest extends MemoryTestBase {
  private static Map<String, Consumer<MemoryStore>> calls() {
    Map<String, Consumer<MemoryStore>> calls = new LinkedHashMap<>();
    calls.put("createBlock", m -> m.createBlock(ATLAS, text("new").content("x")));
    calls.put("appendToBlock", m -> m.appendToBlock(ATLAS, NOTES, "x"));
    calls.put("updateBlockText", m -> m.updateBlockText(ATLAS, NOTES, "y"));
    calls.put("base", m -> m.updateBlockText(ATLAS, NOTES, "z", 1));
    calls.put(
        "commit",
        m -> {
          StructuredDocument handle = m.getBlock(ATLAS, NOTES).orElseThrow();
          handle.append("!");
          handle.commit();
        });
    calls.put("undo", m -> m.undoBlock(ATLAS, NOTES));
    calls.put("configure", m -> m.setBlockType(ATLAS, NOTES, MemoryBlockType.CORE));
    calls.put("pin", m -> m.setBlockPinned(ATLAS, NOTES, true));
    calls.put("share", m -> m.shareBlock(ATLAS, NOTES, "carl", MemoryPermission.APPEND));
    calls.put("unshare", m -> m.unshareBlock(ATLAS, NOTES, BERT));
    calls.put("archival", m -> m.insertArchival(ATLAS, "fact", JsonValue.of(1)));
    calls.put("agent", m -> m.putAgent(ATLAS, "Atlas", "d"));
    calls.put("delete", m -> m.deleteBlock(ATLAS, NOTES));
    return calls;
  }

  private List<Object> state() {
    MemoryStore fresh = process().actingAs(Actor.system());
    List<Object> all = new ArrayList<>();
    all.add(fresh.agents(null, 99));
    all.add(fresh.listBlocksByLabelPrefix(""));
    all.add(fresh.getRenderedContent(ATLAS, NOTES));
    all.add(fresh.history(ATLAS, NOTES, 0, 99));
    all.add(fresh.undoDepth(ATLAS, NOTES));
    all.add(fresh.redoDepth(ATLAS, NOTES));
    all.add(fresh.listShares(ATLAS, NOTES));
    all.add(fresh.listArchival(ATLAS, null, 99));
    all.add(store.memory().events(SHOP, 0, 99));
    all.add(store.outbox(SHOP, 0, 99));
    return all;
  }

  @TestFactory
  Stream<DynamicTest> everyCallAtEveryPoint() {
    List<String> points = new ArrayList<>(List.of("commit", "commit.done"));
    for (Method method : MemoryReader.class.getDeclaredMethods()) {
      points.add("memory." + method.getName());
    }
    return calls().entrySet().stream()
        .map(call -> DynamicTest.dynamicTest(call.getKey(), () -> at(points, call.getValue())));
  }

  private void at(List<String> points, Consumer<MemoryStore> call) {
    for (String point : points) {
      for (boolean warm : List.of(false, true)) {
        fresh();
        MemoryStore memory = process().actingAs(Actor.system());
        if (warm) {
          memory.getRenderedContent(ATLAS, NOTES);
        }
        List<Object> before = state();
        faults.failAt(point, 1);
        boolean failed = false;
        try {
          call.accept(memory);
        } catch (ContextureException unavailable) {
          failed = true;
          assertThat(unavailable.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        }
        faults.clear();
        if (failed && !point.endsWith(".done")) { // else it is whole, and only its answer is lost
          assertThat(state()).as("after a failure at %s", point).isEqualTo(before);
        }
        assertThat(memory.getRenderedContent(ATLAS, NOTES)) // the cache has what the store has
            .as("after %s", point)
            .isEqualTo(process().actingAs(Actor.system()).getRenderedContent(ATLAS, NOTES));
        assertThat(memory.undoDepth(ATLAS, NOTES))
            .isEqualTo(process().actingAs(Actor.system()).undoDepth(ATLAS, NOTES));
      }
    }
  }

  private void fresh() {
    store.eraseTenant(SHOP.tenant(), clock.instant());
    makeAgentsKnown();
    MemoryStore memory = process();
    memory.createBlock(ATLAS, text(NOTES).permission(MemoryPermission.ADMIN).content("a"));
    memory.appendToBlock(ATLAS, NOTES, "b");
    memory.appendToBlock(ATLAS, NOTES, "c");
    memory.undoBlock(ATLAS, NOTES);
    memory.shareBlock(ATLAS, NOTES, BERT, MemoryPermission.APPEND);
  }
}
