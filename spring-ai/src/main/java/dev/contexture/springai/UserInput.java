package dev.contexture.springai;

import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.TurnStart;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;

/** Reads what users say: text, and pictures and documents that come with their bytes. */
final class UserInput {
  private static final String ALLOWED =
      "pictures and PDFs with their bytes: what is only an address cannot be kept";

  private UserInput() {}

  /** A turn that a message opens. */
  static TurnStart of(UserMessage message) {
    TurnStart start = TurnStart.prompt(text(message));
    int files = 0;
    for (Media media : message.getMedia()) {
      start.attach(
          Attachment.binary("file-" + ++files, media.getMimeType().toString(), bytes(media)));
    }
    return start;
  }

  static String text(UserMessage message) {
    return message.getText() == null ? "" : message.getText();
  }

  private static Binary bytes(Media media) {
    String mime = media.getMimeType().toString();
    boolean kept = mime.startsWith("image/") || mime.equals("application/pdf");
    if (!kept || !(media.getData() instanceof byte[] bytes)) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_ARGUMENT, "media of a message", mime, ALLOWED);
    }
    return Binary.of(bytes);
  }
}
