package dev.contexture.embedder.local;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.langchain4j.model.embedding.onnx.AbstractInProcessEmbeddingModel;
import dev.langchain4j.model.embedding.onnx.OnnxBertBiEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A model that computes on the thread that asks, and on no other. Thread-safe. */
final class OnnxModel extends AbstractInProcessEmbeddingModel {
  private final OnnxBertBiEncoder encoder;

  OnnxModel(LocalModel model) {
    super(Runnable::run);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (InputStream weights = resource(model.weights());
        InputStream tokenizer = resource(model.tokenizer());
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
