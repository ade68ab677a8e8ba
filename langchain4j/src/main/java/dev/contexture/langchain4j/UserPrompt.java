package dev.contexture.langchain4j;

import dev.contexture.block.Binary;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import dev.contexture.turn.Attachment;
import dev.contexture.turn.ResultPart;
import dev.contexture.turn.TurnStart;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what users and tools say: texts, and pictures and documents that come with their bytes. */
final class UserPrompt {
  private static final String ALLOWED =
      "text, and pictures and PDFs as base64: what is only an address cannot be kept";

  private UserPrompt() {}

  /** The texts of a message as one. */
  static String text(UserMessage message) {
    return message.contents().stream()
        .filter(TextContent.class::isInstance)
        .map(content -> ((TextContent) content).text())
        .collect(Collectors.joining("\n"));
  }

  /** A turn that a message opens. */
  static TurnStart of(UserMessage message) {
    TurnStart start = TurnStart.prompt(text(message));
    int files = 0;
    for (Content content : message.contents()) {
      if (!(content instanceof TextContent)) {
        ResultPart.Data data = data(content);
        start.attach(Attachment.binary("file-" + ++files, data.mime(), data.data()));
      }
    }
    return start;
  }

  /** The parts of a result. */
  static List<ResultPart> parts(ToolExecutionResultMessage message) {
    List<ResultPart> parts = new ArrayList<>();
    for (Content content : message.contents()) {
      parts.add(
          content instanceof TextContent text ? new ResultPart.Text(text.text()) : data(content));
    }
    return parts;
  }

  private static ResultPart.Data data(Content content) {
    return switch (content) {
      case ImageContent image ->
          data(content, image.image().mimeType(), image.image().base64Data());
      case PdfFileContent pdf ->
          data(content, pdf.pdfFile().mimeType(), pdf.pdfFile().base64Data());
      default -> throw refused(content);
    };
  }

  private static ResultPart.Data data(
      Content content, @Nullable String mime, @Nullable String base64) {
    if (base64 == null) {
      throw refused(content);
    }
    return new ResultPart.Data(mime == null ? "image/png" : mime, Binary.ofBase64(base64));
  }

  private static ContextureException refused(Content content) {
    return ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "content of a message", content, ALLOWED);
  }
}
