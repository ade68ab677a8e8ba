package dev.contexture.store.jdbc;

import dev.contexture.block.Scope;
import dev.contexture.store.MessagePlace;
import dev.contexture.store.StoredMessage;
import dev.contexture.store.TurnRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks of many conversations with their turns. Confined to one thread and one transaction.
 */
final class MessageReads {
  private static final String CONVERSATION =
      "SELECT id, next_seq FROM conversations"
          + " WHERE tenant = ? AND project = ? AND owner = ? AND conversation = ?";
  private static final String BLOCKS =
      BlockReads.COLUMNS
          + ", t.turn, t.status, t.body, t.stamp FROM blocks b JOIN turns t ON t.id = b.turn"
          + " WHERE b.id";
  private static final int FIRST_OF_TURN = 7;

  private final Db db;
  private final Scope scope;

  MessageReads(Db db, Scope scope) {
    this.db = db;
    this.scope = scope;
  }

  /** The columns of a conversation that are needed to find its blocks. */
  private record ConversationKey(long id, long nextSeq) {}

  Map<MessagePlace, StoredMessage> at(Collection<MessagePlace> places) throws SQLException {
    Map<Long, MessagePlace> keys = new LinkedHashMap<>();
    Map<Scope.OfConversation, @Nullable ConversationKey> conversations = new HashMap<>();
    for (MessagePlace place : places) {
      Scope.OfConversation name = scope.user(place.user()).conversation(place.conversation());
      if (!conversations.containsKey(name)) {
        conversations.put(name, conversation(name));
      }
      ConversationKey found = conversations.get(name);
      if (found != null && place.seq() >= 1 && place.seq() < found.nextSeq) {
        keys.put(ConversationState.key(found.id, place.seq()), place);
      }
    }
    return read(keys);
  }

  private @Nullable ConversationKey conversation(Scope.OfConversation name) throws SQLException {
    return db.sql(CONVERSATION)
        .with(name)
        .one(row -> new ConversationKey(row.getLong(1), row.getLong(2)))
        .orElse(null);
  }

  /** A block whose binary content may still have to be read, and its turn. */
  private record BlockInTurn(MessagePlace place, BlockReads.Found block, TurnRow turn) {}

  private Map<MessagePlace, StoredMessage> read(Map<Long, MessagePlace> keys) throws SQLException {
    BlockReads blocks = new BlockReads(db, new ConversationState(), scope.tenant(), name());
    Map<String, TurnRow> turns = new HashMap<>();
    List<BlockInTurn> rows =
        db.sql(BLOCKS)
            .listIn(
                keys.keySet(),
                row -> {
                  MessagePlace place = Objects.requireNonNull(keys.get(row.getLong(1)));
                  return new BlockInTurn(place, blocks.read(row), turn(row, place, turns));
                });
    Map<MessagePlace, StoredMessage> found = new LinkedHashMap<>();
    for (BlockInTurn row : rows) {
      found.put(row.place, new StoredMessage(blocks.complete(row.block), row.turn));
    }
    return found;
  }

  private String name() {
    return scope.tenant() + "/" + scope.project();
  }

  /** The turn of a block; those of one conversation have names of their own. */
  private static TurnRow turn(ResultSet row, MessagePlace place, Map<String, TurnRow> known)
      throws SQLException {
    String id = row.getString(FIRST_OF_TURN);
    String key = place.user() + "/" + place.conversation() + "/" + id;
    TurnRow turn = known.get(key);
    if (turn == null) {
      String body = RowChecksum.read(row, FIRST_OF_TURN + 2, id, "turn", id);
      turn = RowCodec.turn(id, row.getInt(FIRST_OF_TURN + 1), body);
      known.put(key, turn);
    }
    return turn;
  }
}
