package dev.contexture.cli.support;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.JsonLimits;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads a file that a command was given; {@code -} is standard input. */
public final class JsonFile {
  /** The name of a file that stands for standard input. */
  public static final Path STANDARD_INPUT = Path.of("-");

  private static final int MAX_BYTES_PER_CHAR = 3;

  private JsonFile() {}

  /**
   * The JSON object in the file.
   *
   * @throws ContextureException {@code not_found}, {@code invalid_argument} if it is no readable
   *     file, {@code malformed_json} if it holds no JSON, {@code field_type} if it holds another
   *     value than an object
   */
  public static JsonObject read(Path file) {
    JsonValue value;
    try {
      value = JsonValue.parse(bare(file));
    } catch (ContextureException refused) {
      throw refused.within(file.toString());
    }
    if (value instanceof JsonObject object) {
      return object;
    }
    throw ContextureException.invalid(
        ErrorCode.FIELD_TYPE, file.toString(), value.kind(), "a JSON object");
  }

  /**
   * The lines of a file.
   *
   * @throws ContextureException as {@link #read}
   */
  public static List<String> lines(Path file) {
    return text(file).lines().toList();
  }

  /**
   * The first line of a file, of which no more is read.
   *
   * @param most the most letters to return
   * @return empty for standard input, which can be read once only, and for what is no text
   * @throws ContextureException {@code not_found} or {@code invalid_argument}
   */
  public static String firstLine(Path file, int most) {
    if (file.equals(STANDARD_INPUT)) {
      return "";
    }
    char[] start = new char[most];
    try (Reader reader = Files.newBufferedReader(file)) {
      int read = Math.max(reader.read(start), 0);
      return new String(start, 0, read).lines().findFirst().orElse("");
    } catch (CharacterCodingException noText) {
      return ""; // refused where all of it is read
    } catch (NoSuchFileException missing) {
      throw new ContextureException(ErrorCode.NOT_FOUND, "there is no such file", Map.of(), missing)
          .within(file.toString());
    } catch (IOException failure) {
      throw new ContextureException(
              ErrorCode.INVALID_ARGUMENT,
              "cannot be read: " + failure.getMessage(),
              Map.of(),
              failure)
          .within(file.toString());
    }
  }

  /**
   * The text of a file.
   *
   * @throws ContextureException as {@link #read}
   */
  public static String text(Path file) {
    try {
      return bare(file);
    } catch (ContextureException refused) {
      throw refused.within(file.toString());
    }
  }

  private static String bare(Path file) {
    long maxBytes = (long) JsonLimits.DEFAULT.maxChars() * MAX_BYTES_PER_CHAR;
    try {
      if (file.equals(STANDARD_INPUT)) {
        return standardInput(maxBytes);
      }
      if (Files.isRegularFile(file) && Files.size(file) > maxBytes) {
        throw ContextureException.limit(
            ErrorCode.MALFORMED_JSON, "file", maxBytes, Files.size(file), "bytes");
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ContextureException(ErrorCode.NOT_FOUND, "there is no such file", Map.of(), e);
    } catch (CharacterCodingException e) {
      throw new ContextureException(ErrorCode.MALFORMED_JSON, "is not UTF-8", Map.of(), e);
    } catch (IOException e) {
      throw new ContextureException(
          ErrorCode.INVALID_ARGUMENT, "cannot be read: " + e.getMessage(), Map.of(), e);
    }
  }

  private static String standardInput(long maxBytes) throws IOException {
    byte[] bytes = System.in.readNBytes(Math.toIntExact(maxBytes) + 1);
    if (bytes.length > maxBytes) {
      throw ContextureException.limit(
          ErrorCode.MALFORMED_JSON, "standard input", maxBytes, bytes.length, "bytes");
    }
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }
}
