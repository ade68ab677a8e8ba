package dev.contexture.token;

import dev.contexture.block.Binary;
import dev.contexture.error.Cancellation;
import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The price list of one render: a counter, and the ratio by which its counts are scaled to those of
 * the model that the render is for.
 *
 * @param counter counts texts
 * @param ratio tokens of the model per token of the counter; 1 where nothing is known
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TokenMeter(TokenCounter counter, BigDecimal ratio) {
  private static final long IMAGE_CAP = 1600;
  private static final long IMAGE_PIXELS_PER_TOKEN = 750;
  private static final long TOKENS_PER_PAGE = 2000;
  private static final long BYTES_PER_PAGE = 50_000;

  public TokenMeter {
    if (ratio.signum() <= 0) {
      throw ContextureException.invalid(
          ErrorCode.INVALID_CONFIG, "ratio", ratio, "a number above 0");
    }
  }

  public static TokenMeter of(TokenCounter counter) {
    return new TokenMeter(counter, BigDecimal.ONE);
  }

  /** The tokens of the texts together, scaled and rounded up once. */
  public long texts(List<String> texts) {
    long sum = 0;
    for (String text : texts) {
      Cancellation.check();
      sum += counter.count(text);
    }
    return ratio.compareTo(BigDecimal.ONE) == 0
        ? sum
        : ratio
            .multiply(BigDecimal.valueOf(sum))
            .setScale(0, RoundingMode.CEILING)
            .longValueExact();
  }

  /** The tokens of a picture, from its size in pixels where its header tells it. */
  public long image(Binary data) {
    return ImageSize.of(data)
        .map(size -> Math.min(IMAGE_CAP, ceilDiv(size.pixels(), IMAGE_PIXELS_PER_TOKEN)))
        .orElse(IMAGE_CAP);
  }

  /** The tokens of a PDF, by its pages; where they cannot be counted, by its size. */
  public long document(Binary data) {
    long pages = PdfPages.count(data);
    return TOKENS_PER_PAGE * Math.max(1, pages > 0 ? pages : data.sizeBytes() / BYTES_PER_PAGE);
  }

  private static long ceilDiv(long value, long divisor) {
    return (value + divisor - 1) / divisor;
  }
}
