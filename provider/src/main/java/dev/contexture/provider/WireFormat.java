package dev.contexture.provider;

import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestViolation;
import dev.contexture.provider.answer.AnswerReader;
import dev.contexture.provider.prove.Prover;
import dev.contexture.request.ProviderFormat;
import dev.contexture.request.RequestWriter;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A reader and a writer under one name. */
record WireFormat(
    String name,
    AnswerReader reader,
    Supplier<RequestWriter> writers,
    UnaryOperator<String> names,
    Prover prover)
    implements ProviderFormat {
  @Override
  public ModelAnswer readAnswer(byte[] answer, ModelRef model) {
    return reader.read(answer, model);
  }

  @Override
  public AnswerStream openStream(ModelRef model) {
    return reader.open(model);
  }

  @Override
  public RequestWriter writer() {
    return writers.get();
  }

  @Override
  public List<RequestViolation> check(ModelRef model, String body) {
    return prover.check(name, model, body).violations();
  }

  @Override
  public String wireName(String tool) {
    return names.apply(tool);
  }
}
