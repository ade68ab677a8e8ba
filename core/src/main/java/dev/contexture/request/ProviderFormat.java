package dev.contexture.request;

import dev.contexture.model.AnswerStream;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.RequestViolation;
import dev.contexture.render.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** One wire format, both ways. Thread-safe, pure: no input or output, no clock. */
@API(status = API.Status.STABLE, since = "0.1")
public interface ProviderFormat {
  /** The catalogue's name for it. */
  String name();

  /**
   * Reads a whole answer.
   *
   * @param answer the body of the response
   * @param model whom the request was for
   * @throws dev.contexture.model.AnswerException if it is no answer, too large, or an error
   */
  ModelAnswer readAnswer(byte[] answer, ModelRef model);

  /** Reads a whole answer. */
  default ModelAnswer readAnswer(String answer, ModelRef model) {
    return readAnswer(answer.getBytes(StandardCharsets.UTF_8), model);
  }

  /** Starts to read a streamed answer. */
  AnswerStream openStream(ModelRef model);

  /** Writes one request. Who writes many of one conversation asks for a {@link #writer}. */
  default ProviderRequest write(RequestInput input) {
    return writer().write(input);
  }

  /** A writer that keeps the bytes of its last request, for the next one of the conversation. */
  RequestWriter writer();

  /**
   * Finds the rules of the provider that a body breaks, whoever made it.
   *
   * @throws dev.contexture.error.ContextureException {@code malformed_json} or {@code
   *     invalid_argument} if it is no body of this format at all
   */
  default List<RequestViolation> check(ModelRef model, String body) {
    return check(model, body, RequestParams.NONE);
  }

  /**
   * The same for a version of the provider's interface and a shape of its bodies.
   *
   * @param params whose version and shape count; what else they ask does not
   * @throws dev.contexture.error.ContextureException as {@link #check(ModelRef, String)}, and
   *     {@code invalid_argument} for a version that is not known
   */
  List<RequestViolation> check(ModelRef model, String body, RequestParams params);

  /**
   * Refuses what cannot be asked, before anything is written.
   *
   * @param asked model, output limit, tools, choice and parameters; its messages do not count
   * @throws dev.contexture.error.ContextureException {@code param_owned} for what is not the
   *     caller's, {@code param_rejected} for what the model or the version of the interface does
   *     not take
   */
  default void checkParams(RequestInput asked) {}

  /**
   * A tool's name as this format sends it: the name itself, or an alias where the format does not
   * allow it. It depends on the name alone.
   */
  String wireName(String tool);

  /**
   * The messages as a model takes them, whoever serves it.
   *
   * @return empty if it takes them as they are
   */
  default Optional<FittedMessages> fit(ModelRef model, List<Message> messages) {
    return Optional.empty();
  }
}
