package dev.contexture.provider.wire;

import dev.contexture.json.JsonObject;
import dev.contexture.model.ModelFlag;
import dev.contexture.model.ModelProfile;
import dev.contexture.model.ModelProfiles;
import dev.contexture.model.ModelRef;
import dev.contexture.model.Repair;
import dev.contexture.model.RequestRule;
import dev.contexture.provider.history.ForeignHistoryReader;
import dev.contexture.provider.wire.answer.AnswerReader;
import dev.contexture.render.Message;
import dev.contexture.request.Endpoint;
import dev.contexture.request.FittedMessages;
import dev.contexture.request.RequestBlock;
import dev.contexture.request.RequestInput;
import dev.contexture.view.Part;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A provider's wire format: everything that is known of it, behind one type. A format is stateless
 * and pure.
 *
 * <p>What must be given: its names, how a body is written and taken apart, how answers are read.
 * Everything else says where the format leaves the usual path: roles in any order, results as
 * messages of their own, ids of letters and digits, no cache marks.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface WireFormat {
  /** The catalogue's name for it, as it stands in {@code apis}. */
  String name();

  /** The name by which callers ask for it. */
  default String wireName() {
    return provider();
  }

  /** The catalogue's section with the models that it serves. */
  String provider();

  /** The body of one request, to be written. */
  BodyWriter writer(RequestInput input, ModelProfiles profiles, EncodingCache before);

  /** Takes the bodies of one conversation apart. */
  BodyParser parser();

  /** Reads answers. */
  AnswerReader reader();

  /** Reads lists of messages that other programs made; empty: they are not read. */
  default Optional<ForeignHistoryReader> history() {
    return Optional.empty();
  }

  /** The messages as a model takes them, in whatever format it is served; empty: as they are. */
  default Optional<FittedMessages> fit(ModelRef model, List<Message> messages) {
    return Optional.empty();
  }

  // What a body is

  /** The member that holds the conversation. */
  default String messages() {
    return "messages";
  }

  /** The members that stand before the messages. */
  default List<String> head() {
    return List.of("tools");
  }

  /** Where a body says how long an answer may be; dots lead inside. */
  default List<String> outputTokens() {
    return List.of("max_tokens");
  }

  /** A parameter of the catalogue as this format spells it. */
  default String parameter(String path) {
    return path;
  }

  /** The names that it takes for tools. */
  default ToolNames toolNames() {
    return ToolNames.COMMON;
  }

  /** Its word for who speaks. */
  default String roleName(BodyMessage.Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  /** Whether a body goes on from what the provider holds, so that its beginning is elsewhere. */
  default boolean beginsElsewhere(JsonObject settings) {
    return false;
  }

  // What is asked beside the conversation

  /** The versions of its interface, the newest first; none: it has no such thing. */
  default List<String> apiVersions() {
    return List.of();
  }

  /** Where a body goes, beside the host. */
  default Endpoint endpoint(RequestInput input) {
    return Endpoint.UNKNOWN;
  }

  /**
   * Thinking, effort and the form of the answer as members of the body.
   *
   * @throws dev.contexture.error.ContextureException {@code param_rejected} for what has no place
   */
  default JsonObject asked(RequestInput input) {
    return JsonObject.EMPTY;
  }

  /** The tool choice of a body, if it leaves the model no choice but to call something. */
  default Optional<ForcedCall> forced(JsonObject settings) {
    return Optional.empty();
  }

  /** The types of parameters that it knows; dots lead inside. */
  default Map<String, ParamType> paramTypes() {
    return Map.of();
  }

  /** What it demands of the schema of an answer that it enforces. */
  default StrictSchema.Demand schemaDemand() {
    return StrictSchema.Demand.NONE;
  }

  /** Where a body has such a schema; dots lead inside. */
  default Optional<String> enforcedSchema(JsonObject settings) {
    return Optional.empty();
  }

  /** Parameters that its caches depend on, and the first blocks that do; dots lead inside. */
  default Map<String, RequestBlock.Tier> cacheSettings() {
    return Map.of();
  }

  /** Whether others speak it, so that there is a shape that all take. */
  default boolean takesCompat() {
    return false;
  }

  /** Whether a body names its model. */
  default boolean namesModel() {
    return false;
  }

  /** Whether a body must say how long an answer may be. */
  default boolean needsOutputTokens() {
    return false;
  }

  // What its provider takes

  /** Whether roles must take turns, and the results of a group share a message. */
  default boolean alternates() {
    return false;
  }

  /** Whether the conversation may begin with this message, where roles take turns. */
  default boolean mayBegin(BodyMessage message) {
    return message.is(BodyMessage.Role.USER);
  }

  /** The rule that a message breaks which follows another one of its role. */
  default RequestRule adjacent(BodyMessage message) {
    return RequestRule.V03;
  }

  /** Whether results stand before everything else of their message. */
  default boolean resultsFirst() {
    return false;
  }

  /** Whether calls and results may pair by their order: then ids may have any form. */
  default boolean pairsByOrder() {
    return false;
  }

  /** Whether it has a place for an opaque part that the model reads. */
  default boolean takes(Part.Opaque opaque, ModelProfile profile) {
    return true;
  }

  /** Its cache marks. */
  default Marks marks() {
    return Marks.NONE;
  }

  /** Whether a part of a message may be marked. */
  default boolean takesMark(BodyMessage message, BodyPart part) {
    return !message.is(BodyMessage.Role.ASSISTANT);
  }

  /** The treatment of cache marks by a format. */
  enum Marks {
    /** There are none. */
    NONE,
    /** One too many, or on a wrong block, has no effect. */
    HINTS,
    /** They are the only way to a cache, and a wrong one is refused. */
    STRICT
  }

  /** Whether a picture or a document may stand in a message, or in a result there. */
  default boolean takesMedia(
      BodyMessage message, BodyPart media, boolean inResult, ModelProfile profile) {
    return inResult || message.is(BodyMessage.Role.USER);
  }

  /** Whether media of a type that is neither picture, PDF nor text are known. */
  default boolean takesMediaType(String mime) {
    return true;
  }

  /** Whether a request may end with the assistant, so that the model goes on from there. */
  default boolean takesPrefill(ModelProfile profile) {
    return false;
  }

  /** Whether the model goes on from this message of its own: it waits for the provider's tool. */
  default boolean goesOn(BodyMessage last) {
    return false;
  }

  /** The kinds of opaque parts that are a model's thinking. */
  default Set<String> thinking() {
    return Set.of();
  }

  /** Whether thinking is sent only together with what it led to. */
  default boolean thinkingNeedsMore() {
    return false;
  }

  /** The flag of models whose thinking depends on all that stands before it. */
  default ModelFlag preservedThinking() {
    return ModelFlag.PRESERVED_THINKING;
  }

  /** Finds the rules of this format alone that a body breaks, in what stands before messages. */
  default void checkHead(BodyView body, ModelProfile profile, Findings findings) {}

  /** Finds the rules of this format alone that messages break. */
  default void check(BodyView body, ModelProfile profile, ProofFacts facts, Findings findings) {}

  /** Whether such a rule is about the current turn, so that it may be another one later. */
  default boolean judgesCurrentTurn() {
    return false;
  }

  /** Repairs what breaks a rule of this format alone, in messages that break it. */
  default List<Message> repaired(
      List<Message> messages, ModelProfile profile, RequestRule broken, List<Repair> repairs) {
    return messages;
  }
}
