package dev.contexture.cli;

import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.JsonFile;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonText;
import dev.contexture.json.JsonValue;
import dev.contexture.provider.BuiltInProviders;
import dev.contexture.request.history.HistoryFormat;
import dev.contexture.request.history.ImportedFile;
import java.io.FileNotFoundException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that is to be imported, read and found good.
 *
 * @param place where it was, for messages
 * @param path the route that takes it
 * @param content what the route takes
 */
record ImportFile(String place, String path, Content content) {
  private static final String ARCHIVE_LINE = "{\"line\":";
  private static final int HEADER_CHARS = 8_192; // names and times: far less

  /** What is sent. */
  private sealed interface Content {}

  /** A file of another program, with how it is imported. */
  private record ForeignFile(JsonObject body) implements Content {}

  /** An archive, as it is. */
  private record ArchiveFile(HttpRequest.BodyPublisher text) implements Content {}

  /**
   * Options of an import of files.
   *
   * @param format null: whichever fits
   */
  record Wishes(
      @Nullable String user,
      @Nullable String conversation,
      @Nullable HistoryFormat format,
      @Nullable String agent,
      @Nullable String model,
      @Nullable Instant ts) {}

  /**
   * Reads a file.
   *
   * @throws ContextureException {@code not_found}, {@code malformed_json}, {@code import_malformed}
   *     or {@code invalid_argument}, with the place
   */
  static ImportFile read(Path file, Wishes wishes) {
    String first = JsonFile.firstLine(file, HEADER_CHARS);
    if (first.startsWith(ARCHIVE_LINE)) {
      return new ImportFile(file.toString(), archivePath(file, first, wishes), archive(file));
    }
    String text = JsonFile.text(file);
    if (text.startsWith(ARCHIVE_LINE)) {
      return new ImportFile(
          file.toString(),
          archivePath(file, text.lines().findFirst().orElse(""), wishes),
          new ArchiveFile(HttpRequest.BodyPublishers.ofString(text)));
    }
    String name = name(file);
    ImportedFile.Options options =
        new ImportedFile.Options(
            wishes.format(), name, Instant.EPOCH, wishes.model(), wishes.agent());
    try {
      check(file, BuiltInProviders.FILES.read(text, options), wishes);
    } catch (ContextureException refused) {
      throw refused.code() == ErrorCode.INVALID_ARGUMENT
          ? refused
          : refused.within(file.toString());
    }
    return new ImportFile(
        file.toString(),
        "/v1/users/" + Api.id("--user", String.valueOf(wishes.user())) + "/import",
        new ForeignFile(body(text, name, wishes)));
  }

  private static ArchiveFile archive(Path file) {
    try {
      return new ArchiveFile(HttpRequest.BodyPublishers.ofFile(file));
    } catch (FileNotFoundException gone) {
      throw new ContextureException(
          ErrorCode.NOT_FOUND, file + " is gone", Map.of("file", file.toString()), gone);
    }
  }

  /** An archive names its user or agent in its first line. */
  private static String archivePath(Path file, String first, Wishes wishes) {
    JsonObject header =
        JsonText.isObject(first) && JsonValue.parse(first) instanceof JsonObject line
            ? line.object("line").orElse(JsonObject.EMPTY)
            : JsonObject.EMPTY;
    String agent =
        header.string("kind").orElse("").equals("agent")
            ? header.string("agent").orElse(null)
            : null;
    String user = header.string("user").orElse(null);
    if (agent == null && user == null) {
      throw ContextureException.invalid(
          ErrorCode.IMPORT_MALFORMED,
          file + " line 1",
          "no header",
          "the header of an archive, which names its user or agent");
    }
    boolean other = wishes.user() != null && !wishes.user().equals(user);
    if (other || wishes.conversation() != null || wishes.agent() != null) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--user",
          wishes.user(),
          "no other name than those in the archive: it is taken in as it is");
    }
    String whose =
        agent == null
            ? "/v1/users/" + Api.encoded(Objects.requireNonNull(user))
            : "/v1/agents/" + Api.encoded(agent);
    return whose + "/import";
  }

  /** Refuses options that do not fit what the file holds. */
  private static void check(Path file, ImportedFile read, Wishes wishes) {
    int chats = read.chats().size();
    if (wishes.user() == null) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--user", null, "whose chats these are");
    }
    if (wishes.conversation() == null && file.equals(JsonFile.STANDARD_INPUT) && chats > 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--conversation",
          null,
          "an id for what standard input holds");
    }
    if (wishes.conversation() != null && chats != 1) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT,
          "--conversation",
          "for " + chats + " chats",
          "one chat; without the option each becomes a conversation of its own");
    }
    boolean owned = read.memory().stream().allMatch(block -> block.agent() != null);
    if (!owned) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--agent", null, "whose memory this is");
    }
  }

  private static JsonObject body(String text, String name, Wishes wishes) {
    return JsonObject.builder()
        .put("file", text)
        .put("name", name)
        .putIfPresent("format", wishes.format() == null ? null : wishes.format().wireName())
        .putIfPresent("conversation", wishes.conversation())
        .putIfPresent("agent", wishes.agent())
        .putIfPresent("model", wishes.model())
        .putIfPresent("ts", wishes.ts() == null ? null : wishes.ts().toString())
        .build();
  }

  /** The name without the ending that says how it is written. */
  private static String name(Path file) {
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.(jsonl?|af|ndjson)$", "");
    return name.isEmpty() || name.equals("-") ? "chat" : name;
  }

  JsonObject send(Api api) {
    try {
      return switch (content) {
        case ForeignFile foreign -> api.post(path, foreign.body());
        case ArchiveFile archive -> api.postArchive(path, archive.text());
      };
    } catch (ContextureException refused) {
      throw refused.within(place);
    }
  }

  /** What would come of it; only files of other programs can tell. */
  JsonObject tryOut(Api api) {
    if (!(content instanceof ForeignFile foreign)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "--dry-run", place, "files of other programs, no archives");
    }
    try {
      return api.post(path, foreign.body().with("dry_run", JsonValue.of(true)));
    } catch (ContextureException refused) {
      throw refused.within(place);
    }
  }
}
