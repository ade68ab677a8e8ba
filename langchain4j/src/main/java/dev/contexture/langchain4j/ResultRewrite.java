package dev.contexture.langchain4j;

import dev.contexture.ContextBrowser;
import dev.contexture.Turn;
import dev.contexture.block.Author;
import dev.contexture.block.Block;
import dev.contexture.block.BlockPath;
import dev.contexture.block.BlockType;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.timeline.TimelineEntry;
import dev.contexture.view.HidePlanner;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import java.util.List;
import java.util.Objects;

/**
 * Shows results of tools otherwise than they were given. LangChain4j rewrites them when a later
 * tool fails and the earlier ones are rolled back. A result that lies too far back to be changed
 * without a new prefix gets a notice at the end instead.
 */
final class ResultRewrite {
  private final ContextBrowser chat;
  private final List<ChatMessage> before;

  ResultRewrite(ContextBrowser chat, List<ChatMessage> before) {
    this.chat = chat;
    this.before = before;
  }

  void apply(List<ChatMessage> messages) {
    List<ChatMessage> wanted =
        messages.stream().filter(message -> !(message instanceof SystemMessage)).toList();
    if (!isRewrite(before, wanted)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "messages",
          wanted.size() + " that are not those of the memory, " + before.size(),
          "the same messages with other texts in results of tools: the conversation is"
              + " append-only");
    }
    for (int i = 0; i < wanted.size(); i++) {
      if (!wanted.get(i).equals(before.get(i))) {
        show((ToolExecutionResultMessage) wanted.get(i), i);
      }
    }
  }

  /** Whether a list says the same as another, but for texts of results. */
  static boolean isRewrite(List<ChatMessage> old, List<ChatMessage> now) {
    boolean same = old.size() == now.size();
    for (int i = 0; same && i < now.size(); i++) {
      same = now.get(i).equals(old.get(i)) || isRewrite(old.get(i), now.get(i));
    }
    return same;
  }

  private static boolean isRewrite(ChatMessage old, ChatMessage now) {
    return old instanceof ToolExecutionResultMessage from
        && now instanceof ToolExecutionResultMessage to
        && Objects.equals(from.id(), to.id())
        && from.toolName().equals(to.toolName())
        && to.hasSingleText();
  }

  private void show(ToolExecutionResultMessage result, int index) {
    BlockPath path = path(index);
    HidePlanner.Outcome outcome = chat.hide(path, result.text());
    if (outcome.status() != HidePlanner.Status.OK) {
      Turn turn = chat.openTurn();
      turn.contribute(
          Block.builder(BlockType.REACT_NOTICE)
              .author(Author.REACT)
              .text(
                  "The result of "
                      + result.toolName()
                      + " ("
                      + path
                      + ") is now: "
                      + result.text()));
    }
  }

  /** The results that are shown, counted from the newest one. */
  private BlockPath path(int index) {
    long behind =
        before.subList(index + 1, before.size()).stream()
            .filter(ToolExecutionResultMessage.class::isInstance)
            .count();
    List<BlockPath> results =
        chat.visibleEntries().stream()
            .map(TimelineEntry::block)
            .filter(block -> block.type().isResult())
            .flatMap(block -> block.path().stream())
            .distinct()
            .toList();
    return results.get(Math.toIntExact(results.size() - 1 - behind));
  }
}
