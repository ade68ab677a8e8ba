package dev.contexture.testkit;

import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Opens a store for each test. */
@NullUnmarked
abstract class StoreContractBase {
  /** The store under test. */
  protected Store store;

  /** Opens a store without any data. */
  protected abstract Store open() throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  static List<Long> seqs(List<StoredBlock> blocks) {
    return blocks.stream().map(StoredBlock::seq).toList();
  }

  static List<String> texts(List<StoredBlock> blocks) {
    return blocks.stream().map(block -> block.block().text().orElse("")).toList();
  }
}
