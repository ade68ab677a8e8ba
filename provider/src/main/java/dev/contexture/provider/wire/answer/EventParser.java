package dev.contexture.provider.wire.answer;

import dev.contexture.model.AnswerException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds the events in the bytes of a {@code text/event-stream}. Lines end in LF, CRLF or CR; the
 * {@code data} lines of an event are joined by LF; comments and all other fields are skipped.
 * Confined to one thread.
 */
final class EventParser {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);

  private final AnswerJson json;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private long total;
  private boolean hasData;
  private boolean afterReturn; // a line feed now belongs to the line that has ended
  private boolean firstLine = true;

  EventParser(AnswerJson json) {
    this.json = json;
  }

  /** Takes more bytes; gives the data of each event that ends in them. */
  void accept(byte[] bytes, int offset, int length, Consumer<String> events) {
    total += length;
    if (total > AnswerReader.MAX_ANSWER_BYTES) {
      throw AnswerException.tooLarge(
          json.provider(), "the answer", AnswerReader.MAX_ANSWER_BYTES, "bytes");
    }
    int start = offset;
    for (int i = offset; i < offset + length; i++) {
      byte b = bytes[i];
      if (b == '\n' && afterReturn) {
        start = i + 1;
      } else if (b == '\n' || b == '\r') {
        keep(bytes, start, i);
        endLine().ifPresent(events);
        start = i + 1;
      }
      afterReturn = b == '\r';
    }
    keep(bytes, start, offset + length);
  }

  /** The data of an event that the end of the stream left without its empty line. */
  Optional<String> rest() {
    if (line.size() > 0) {
      endLine();
    }
    return hasData ? Optional.of(take()) : Optional.empty();
  }

  private void keep(byte[] bytes, int start, int end) {
    if ((long) line.size() + data.size() + (end - start) > AnswerReader.MAX_EVENT_BYTES) {
      throw AnswerException.tooLarge(
          json.provider(), "an event", AnswerReader.MAX_EVENT_BYTES, "bytes");
    }
    line.write(bytes, start, end - start);
  }

  /** The data of an event if the line ends one. */
  private Optional<String> endLine() {
    byte[] bytes = line.toByteArray();
    line.reset();
    int start = firstLine && startsWith(bytes, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    firstLine = false;
    if (start == bytes.length) {
      return hasData ? Optional.of(take()) : Optional.empty();
    }
    field(bytes, start);
    return Optional.empty();
  }

  private void field(byte[] bytes, int start) {
    int end = start + DATA.length;
    boolean isData =
        bytes.length >= end
            && Arrays.equals(bytes, start, end, DATA, 0, DATA.length)
            && (bytes.length == end || bytes[end] == ':');
    if (!isData) {
      return;
    }
    int value = Math.min(bytes.length, end + 1);
    if (value < bytes.length && bytes[value] == ' ') {
      value++;
    }
    if (hasData) {
      data.write('\n');
    }
    data.write(bytes, value, bytes.length - value);
    hasData = true;
  }

  private String take() {
    byte[] bytes = data.toByteArray();
    data.reset();
    hasData = false;
    return json.decode(bytes);
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }
}
