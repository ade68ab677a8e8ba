package dev.contexture.view;

import dev.contexture.block.Binary;
import dev.contexture.block.Block;
import java.util.Set;
import org.apiguardian.api.API;

/** Binary content as parts, and as the marker lines that stand for it in text. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Media {
  private static final Set<String> IMAGES =
      Set.of("image/png", "image/jpeg", "image/gif", "image/webp");
  private static final String PDF = "application/pdf";

  private Media() {}

  /** Whether the block holds a picture or a PDF. */
  public static boolean isImageOrPdf(Block block) {
    return block.data().isPresent() && (IMAGES.contains(block.mime()) || PDF.equals(block.mime()));
  }

  /** The line that stands for a picture, document or other binary. */
  public static String marker(String mediaType, Binary data) {
    String kind =
        IMAGES.contains(mediaType) ? "image" : PDF.equals(mediaType) ? "document" : "binary";
    return "<" + kind + " media_type=" + mediaType + " b64_len=" + data.base64Chars() + ">";
  }

  /** The part of a block's binary; the marker text where the reader cannot take it. */
  static Part part(String mediaType, Binary data, boolean textOnly) {
    if (!textOnly && IMAGES.contains(mediaType)) {
      return new Part.Image(mediaType, data);
    }
    if (!textOnly && PDF.equals(mediaType)) {
      return new Part.Document(mediaType, data);
    }
    return new Part.Text(marker(mediaType, data));
  }
}
