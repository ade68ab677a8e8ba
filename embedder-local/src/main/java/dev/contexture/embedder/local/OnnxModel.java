package dev.contexture.embedder.local;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.contexture.json.JsonNull;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonValue;
import dev.langchain4j.model.embedding.onnx.AbstractInProcessEmbeddingModel;
import dev.langchain4j.model.embedding.onnx.OnnxBertBiEncoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A model that computes on the thread that asks, and on no other. Thread-safe. */
final class OnnxModel extends AbstractInProcessEmbeddingModel {
  private final OnnxBertBiEncoder encoder;

  OnnxModel(LocalModel model) {
    super(Runnable::run);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (InputStream weights = resource(model.weights());
        InputStream tokenizer = wholeTexts(model.tokenizer());
        OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1); // so that requests have the other processors
      options.setInterOpNumThreads(1);
      OrtSession session = environment.createSession(weights.readAllBytes(), options);
      encoder = new OnnxBertBiEncoder(environment, session, tokenizer, model.pooling());
    } catch (OrtException failed) {
      throw new IllegalStateException("the model " + model.wireName() + " was not loaded", failed);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The tokenizer, which may come with a cut after 128 tokens, as one that reads all of a text. */
  private static InputStream wholeTexts(String name) throws IOException {
    try (InputStream file = resource(name)) {
      String json = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      if (!(JsonValue.parse(json) instanceof JsonObject tokenizer)) {
        throw new IllegalStateException(name + " is not an object");
      }
      JsonObject whole = tokenizer.with("truncation", JsonNull.NULL).with("padding", JsonNull.NULL);
      return new ByteArrayInputStream(whole.toJson().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static InputStream resource(String name) {
    InputStream found = OnnxModel.class.getResourceAsStream(name);
    if (found == null) {
      throw new IllegalStateException(name + " is not on the class path");
    }
    return found;
  }

  @Override
  protected OnnxBertBiEncoder model() {
    return encoder;
  }
}
