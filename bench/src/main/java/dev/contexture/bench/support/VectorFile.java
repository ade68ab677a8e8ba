package dev.contexture.bench.support;

import dev.contexture.search.Embedder;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * An embedder that keeps its vectors in a file, so that the next run over the same texts does not
 * wait for the model. The file grows with each call. Thread-safe; one process at a time.
 */
public final class VectorFile implements Embedder {
  private static final int KEY_BYTES = 32;

  private final Embedder model;
  private final Path file;
  private final Map<String, float[]> known = new HashMap<>();

  public VectorFile(Embedder model, Path file) {
    this.model = model;
    this.file = file;
    if (Files.exists(file)) {
      read();
    }
  }

  @Override
  public String modelId() {
    return model.modelId();
  }

  @Override
  public int dimensions() {
    return model.dimensions();
  }

  @Override
  public int maxBatch() {
    return model.maxBatch();
  }

  @Override
  public synchronized List<float[]> embed(List<String> texts, Purpose purpose) {
    List<String> missing =
        texts.stream().filter(text -> !known.containsKey(key(text, purpose))).distinct().toList();
    if (!missing.isEmpty()) {
      append(missing, purpose, model.embed(missing, purpose));
    }
    List<float[]> vectors = new ArrayList<>();
    for (String text : texts) {
      vectors.add(known.getOrDefault(key(text, purpose), new float[0]).clone());
    }
    return vectors;
  }

  private void append(List<String> texts, Purpose purpose, List<float[]> vectors) {
    try (DataOutputStream out =
        new DataOutputStream(
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
      for (int i = 0; i < texts.size(); i++) {
        String key = key(texts.get(i), purpose);
        known.put(key, vectors.get(i));
        out.write(bytes(key, vectors.get(i)));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static byte[] bytes(String key, float[] vector) {
    ByteBuffer record =
        ByteBuffer.allocate(KEY_BYTES + Integer.BYTES + vector.length * Float.BYTES);
    record.put(HexFormat.of().parseHex(key)).putInt(vector.length);
    for (float number : vector) {
      record.putFloat(number);
    }
    return record.array();
  }

  private void read() {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      byte[] key = new byte[KEY_BYTES];
      while (in.readNBytes(key, 0, KEY_BYTES) > 0) {
        float[] vector = new float[in.readInt()];
        for (int i = 0; i < vector.length; i++) {
          vector[i] = in.readFloat();
        }
        known.put(HexFormat.of().formatHex(key), vector);
      }
    } catch (EOFException cut) {
      throw new UsageException(file + " ends in the middle of a vector: delete it");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private String key(String text, Purpose purpose) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      String what = model.modelId() + '\n' + purpose + '\n' + text;
      return HexFormat.of().formatHex(digest.digest(what.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
