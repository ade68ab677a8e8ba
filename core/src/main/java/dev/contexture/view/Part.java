package dev.contexture.view;

import dev.contexture.block.Binary;
import dev.contexture.block.CallId;
import dev.contexture.json.SendableText;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The least that a message is made of, in a form that no provider owns. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Part {
  /** What the user says where a provider wants the user to speak: the only filler there is. */
  Part FILLER = new Text("[conversation continues]");

  /** Plain text. */
  record Text(String text) implements Part {
    public Text {
      text = SendableText.of(text);
    }
  }

  /** A picture: PNG, JPEG, GIF or WebP. */
  record Image(String mediaType, Binary data) implements Part {}

  /** A PDF. */
  record Document(String mediaType, Binary data) implements Part {}

  /**
   * A call that the model made.
   *
   * @param id the engine's id
   * @param providerCallId the provider's own id, as received
   * @param name the tool
   * @param arguments the arguments as JSON text, as received but for what cannot be sent
   */
  record ToolCall(CallId id, @Nullable String providerCallId, String name, String arguments)
      implements Part {
    public ToolCall {
      arguments = SendableText.ofJson(arguments);
    }

    public Optional<String> providerId() {
      return Optional.ofNullable(providerCallId);
    }
  }

  /**
   * The answer to a call.
   *
   * @param id the engine's id of the call
   * @param providerCallId the provider's own id of the call, as received
   * @param isError whether the tool said that it failed
   * @param content texts, images and documents; may be empty
   */
  record ToolResult(CallId id, @Nullable String providerCallId, boolean isError, List<Part> content)
      implements Part {
    public ToolResult {
      content = List.copyOf(content);
    }

    public Optional<String> providerId() {
      return Optional.ofNullable(providerCallId);
    }
  }

  /**
   * Content that only its maker can read, such as thinking with its signature; kept byte for byte.
   *
   * @param provider who made it
   * @param model the model that made it
   * @param kind the provider's name for it
   * @param raw its JSON text as received, but for halves of surrogate pairs
   * @param verbatim whether it is the verbatim form of the part right after it, a text or a call:
   *     its maker gets this one, everybody else the other
   * @param reply names the answer that it was part of; empty if nobody knows
   * @param order its place in that answer
   */
  record Opaque(
      String provider,
      String model,
      String kind,
      String raw,
      boolean verbatim,
      String reply,
      int order)
      implements Part {
    public Opaque {
      raw = SendableText.paired(raw);
    }

    /** A part that stands for itself. */
    public Opaque(String provider, String model, String kind, String raw) {
      this(provider, model, kind, raw, false);
    }

    /** A part of an answer that is not known. */
    public Opaque(String provider, String model, String kind, String raw, boolean verbatim) {
      this(provider, model, kind, raw, verbatim, "", 0);
    }
  }
}
