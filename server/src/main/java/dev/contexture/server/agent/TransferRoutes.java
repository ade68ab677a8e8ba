package dev.contexture.server.agent;

import dev.contexture.block.Scope;
import dev.contexture.engine.archive.ArchiveBounds;
import dev.contexture.engine.archive.ArchiveReport;
import dev.contexture.engine.archive.Archives;
import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonObject;
import dev.contexture.request.history.HistoryFormat;
import dev.contexture.request.history.ImportedFile;
import dev.contexture.server.ServerLimits;
import dev.contexture.server.http.BodyStream;
import dev.contexture.server.http.Call;
import dev.contexture.server.http.FileAnswers;
import dev.contexture.server.http.MemoryView;
import dev.contexture.server.http.RequestFields;
import dev.contexture.server.http.Response;
import dev.contexture.server.http.Route;
import dev.contexture.server.keys.KeyRole;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whole files: those of other programs come in, archives come in and go out. */
final class TransferRoutes {
  private static final String USER = "/v1/users/{user}";
  private static final String FORMAT = "format";
  private static final String MARKDOWN = "markdown";
  private static final List<String> FORMATS = List.of("archive", MARKDOWN);
  private static final String ARCHIVE = "application/x-ndjson";
  private static final String ARCHIVE_LINE = "{\"line\":";

  private TransferRoutes() {}

  static List<Route> routes(String conversation, String agent) {
    return List.of(
        Route.get(conversation + "/export", TransferRoutes::conversation, FORMAT),
        Route.get(USER + "/export", TransferRoutes::user, FORMAT),
        Route.get(agent + "/export", TransferRoutes::agent, FORMAT),
        Route.post(USER + "/import", TransferRoutes::take),
        Route.post(agent + "/import", TransferRoutes::takeAgent).needing(KeyRole.ADMIN));
  }

