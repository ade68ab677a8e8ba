package dev.contexture.cli;

import dev.contexture.cli.output.Printer;
import dev.contexture.cli.support.Api;
import dev.contexture.cli.support.StoreFlags;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, shows, compares and explains the recorded requests of a conversation. */
@Command(
    name = "requests",
    description = "Lists, shows, compares and explains the requests of a conversation.",
    subcommands = {
      RequestsCommand.ListAll.class,
      RequestsCommand.Show.class,
      RequestsCommand.Diff.class,
      RequestsCommand.Why.class
    },
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  contexture requests list c1 --user u42",
      "  contexture requests show c1 --user u42 --body",
      "  contexture requests diff c1 rq_0123 --user u42",
      "  contexture requests why c1 --user u42 --path ar:t1.user.prompt"
    })
final class RequestsCommand implements Callable<Integer> {
  private static final int MAX_LIMIT = 200;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "no command given: list, show, diff or why");
  }

  /** Options that all of these commands take. */
  abstract static class OfConversation implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private StoreFlags store = new StoreFlags();

    @Option(names = "--user", paramLabel = "ID", required = true, description = "The user.")
    private String user = "";

    @Parameters(index = "0", paramLabel = "CONVERSATION", description = "Its id.")
    private String conversation = "";

    @Override
    public final Integer call() {
      try (Api api = Api.open(store)) {
        print(Printer.of(spec), api, Api.conversation(user, conversation) + "/requests");
      }
      return Main.DONE;
    }

    abstract void print(Printer printer, Api api, String path);
  }

  /** Options of commands for one request: the one named, or the newest. */
  abstract static class OfRequest extends OfConversation {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "REQUEST",
        description = "Its id (default: the newest).")
    private @Nullable String request;

    /** The path of the request among those of its conversation. */
    final String path(Api api, String path) {
      String id =
          request != null
              ? request
              : Printer.objects(api.get(path + "?limit=1"), "requests").stream()
                  .findFirst()
                  .flatMap(newest -> newest.string("request_id"))
                  .orElseThrow(
                      () ->
                          new ContextureException(
                              ErrorCode.NOT_FOUND, "no request was built in this conversation"));
      return path + "/" + Api.id("REQUEST", id);
    }
  }

  /** Newest first. */
  @Command(
      name = "list",
      description = "Lists requests, newest first: tokens, what the cache did, cost.")
  static final class ListAll extends OfConversation {
    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "50",
        description = "The most requests, up to 200 (default: ${DEFAULT-VALUE}).")
    private int limit = 50;

    @Option(
        names = "--cursor",
        paramLabel = "CURSOR",
        description = "Goes on behind a page: what that printed as its cursor.")
    private @Nullable String cursor;

    @Override
    void print(Printer printer, Api api, String path) {
      if (limit < 1 || limit > MAX_LIMIT) {
        throw ContextureException.invalid(
            ErrorCode.INVALID_ARGUMENT, "--limit", limit, "a number from 1 to " + MAX_LIMIT);
      }
      JsonObject page = api.get(Printer.paged(path, limit, cursor));
      if (printer.json()) {
        printer.json(page);
        return;
      }
      List<JsonObject> rows = Printer.objects(page, "requests");
      if (rows.isEmpty()) {
        printer.note("no request was built in this conversation");
        return;
      }
      printer.table(
          List.of("REQUEST", "TIME", "MODEL", "TOKENS", "READ", "WRITTEN", "PREFIX", "COST"),
          IntStream.range(0, rows.size())
              .mapToObj(i -> row(rows.get(i), i + 1 < rows.size() ? rows.get(i + 1) : null))
              .toList());
      printer.more(page);
    }
  }

  /** A line: what the provider counted, or what was predicted where it has not answered. */
  private static List<String> row(JsonObject row, @Nullable JsonObject before) {
    JsonObject predicted = row.object("predicted").orElse(JsonObject.EMPTY);
    JsonObject used = row.object("usage").orElse(JsonObject.EMPTY);
    boolean real = used.find("total_input").isPresent();
    long written =
        Stream.of("cache_write", "cache_write_5m", "cache_write_1h")
            .mapToLong(name -> Printer.number(used, name))
            .sum();
    return List.of(
        row.string("request_id").orElse(""),
        row.string("ts").orElse(""),
        row.string("model").orElse(""),
        String.valueOf(
            real ? Printer.number(used, "total_input") : Printer.number(row, "estimated_tokens")),
        String.valueOf(
            real ? Printer.number(used, "cache_read") : Printer.number(predicted, "read")),
        String.valueOf(real ? written : Printer.number(predicted, "write")),
        PrefixText.word(row, before),
        cost(row.object("spent").orElse(predicted), row.string("currency").orElse("USD")));
  }

  private static String cost(JsonObject cache, String currency) {
    return cache
        .find("money")
        .filter(money -> !money.equals(JsonNull.NULL))
        .map(money -> money.toJson() + " " + currency)
        .orElseGet(() -> cache.find("cost").map(JsonValue::toJson).orElse("-"));
  }

  /** One of them, with the exact body. */
  @Command(
      name = "show",
      description =
          "Shows a request: its sections, marks and repairs, and with --body what was sent.")
  static final class Show extends OfRequest {
    @Option(names = "--body", description = "Print the body that was sent, and nothing else.")
    private boolean body;

    @Override
    void print(Printer printer, Api api, String path) {
      JsonObject record = api.get(path(api, path));
      if (body) {
        printer.json(
            record
                .object("request")
                .orElseThrow(
                    () ->
                        new ContextureException(
                            ErrorCode.NOT_FOUND, "the body is gone: what it showed was erased")));
        return;
      }
      if (printer.json()) {
        printer.json(record);
        return;
      }
      printer.line(String.join("  ", row(record, null)));
      record
          .object("sections")
          .ifPresent(
              sections ->
                  printer.table(
                      List.of("SECTION", "TOKENS"),
                      sections.members().entrySet().stream()
                          .map(part -> List.of(part.getKey(), part.getValue().toJson()))
                          .toList()));
      marks(record).ifPresent(printer::line);
      for (JsonObject repair : Printer.objects(record, "repairs")) {
        printer.line(
            "repaired: "
                + repair.string("code").orElse("")
                + " "
                + repair.string("where").orElse("")
                + " "
                + repair.string("reason").orElse(""));
      }
    }
  }

  /** Where the cache marks of a body stand, as JSON pointers. */
  private static Optional<String> marks(JsonObject record) {
    return record
        .array("marks")
        .map(JsonArray::items)
        .filter(all -> !all.isEmpty())
        .map(
            all ->
                all.stream()
                    .map(mark -> mark instanceof JsonString where ? where.value() : mark.toJson())
                    .collect(Collectors.joining(", ", "cache marks: ", "")));
  }

  /** One against the one before. */
  @Command(
      name = "diff",
      description = "Says what differs from the request before: what came, what went, and why.")
  static final class Diff extends OfRequest {
    @Override
    void print(Printer printer, Api api, String path) {
      JsonObject answer = api.get(path(api, path) + "?diff=previous");
      if (printer.json()) {
        printer.json(answer);
        return;
      }
      JsonObject diff = answer.object("diff").orElse(JsonObject.EMPTY);
      JsonObject before =
          diff.string("previous")
              .map(id -> api.get(path + "/" + Api.id("REQUEST", id)))
              .orElse(null);
      printer.line(
          String.format(
              Locale.ROOT,
              "%s unchanged (%d tokens), %d removed, %d added",
              Printer.count(Printer.number(diff, "shared_blocks"), "part", "parts"),
              Printer.number(diff, "shared_tokens"),
              Printer.objects(diff, "removed").size(),
              Printer.objects(diff, "added").size()));
      PrefixText.anew(answer, before).ifPresent(printer::line);
      PrefixText.rewritten(answer).ifPresent(printer::line);
      diff.object("divergence").ifPresent(cause -> cause(printer, cause));
      part(printer, "-", Printer.objects(diff, "removed"));
      part(printer, "+", Printer.objects(diff, "added"));
    }

    private static void cause(Printer printer, JsonObject cause) {
      printer.line(
          String.format(
              Locale.ROOT,
              "the prefix changed at %s by %s (%s): %d tokens are lost from the cache, which costs"
                  + " %s plain input tokens%s",
              cause.string("path").or(() -> cause.string("kind")).orElse("?"),
              cause.string("actor").orElse("?"),
              cause.string("operation").orElse("?"),
              Printer.number(cause, "tokens_lost"),
              cause.find("cost_lost").map(JsonValue::toJson).orElse("?"),
              PrefixText.money(cause, "money_lost", cause.string("currency").orElse("USD"))));
      cause.string("was").ifPresent(was -> printer.line("was: " + was));
      cause.string("now").ifPresent(now -> printer.line("now: " + now));
      cause.string("advice").ifPresent(printer::line);
    }

    private static void part(Printer printer, String sign, List<JsonObject> parts) {
      for (JsonObject part : parts) {
        printer.line(
            String.format(
                Locale.ROOT,
                "%s %s %s  %s  %d tokens",
                sign,
                part.string("role").orElse(""),
                part.string("kind").orElse(""),
                part.string("path").or(() -> part.string("tier")).orElse(""),
                Printer.number(part, "tokens")));
      }
    }
  }

  /** Explains why something is in a request or not. */
  @Command(
      name = "why",
      description =
          "Says why each part of a request is there; with --path, why that is there or why not.")
  static final class Why extends OfRequest {
    @Option(
        names = "--path",
        paramLabel = "PATH",
        description = "A path of the conversation, the label of a memory block, or a turn.")
    private @Nullable String asked;

    @Override
    void print(Printer printer, Api api, String path) {
      String route = path(api, path) + "/why";
      JsonObject answer =
          api.get(asked == null ? route : route + "?path=" + Api.id("--path", asked));
      if (printer.json()) {
        printer.json(answer);
      } else if (asked == null) {
        parts(printer, answer);
      } else {
        one(printer, answer);
      }
    }

    private static void parts(Printer printer, JsonObject answer) {
      printer.table(
          List.of("PART", "WHERE", "TOKENS", "WHAT", "WHY"),
          Printer.objects(answer, "parts").stream()
              .map(
                  part ->
                      List.of(
                          String.valueOf(Printer.number(part, "index")),
                          part.string("tier").orElse("") + " " + part.string("role").orElse(""),
                          String.valueOf(Printer.number(part, "tokens")),
                          part.string("path").orElse(""),
                          part.string("detail").orElse("")))
              .toList());
      Printer.objects(answer, "dropped").forEach(one -> omission(printer, "left out", one));
      Printer.objects(answer, "truncated").forEach(one -> omission(printer, "shortened", one));
    }

    private static void omission(Printer printer, String what, JsonObject omission) {
      printer.line(
          what
              + ": "
              + omission.string("kind").orElse("")
              + " "
              + omission.string("id").orElse("")
              + ", "
              + omission.string("reason").orElse("")
              + ": "
              + omission.string("detail").orElse(""));
    }

    private static void one(Printer printer, JsonObject answer) {
      printer.line(
          answer.string("status").orElse("").replace('_', ' ')
              + " ("
              + answer.string("reason").orElse("")
              + "): "
              + answer.string("detail").orElse(""));
      answer.string("advice").filter(advice -> !advice.isEmpty()).ifPresent(printer::line);
      answer
          .object("summary")
          .flatMap(summary -> summary.object("entry"))
          .flatMap(entry -> entry.string("text"))
          .ifPresent(text -> printer.line("the summary says: " + text));
    }
  }
}
