package dev.contexture.engine.ledger;

import dev.contexture.json.JsonArray;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.contexture.prompt.Omission;
import dev.contexture.timeline.Summary;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a request shows something, and why or why not.
 *
 * @param code for programs
 * @param detail the same in words
 * @param advice what would change it; empty: nothing needs to
 * @param part the part of the request that holds it; null: none is known
 * @param summary what stands for it; null: nothing
 */
record PathReason(
    Status status,
    String code,
    String detail,
    String advice,
    long tokens,
    @Nullable Integer part,
    @Nullable JsonObject summary) {
  /** The extent to which a path is shown. */
  enum Status {
    SENT("sent"),
    SHORTENED("shortened"),
    SUMMARIZED("summarized"),
    NOT_SENT("not_sent"),
    UNKNOWN("unknown");

    private final String wireName;

    Status(String wireName) {
      this.wireName = wireName;
    }
  }

  static final PathReason NOT_RECORDED =
      new PathReason(
          Status.UNKNOWN,
          "not_recorded",
          "this request was recorded without what it left out",
          "build a new request, and ask about that one",
          0,
          null,
          null);

  static PathReason sent(String code, String detail, @Nullable Integer part) {
    return new PathReason(Status.SENT, code, detail, "", 0, part, null);
  }

  static PathReason shortened(Omission omission, @Nullable Integer part) {
    return new PathReason(
        Status.SHORTENED,
        omission.reason().wireName(),
        omission.detail(),
        OmissionAdvice.of(omission.reason()),
        omission.tokens(),
        part,
        null);
  }

  static PathReason left(Omission omission) {
    return new PathReason(
        Status.NOT_SENT,
        omission.reason().wireName(),
        omission.detail(),
        OmissionAdvice.of(omission.reason()),
        omission.tokens(),
        null,
        null);
  }

  static PathReason left(String code, String detail) {
    return new PathReason(Status.NOT_SENT, code, detail, "", 0, null, null);
  }

  static PathReason unknown(String kind, String name) {
    return new PathReason(
        Status.UNKNOWN,
        "not_found",
        "the request was offered no " + kind + " '" + name + "'",
        "",
        0,
        null,
        null);
  }

  /** A summary stands for it; what that says of it, if it says something. */
  static PathReason summarized(@Nullable Summary summary, String path, long seq) {
    JsonObject.Builder said = JsonObject.builder();
    Optional<JsonObject> entry = summary == null ? Optional.empty() : entry(summary, path);
    if (summary != null) {
      said.put("summary_id", summary.id())
          .put("path", summary.path().text())
          .put("cut_seq", summary.cutSeq())
          .put("entry", entry.<JsonValue>map(found -> found).orElse(JsonNull.NULL));
    }
    String kept =
        entry.isPresent()
            ? "; the summary has an entry about it"
            : "; the summary does not name it";
    return new PathReason(
        Status.SUMMARIZED,
        "summarized",
        "block "
            + seq
            + " lies before the cut of the summary that is shown in its place"
            + (summary == null ? "" : kept),
        "pin its path to keep it in context, or withdraw the summary; the agent can read it by its"
            + " path",
        0,
        null,
        said.build());
  }

  private static Optional<JsonObject> entry(Summary summary, String path) {
    return summary.meta().array("entries").map(JsonArray::items).stream()
        .flatMap(entries -> entries.stream())
        .filter(JsonObject.class::isInstance)
        .map(JsonObject.class::cast)
        .filter(entry -> entry.string("path").filter(path::equals).isPresent())
        .findFirst();
  }

  JsonObject write(String request, String path) {
    JsonObject.Builder json =
        JsonObject.builder()
            .put("request_id", request)
            .put("path", path)
            .put("status", status.wireName)
            .put("reason", code)
            .put("detail", detail)
            .put("advice", advice)
            .put("tokens", tokens)
            .put("part", part == null ? JsonNull.NULL : JsonValue.of(part));
    return json.put("summary", summary == null ? JsonNull.NULL : summary).build();
  }
}
