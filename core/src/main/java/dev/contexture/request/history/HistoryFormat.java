package dev.contexture.request.history;

import dev.contexture.error.Choices;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.request.Providers;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A kind of file of another program that is read. {@link Providers#historyFormats} has all. */
@API(status = API.Status.EXPERIMENTAL, since = "0.2")
public interface HistoryFormat {
  /** The name that stands for whichever fits. */
  String AUTO = "auto";

  /** What callers name it by. */
  String wireName();

  /** What people call it. */
  String title();

  /** What its files look like. */
  String shape();

  /**
   * The format of a name.
   *
   * @param known those to choose from
   * @param field what was given, for the message
   * @throws ContextureException {@code invalid_argument}
   */
  static HistoryFormat named(List<? extends HistoryFormat> known, String field, String name) {
    for (HistoryFormat format : known) {
      if (format.wireName().equals(name)) {
        return format;
      }
    }
    List<String> names = known.stream().map(HistoryFormat::wireName).toList();
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, field, name, Choices.inWords(names));
  }

  /**
   * The format of a name; null for none, and for {@link #AUTO}.
   *
   * @throws ContextureException {@code invalid_argument}
   */
  static @Nullable HistoryFormat wanted(
      List<? extends HistoryFormat> known, String field, @Nullable String name) {
    return name == null || name.equals(AUTO) ? null : named(known, field, name);
  }
}
