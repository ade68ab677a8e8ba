package dev.contexture.provider.wire.answer;

import dev.contexture.json.JsonObject;
import dev.contexture.model.AnswerException;
import dev.contexture.model.AnswerStream;
import dev.contexture.model.Cut;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.WireFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The base of the answer streams of all formats: events, their end, and errors in between. */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract class EventAnswerStream implements AnswerStream {
  protected final AnswerJson json;
  protected final ModelRef model;
  protected final List<WireFinding> findings = new ArrayList<>();
  private final EventParser parser;
  private boolean ended;
  private boolean closed;
  private @Nullable Cut cut;

  protected EventAnswerStream(ModelRef model) {
    this.model = model;
    this.json = new AnswerJson(model.provider());
    this.parser = new EventParser(json);
  }

  /** Takes the data of one event. */
  protected abstract void data(String text);

  /** The reply so far; complete if there is no cut. */
  protected abstract ModelAnswer reply(@Nullable Cut how);

  /** Whether the answer is complete though more of it may come; formats that name an end say no. */
  protected boolean whole() {
    return false;
  }

  @Override
  public final void accept(byte[] bytes, int offset, int length) {
    requireOpen();
    try {
      parser.accept(bytes, offset, length, this::event);
    } catch (AnswerException failure) {
      closed = true;
      throw soFar(failure).map(failure::withPartial).orElse(failure);
    }
  }

  @Override
  public final boolean ended() {
    return ended || whole();
  }

  @Override
  public final ModelAnswer end() {
    requireOpen();
    closed = true;
    if (!ended) {
      lastEvent();
    }
    return reply(ended() ? cut : Cut.DISCONNECTED);
  }

  /** The format's own end has come. */
  protected final void finish() {
    ended = true;
  }

  /** The provider reported an error: nothing after it counts. */
  protected final void fail(JsonObject error) {
    cut = Cut.error(ErrorBody.code(error), ErrorBody.message(error));
    ended = true;
  }

  protected final void finding(String code, String pointer, String message) {
    WireFinding finding = new WireFinding(code, pointer, message);
    if (!findings.contains(finding)) {
      findings.add(finding);
    }
  }

  private void event(String text) {
    if (!ended) {
      data(text);
    }
  }

  /** An event without its closing empty line counts if all of it came. */
  private void lastEvent() {
    try {
      parser.rest().ifPresent(this::event);
    } catch (AnswerException incomplete) {
      finding("event_incomplete", "", "the stream ended inside an event");
    }
  }

  private Optional<ModelAnswer> soFar(AnswerException failure) {
    try {
      return Optional.of(reply(Cut.error(failure.code().wireName(), failure.getMessage())));
    } catch (AnswerException unreadable) {
      return Optional.empty();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this stream has ended; open another one");
    }
  }
}
