package dev.contexture.engine.archive;

import dev.contexture.block.Block;
import dev.contexture.block.BlockType;
import dev.contexture.block.Scope;
import dev.contexture.block.TurnId;
import dev.contexture.engine.document.BlockTexts;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.store.Head;
import dev.contexture.store.Store;
import dev.contexture.store.StoredBlock;
import dev.contexture.store.StoredTurn;
import dev.contexture.store.memory.AgentRow;
import dev.contexture.store.memory.ArchivalRow;
import dev.contexture.store.memory.BlockRow;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Writes conversations and memory for people to read. It cannot be taken in again. */
final class MarkdownExport {
  private static final int MIN_FENCE = 3;

  private final Store store;
  private final OutputStream out;

  MarkdownExport(Store store, OutputStream out) {
    this.store = store;
    this.out = out;
  }

  private void line(String text) {
    try {
      out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the Markdown", failure);
    }
  }

  /** A conversation: its turns, each with what was said and done in it. */
  void conversation(Scope.OfConversation conversation) {
    Head head =
        store
            .head(conversation)
            .orElseThrow(
                () ->
                    ContextureException.invalid(
                        ErrorCode.NOT_FOUND,
                        "conversation",
                        conversation.conversation(),
                        "one that exists"));
    String name = conversation.conversation();
    line("# " + (head.title() == null ? name : oneLine(head.title()) + " (" + name + ")"));
    line("");
    Pages.of(
        after -> store.turns(conversation, after == null ? null : TurnId.of(after), Store.MAX_PAGE),
        (StoredTurn turn) -> turn.turn().value(),
        turn -> turn(conversation, turn));
  }

  private void turn(Scope.OfConversation conversation, StoredTurn turn) {
    String agent = turn.row().agent();
    line(
        "## "
            + turn.turn()
            + " · "
            + turn.row().startedAt()
            + (agent == null ? "" : " · " + agent)
            + " · "
            + turn.status().wireName());
    line("");
    for (StoredBlock stored : store.turnBlocks(conversation, turn.turn())) {
      block(stored.block());
    }
  }

  private void block(Block block) {
    String text = block.text().orElse("");
    BlockType type = block.type();
    if (type.equals(BlockType.TURN_HEADER) || type.equals(BlockType.MODEL_OPAQUE)) {
      return;
    }
    if (type.equals(BlockType.USER_PROMPT)) {
      said("**User**", text);
    } else if (type.equals(BlockType.ASSISTANT_COMPLETION)) {
      said("**Assistant**", text);
    } else if (type.equals(BlockType.REACT_NOTES)) {
      said("**Assistant**, on the way", text);
    } else if (block.data().isPresent()) {
      line(
          "*"
              + type.name()
              + "*: "
              + block.mime()
              + ", "
              + block.data().get().sizeBytes()
              + " bytes");
      line("");
    } else {
      said("*" + type.name() + "*", text.isEmpty() ? "" : fenced(text));
    }
  }

  private void said(String who, String text) {
    line(who);
    line("");
    if (!text.isEmpty()) {
      line(text);
      line("");
    }
  }

  /** The text in a fence that is longer than any in it. */
  private static String fenced(String text) {
    int longest = 0;
    int run = 0;
    for (int i = 0; i < text.length(); i++) {
      run = text.charAt(i) == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    String fence = "`".repeat(Math.max(MIN_FENCE, longest + 1));
    return fence + "\n" + text + "\n" + fence;
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }

  /** What an agent remembers, of all of its users. */
  void agent(Scope.OfAgent agent) {
    line("# Memory of " + agent.agent());
    line("");
    blocks(agent, null);
    entries(agent, null);
    Pages.of(
        after -> store.memory().users(agent, after, Store.MAX_PAGE),
        user -> user,
        user -> ofUser(agent.forUser(user), user));
  }

  /** What the agents of a project remember of a user. */
  void memoryOf(Scope.OfUser user) {
    Pages.of(
        after -> store.memory().agents(user.scope(), after, Store.MAX_PAGE),
        AgentRow::agent,
        agent -> ofUser(user.scope().agent(agent.agent()).forUser(user.user()), user.user()));
  }

  private void ofUser(Scope.OfAgent agent, String user) {
    blocks(agent, user);
    entries(agent, user);
  }

  private void blocks(Scope.OfAgent owner, @Nullable String user) {
    Pages.of(
        after -> store.memory().blocks(owner, after, Store.MAX_PAGE),
        BlockRow::label,
        row -> block(owner.scope(), row, user));
  }

  private void block(Scope scope, BlockRow row, @Nullable String user) {
    line("## " + row.owner() + "/" + row.label() + (user == null ? "" : " of " + user));
    line("");
    String description = row.settings().description();
    if (!description.isEmpty()) {
      line("*" + oneLine(description) + "*");
      line("");
    }
    String text = new BlockTexts(store, scope).of(row);
    line(text.isEmpty() ? "(empty)" : fenced(text));
    line("");
  }

  /**
   * What an agent keeps for good, under a heading if it is something.
   *
   * @param user of whom; null: of nobody in particular
   */
  private void entries(Scope.OfAgent agent, @Nullable String user) {
    AtomicBoolean headed = new AtomicBoolean();
    Pages.of(
        after -> store.memory().archival(agent, false, after, Store.MAX_PAGE),
        ArchivalRow::id,
        entry -> {
          if (Objects.equals(entry.user(), user)) {
            if (headed.compareAndSet(false, true)) {
              line("## " + agent.agent() + ", archival" + (user == null ? "" : " of " + user));
              line("");
            }
            line("*" + entry.at() + "*");
            line("");
            line(fenced(entry.content()));
            line("");
          }
        });
  }
}
