package dev.contexture.provider.foreign;

import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.history.ForeignChat;
import dev.contexture.provider.history.ForeignMessage;
import dev.contexture.provider.history.ForeignMessage.Piece;
import dev.contexture.provider.history.ForeignMessage.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a chat while it is read. Results are added behind what the model said before
 * them; pieces are numbered as they come. Confined to one thread.
 */
final class ChatDraft {
  private final List<ForeignMessage> messages = new ArrayList<>();
  private List<Piece> pieces = new ArrayList<>();
  private Role role = Role.USER;
  private String place = "";
  private @Nullable Instant at;
  private @Nullable String model;

  /** Begins a message; the one before has ended. */
  void begin(Role who, String where, @Nullable Instant when, @Nullable String byModel) {
    end();
    role = who;
    place = where;
    at = when;
    model = byModel;
  }

  /** The number of the next piece. */
  int next() {
    return pieces.size();
  }

  void text(@Nullable String text) {
    if (text != null && !text.isBlank()) {
      pieces.add(new ForeignMessage.Text(next(), text));
    }
  }

  void add(List<Piece> more) {
    pieces.addAll(more);
  }

  void call(@Nullable String id, String tool, String arguments) {
    pieces.add(new ForeignMessage.Call(next(), id == null ? "" : id, tool, arguments));
  }

  /** What only the maker of a model reads, its thinking for example. */
  void opaque(String kind, JsonValue json) {
    pieces.add(new ForeignMessage.Opaque(next(), kind, json.toJson()));
  }

  void thinking(@Nullable String text) {
    if (text != null && !text.isBlank()) {
      JsonObject json = JsonObject.builder().put("type", "thinking").put("thinking", text).build();
      opaque("thinking", json);
    }
  }

  /** The result of a call, in a message of its own; the model may go on behind it. */
  void result(@Nullable String id, @Nullable String tool, boolean error, List<Piece> content) {
    Role before = role;
    if (role != Role.USER) {
      begin(Role.USER, place, at, null);
    }
    pieces.add(new ForeignMessage.Result(next(), id == null ? "" : id, error, content, tool));
    if (before != Role.USER) {
      begin(before, place, at, model);
    }
  }

  /** Ends the message; one without pieces is none. */
  void end() {
    if (!pieces.isEmpty()) {
      messages.add(new ForeignMessage(role, messages.size(), pieces, place, at, model));
      pieces = new ArrayList<>();
    }
  }

  ForeignChat chat() {
    end();
    return ForeignChat.of(messages);
  }
}
