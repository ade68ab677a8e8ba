package dev.contexture.testkit;

import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.store.MemoryReader;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of one subject of {@link StoreContract}, each with a store of its own. */
@NullUnmarked
abstract class StoreTests {
  /** The store under test. */
  Store store;

  /** A memory block to work with. */
  static final String B = "mem_1";

  static final TurnId T1 = StoreFixture.turn("t1");
  static final TurnId T2 = StoreFixture.turn("t2");
  static final TurnId T3 = StoreFixture.turn("t3");
  static final Scope.OfAgent ATLAS = MemoryFixture.SHOP.agent("atlas");

  /** Opens a store without any data. */
  abstract Store open() throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  MemoryReader memory() {
    return store.memory();
  }

  static List<Long> seqs(List<StoredBlock> blocks) {
    return blocks.stream().map(StoredBlock::seq).toList();
  }

  static List<String> texts(List<StoredBlock> blocks) {
    return blocks.stream().map(block -> block.block().text().orElse("")).toList();
  }
}