  private static boolean markdown(Call call) {
    String format = call.query(FORMAT).orElse(FORMATS.getFirst());
    if (!FORMATS.contains(format)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, FORMAT, format, Choices.inWords(FORMATS));
    }
    return format.equals(MARKDOWN);
  }

  /** An archive has the requests of all agents, which a key of one of them does not see. */
  private static Response conversation(Call call) {
    boolean markdown = markdown(call);
    call.known();
    if (!markdown) {
      call.caller().mayReachAllAgents();
    }
    Archives archives = call.engine().archives();
    Scope.OfConversation one = call.conversation();
    return stream(
        call,
        markdown,
        out -> {
          if (markdown) {
            archives.writeConversation(one, out);
          } else {
            archives.exportConversation(one, out);
          }
        });
  }

  private static Response user(Call call) {
    boolean markdown = markdown(call);
    call.caller().mayReachAllAgents();
    Archives archives = call.engine().archives();
    Scope.OfUser user = call.user();
    if (!archives.hasUser(user)) {
      throw ContextureException.invalid(
          ErrorCode.NOT_FOUND, "user", user.user(), "a user with conversations or memory");
    }
    return stream(
        call,
        markdown,
        out -> {
          if (markdown) {
            archives.writeUser(user, out);
          } else {
            archives.exportUser(user, out);
          }
        });
  }

  private static Response agent(Call call) {
    boolean markdown = markdown(call);
    call.caller().mayReachAllUsers();
    Scope.OfAgent agent = call.scope().agent(MemoryView.readableAgent(call));
    if (call.engine().store().memory().agent(agent).isEmpty()) {
      throw ContextureException.invalid(
          ErrorCode.NOT_FOUND, "agent", agent.agent(), "an agent of the project");
    }
    Archives archives = call.engine().archives();
    return stream(
        call,
        markdown,
        out -> {
          if (markdown) {
            archives.writeAgent(agent, out);
          } else {
            archives.exportAgent(agent, out);
          }
        });
  }

  /** Writes as it reads: what a reader has without the last line is no whole archive. */
  private static Response stream(Call call, boolean markdown, Consumer<OutputStream> content) {
    call.work().answers();
    HttpServletResponse response = call.http().res();
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType(
        markdown ? "text/markdown; charset=utf-8" : ARCHIVE + "; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    try {
      content.accept(response.getOutputStream());
    } catch (IOException | UncheckedIOException gone) {
      // The reader went away, or did not read for too long: the archive lacks its end.
      System.getLogger(TransferRoutes.class.getName())
          .log(System.Logger.Level.DEBUG, "a reader of an export was dropped", gone);
    }
    return Response.STREAMED;
  }

  private static Response take(Call call) {
    if (call.hasBodyOf(ARCHIVE)) {
      administers(call);
      return taken(call, ofUser(call));
    }
    RequestFields body =
        call.body("file", "name", FORMAT, "conversation", "agent", "model", "ts", "dry_run");
    String file = body.requiredString("file");
    boolean dry = body.fields().flag("dry_run", false);
    if (file.startsWith(ARCHIVE_LINE)) {
      administers(call);
      return taken(call, file, ofUser(call));
    }
    ImportedFile read = call.engine().files().read(file, options(call, body));
    String conversation = body.string("conversation");
    ImportedFile named = conversation == null ? read : read.named(conversation);
    for (ImportedFile.ImportedChat chat : named.chats()) {
      if (chat.agent() != null) {
        call.agent(chat.agent());
      }
      if (!call.reaches(call.user().conversation(chat.id()))) {
        throw ContextureException.invalid(
            ErrorCode.NOT_FOUND, "conversation", chat.id(), "a conversation of the user");
      }
    }
    named.memory().stream().map(block -> block.agent()).distinct().forEach(each -> of(call, each));
    return dry
        ? Response.ok(FileAnswers.write(call.engine().files().check(call.user(), named)))
        : Response.created(FileAnswers.write(call.engine().files().store(call.user(), named)));
  }

  /** An archive says who wrote what: whoever takes it in may act as anybody. */
  private static void administers(Call call) {
    call.administers();
    call.caller().mayReachAllAgents();
  }

  private static ArchiveBounds ofUser(Call call) {
    return new ArchiveBounds(call.user().user(), null);
  }

  private static void of(Call call, @Nullable String agent) {
    if (agent != null) {
      call.agent(agent);
    }
  }

  private static ImportedFile.Options options(Call call, RequestFields body) {
    String format = body.string(FORMAT);
    String agent = body.string("agent");
    String own = agent == null ? call.caller().grant().agent() : call.agent(agent);
    HistoryFormat known =
        HistoryFormat.wanted(call.engine().providers().historyFormats(), FORMAT, format);
    String name = body.string("name");
    return new ImportedFile.Options(
        known, name == null ? "chat" : name, body.ts("ts"), body.string("model"), own);
  }

  private static Response takeAgent(Call call) {
    call.caller().mayReachAllUsers();
    ArchiveBounds bounds = new ArchiveBounds(null, call.agent());
    return call.hasBodyOf(ARCHIVE)
        ? taken(call, bounds)
        : taken(call, call.body("file").requiredString("file"), bounds);
  }

  /** Takes a body in that is the archive itself, however large it is. */
  private static Response taken(Call call, ArchiveBounds bounds) {
    BodyStream in = BodyStream.of(call, ServerLimits.ARCHIVE_BYTES);
    try {
      return done(
          call.engine()
              .archives()
              .importArchive(call.scope(), in, bounds, in::grow));
    } catch (ContextureException refused) {
      in.drain();
      throw refused;
    }
  }

  private static Response taken(Call call, String archive, ArchiveBounds bounds) {
    InputStream in = new ByteArrayInputStream(archive.getBytes(StandardCharsets.UTF_8));
    return done(call.engine().archives().importArchive(call.scope(), in, bounds));
  }

  private static Response done(ArchiveReport report) {
    return Response.created(
        JsonObject.builder().put(FORMAT, "archive").putAll(FileAnswers.write(report)).build());
  }
}
