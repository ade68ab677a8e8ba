package dev.contexture.token;

import dev.contexture.block.Binary;
import java.util.Optional;

/** The size of a picture in pixels, read from the header of PNG, GIF, WebP and JPEG. */
record ImageSize(int width, int height) {
  static Optional<ImageSize> of(Binary data) {
    int bytes = data.sizeBytes();
    if (bytes >= 24 && startsWith(data, 0x89, 'P', 'N', 'G')) {
      return valid(big32(data, 16), big32(data, 20));
    }
    if (bytes >= 10 && startsWith(data, 'G', 'I', 'F', '8')) {
      return valid(little16(data, 6), little16(data, 8));
    }
    if (bytes >= 30 && startsWith(data, 'R', 'I', 'F', 'F') && data.at(8) == 'W') {
      return webp(data);
    }
    if (bytes >= 4 && data.at(0) == 0xff && data.at(1) == 0xd8) {
      return jpeg(data);
    }
    return Optional.empty();
  }

  long pixels() {
    return (long) width * height;
  }

  private static Optional<ImageSize> webp(Binary data) {
    return switch (data.at(15)) {
      case ' ' -> valid(little16(data, 26) & 0x3fff, little16(data, 28) & 0x3fff);
      case 'L' -> {
        int width = 1 + (data.at(21) | (data.at(22) & 0x3f) << 8);
        int height = 1 + (data.at(22) >> 6 | data.at(23) << 2 | (data.at(24) & 0x0f) << 10);
        yield valid(width, height);
      }
      case 'X' -> valid(1 + little24(data, 24), 1 + little24(data, 27));
      default -> Optional.empty();
    };
  }

  /** Walks the segments up to the frame header (SOF), which holds the size. */
  private static Optional<ImageSize> jpeg(Binary data) {
    int at = 2;
    while (at + 9 < data.sizeBytes() && data.at(at) == 0xff) {
      int marker = data.at(at + 1);
      if (isFrameHeader(marker)) {
        return valid(big16(data, at + 7), big16(data, at + 5));
      }
      at += marker == 0xff ? 1 : 2 + big16(data, at + 2);
    }
    return Optional.empty();
  }

  private static boolean isFrameHeader(int marker) {
    boolean frame = marker >= 0xc0 && marker <= 0xcf;
    return frame && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
  }

  private static Optional<ImageSize> valid(int width, int height) {
    return width > 0 && height > 0 ? Optional.of(new ImageSize(width, height)) : Optional.empty();
  }

  private static boolean startsWith(Binary data, int... bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (data.at(i) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  private static int big32(Binary data, int at) {
    return big16(data, at) << 16 | big16(data, at + 2);
  }

  private static int big16(Binary data, int at) {
    return data.at(at) << 8 | data.at(at + 1);
  }

  private static int little16(Binary data, int at) {
    return data.at(at) | data.at(at + 1) << 8;
  }

  private static int little24(Binary data, int at) {
    return little16(data, at) | data.at(at + 2) << 16;
  }
}
