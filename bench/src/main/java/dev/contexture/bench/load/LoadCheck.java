package dev.contexture.bench.load;

import dev.contexture.ContextBrowser;
import dev.contexture.Contexture;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.error.ContextureException;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.sqlite.SqliteStore;
import dev.contexture.timeline.TurnStatus;
import dev.contexture.turn.TurnLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares what a server acknowledged with what its directory holds.
 *
 * @param turns how many acknowledged turns were looked for
 * @param blocks how many acknowledged blocks
 * @param lost what is not there, or not as it was sent
 */
record LoadCheck(int turns, int blocks, List<String> lost) {
  private static final Scope SCOPE = Scope.of("local", "local");

  LoadCheck {
    lost = List.copyOf(lost);
  }

  /** Looks into a directory that no server has open. */
  static LoadCheck of(Path directory, List<LoadClient.Acknowledged> acknowledged) {
    List<String> lost = new ArrayList<>();
    int blocks = 0;
    try (Contexture engine =
        Contexture.builder(SqliteStore.open(directory)).exclusive(true).build()) {
      for (LoadClient.Acknowledged turn : acknowledged) {
        blocks += turn.seqs().size();
        compare(
            engine.browser(SCOPE.user(turn.user()).conversation(turn.conversation())), turn, lost);
      }
    }
    return new LoadCheck(acknowledged.size(), blocks, lost);
  }

  private static void compare(
      ContextBrowser chat, LoadClient.Acknowledged turn, List<String> lost) {
    TurnLog log;
    try {
      log = chat.turnLog(TurnId.of(turn.turn()));
    } catch (ContextureException refused) {
      lost.add(turn.turn() + ": " + refused.getMessage());
      return;
    }
    Map<Long, String> stored = new HashMap<>();
    for (StoredBlock block : log.blocks()) {
      stored.put(block.seq(), block.block().text().orElse(""));
    }
    if (!log.userText().contains(LoadClient.prompt(turn.turn()))) {
      lost.add(turn.turn() + ": its prompt");
    }
    for (int i = 0; i < turn.seqs().size(); i++) {
      long seq = turn.seqs().get(i);
      if (!LoadClient.text(turn.turn(), i).equals(stored.get(seq))) {
        lost.add(turn.turn() + ": block " + i + ", seq " + seq);
      }
    }
    if (turn.finished() && log.turn().status() != TurnStatus.COMPLETE) {
      lost.add(turn.turn() + ": it is " + log.turn().status() + " and was finished");
    }
  }
}
