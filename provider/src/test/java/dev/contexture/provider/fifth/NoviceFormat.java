package dev.contexture.provider.fifth;

import dev.contexture.model.ModelProfiles;
import dev.contexture.provider.wire.BodyParser;
import dev.contexture.provider.wire.BodyWriter;
import dev.contexture.provider.wire.EncodingCache;
import dev.contexture.provider.wire.WireFormat;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.request.RequestInput;
import java.util.List;

/** A provider that does not exist, with words of its own for everything. */
final class NoviceFormat implements WireFormat {
  @Override
  public String name() {
    return "novice-talk";
  }

  @Override
  public String provider() {
    return "novice";
  }

  @Override
  public BodyWriter writer(RequestInput input, ModelProfiles profiles, EncodingCache before) {
    return new NoviceWriter(this, input, profiles, before);
  }

  @Override
  public BodyParser parser() {
    return new NoviceParser(this);
  }

  @Override
  public AnswerReader reader() {
    return new NoviceReader();
  }

  @Override
  public String messages() {
    return "talk";
  }

  @Override
  public List<String> outputTokens() {
    return List.of("most");
  }

  @Override
  public boolean alternates() {
    return true;
  }
}
