package dev.contexture;

import dev.contexture.block.Limits;
import dev.contexture.block.Scope;
import dev.contexture.engine.memory.BlockSpec;
import dev.contexture.engine.memory.MemoryStore;
import dev.contexture.engine.turn.HistoryImporter;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import dev.contexture.memory.DocumentSnapshot;
import dev.contexture.memory.schema.MemoryBlockType;
import dev.contexture.memory.schema.MemoryLimits;
import dev.contexture.memory.schema.TextSchema;
import dev.contexture.request.history.ImportedFile;
import dev.contexture.request.history.ImportedFile.ImportedChat;
import dev.contexture.request.history.ImportedFile.ImportedMemory;
import dev.contexture.turn.FileReport;
import dev.contexture.turn.FileReport.ChatImport;
import dev.contexture.turn.FileReport.MemoryWrite;
import dev.contexture.turn.ImportResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Stores what was read from a file of another program, as conversations and memory of a user. */
final class FileImporter {
  private final Contexture engine;
  private final Scope.OfUser user;

  FileImporter(Contexture engine, Scope.OfUser user) {
    this.engine = engine;
    this.user = user;
  }

  /** Checks everything before the first of it is stored. */
  FileReport store(ImportedFile file) {
    FileReport checked = check(file);
    Map<String, ChatImport> chats = new HashMap<>();
    file.chats().stream()
        .sorted(Comparator.comparing(FileImporter::lastTime)) // the newest will be listed first
        .forEach(chat -> chats.put(chat.id(), store(chat)));
    for (int i = 0; i < file.memory().size(); i++) {
      if (checked.memory().get(i).stored()) {
        write(file.memory().get(i));
      }
    }
    return new FileReport(
        file.chats().stream().map(chat -> Objects.requireNonNull(chats.get(chat.id()))).toList(),
        checked.memory());
  }

  private static Instant lastTime(ImportedChat chat) {
    return chat.history().turns().getLast().blocks().getLast().ts().orElse(Instant.EPOCH);
  }

  private ChatImport store(ImportedChat chat) {
    ContextBrowser browser = browser(chat);
    ImportResult stored =
        new HistoryImporter(browser.session()).store(chat.history(), chat.agent());
    if (stored.turns() > 0 && chat.title() != null && browser.title().isEmpty()) {
      browser.setTitle(title(chat.title()), false);
    }
    return new ChatImport(chat, stored.turns(), stored.blocks());
  }

  /** What would be stored, as far as that can be told; stores nothing. */
  FileReport check(ImportedFile file) {
    List<ChatImport> chats = new ArrayList<>();
    for (ImportedChat chat : file.chats()) {
      int turns = new HistoryImporter(browser(chat).session()).check(chat.history());
      chats.add(new ChatImport(chat, turns, 0));
    }
    List<MemoryWrite> memory = new ArrayList<>();
    Map<String, ImportedMemory> given = new HashMap<>();
    for (ImportedMemory block : file.memory()) {
      ImportedMemory other = given.putIfAbsent(agent(block) + "/" + block.label(), block);
      if (other != null && !other.equals(block)) {
        throw taken(block, "two blocks " + block.label() + " for agent " + agent(block));
      }
      boolean missing = other == null && isMissing(block);
      memory.add(new MemoryWrite(block.format(), agent(block), block.label(), missing));
    }
    return new FileReport(chats, memory);
  }

  private ContextBrowser browser(ImportedChat chat) {
    return engine.browser(user.conversation(chat.id()));
  }

  private String title(String title) {
    Limits limits = engine.limits();
    int chars = title.codePointCount(0, title.length());
    return chars <= limits.titleChars()
        ? title
        : title.substring(0, title.offsetByCodePoints(0, limits.titleChars()));
  }

  private MemoryStore memory() {
    return engine.memory(user.scope()).forUser(user.user());
  }

  private static String agent(ImportedMemory block) {
    if (block.agent() == null) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_REQUIRED, "agent", null, "an agent: memory belongs to one");
    }
    return block.agent();
  }

  /** Whether the user has no block of this label; one with other content is refused. */
  private boolean isMissing(ImportedMemory block) {
    boolean own =
        memory().listBlocks(agent(block)).stream()
            .anyMatch(
                known -> known.label().equals(block.label()) && user.user().equals(known.user()));
    if (!own) {
      return true;
    }
    DocumentSnapshot known = memory().getSnapshot(agent(block), block.label()).orElseThrow();
    if (!known.value().equals(block.content())) {
      throw taken(block, "another block " + block.label());
    }
    return false;
  }

  private ContextureException taken(ImportedMemory block, String what) {
    return new ContextureException(
        ErrorCode.LABEL_TAKEN,
        "agent "
            + agent(block)
            + " has "
            + what
            + " for user "
            + user.user()
            + "; nothing was imported: delete it first, or import for another agent",
        Map.of("label", block.label(), "agent", agent(block)),
        null);
  }

  private void write(ImportedMemory block) {
    boolean text = block.schema() instanceof TextSchema;
    JsonValue content = block.content();
    boolean empty = content instanceof JsonString said && said.value().isEmpty();
    int chars = content.toJson().length();
    int limit = block.charLimit() == 0 ? MemoryLimits.DEFAULT.charLimit() : block.charLimit();
    BlockSpec spec =
        BlockSpec.of(block.label(), text ? MemoryBlockType.CORE : MemoryBlockType.ARCHIVAL)
            .user(user.user())
            .description(description(block.description()))
            .schema(block.schema())
            .charLimit(Math.max(limit, 2 * chars))
            .permission(block.permission());
    memory().createBlock(agent(block), empty ? spec : spec.content(content));
  }

  private static String description(String text) {
    int most = MemoryLimits.DEFAULT.descriptionLength();
    return text.length() <= most ? text : text.substring(0, most);
  }
}
