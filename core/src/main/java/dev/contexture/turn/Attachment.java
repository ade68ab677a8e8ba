package dev.contexture.turn;

import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.json.SendableText;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A file that comes with a prompt.
 *
 * @param name its file name
 * @param mime its media type
 * @param content its text, for text types
 * @param binary its bytes, for others
 * @param about what is in it, in one line
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Attachment(
    String name,
    String mime,
    @Nullable String content,
    @Nullable Binary binary,
    @Nullable String about) {
  public Attachment {
    name = SendableText.of(name);
    content = content == null ? null : SendableText.of(content);
    about = about == null ? null : SendableText.of(about);
    if (content == null && binary == null) {
      throw ContextureException.invalid(
          ErrorCode.FIELD_REQUIRED, "attachment " + name, null, "text or data");
    }
  }

  public static Attachment text(String name, String mime, String text) {
    return new Attachment(name, mime, text, null, null);
  }

  public static Attachment binary(String name, String mime, Binary data) {
    return new Attachment(name, mime, null, data, null);
  }

  public Optional<String> summary() {
    return Optional.ofNullable(about);
  }

  public long sizeBytes() {
    long text = content == null ? 0 : content.getBytes(StandardCharsets.UTF_8).length;
    return text + (binary == null ? 0 : binary.sizeBytes());
  }
}
