package dev.contexture.request;

import dev.contexture.block.CallId;
import dev.contexture.json.JsonObject;
import dev.contexture.json.JsonString;
import dev.contexture.json.JsonText;
import dev.contexture.model.ModelAnswer;
import dev.contexture.model.ModelRef;
import dev.contexture.model.ReplyCall;
import dev.contexture.model.ReplyOpaque;
import dev.contexture.model.ReplyText;
import dev.contexture.model.Stop;
import dev.contexture.view.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * A reply as the parts of the assistant's message, in the order of the wire, verbatim forms right
 * before what they stand for. A reply that was cut, and a refusal, give texts alone.
 *
 * @param asked the model that was asked; it reads its own opaque parts whatever name it answered
 *     under
 * @param tools from names on the wire to tools, as in {@link ProviderRequest#toolOf}
 * @param ids the engine's id for a call
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReplyParts(
    ModelRef asked, UnaryOperator<String> tools, Function<ReplyCall, CallId> ids) {
  /** The member that holds arguments which are no JSON object. */
  public static final String RAW_ARGUMENTS = "_raw";

  /** Ids made from those of the provider. */
  public static ReplyParts of(ModelRef asked, UnaryOperator<String> tools) {
    return new ReplyParts(asked, tools, call -> CallId.of(call.providerId().orElse("none")));
  }

  public List<Part> parts(ModelAnswer reply) {
    boolean textsAlone = reply.cut().isPresent() || reply.stop() == Stop.REFUSAL;
    Map<Integer, List<Part>> byOrder = new TreeMap<>();
    for (ReplyText text : reply.texts()) {
      add(byOrder, text.order(), new Part.Text(withoutLineBreaks(text.text())));
    }
    if (!textsAlone) {
      for (ReplyCall call : reply.calls()) {
        add(byOrder, call.order(), part(call));
      }
      for (ReplyOpaque opaque : reply.opaque()) {
        boolean verbatim = byOrder.containsKey(opaque.order());
        byOrder
            .computeIfAbsent(opaque.order(), order -> new ArrayList<>())
            .addFirst(part(opaque, verbatim));
      }
    }
    return byOrder.values().stream().flatMap(List::stream).toList();
  }

  /**
   * The arguments of a call as they are stored: a JSON object as spelled, without white space
   * around it; {@code {}} for none; anything else as the text it is.
   */
  public static String arguments(String received) {
    String bare = received.strip();
    if (bare.isEmpty()) {
      return "{}";
    }
    return JsonText.isObject(bare)
        ? bare
        : JsonObject.of(RAW_ARGUMENTS, new JsonString(received)).toJson();
  }

  private Part part(ReplyCall call) {
    return new Part.ToolCall(
        ids.apply(call),
        call.providerId().orElse(null),
        tools.apply(call.tool()),
        arguments(call.arguments()));
  }

  private Part part(ReplyOpaque opaque, boolean verbatim) {
    return new Part.Opaque(asked.provider(), asked.model(), opaque.kind(), opaque.json(), verbatim);
  }

  private static void add(Map<Integer, List<Part>> byOrder, int order, Part part) {
    byOrder.computeIfAbsent(order, unused -> new ArrayList<>()).add(part);
  }

  /** Texts carry no line break at their end. */
  private static String withoutLineBreaks(String text) {
    int end = text.length();
    while (end > 0 && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
      end--;
    }
    return text.substring(0, end);
  }
}
