package dev.contexture.model;

import java.util.Arrays;
import java.util.Optional;
import org.apiguardian.api.API;

/** A capability or a demand of a model. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ModelFlag {
  /** Thinking is bound to the exact history before it. */
  PRESERVED_THINKING("preservedThinking"),
  /** Reasoning items are bound to the exact history before them. */
  PRESERVED_REASONING("preservedReasoning"),
  /** Thinking can be read under the account that made it only. */
  ACCOUNT_BOUND_THINKING("accountBoundThinking"),
  /** Thinking of earlier turns is taken out by the provider. */
  STRIPS_PRIOR_THINKING("stripsPriorThinking"),
  /** System messages may stand between the others. */
  MID_CONVERSATION_SYSTEM("midConversationSystem"),
  /** Tools may come and go between messages. */
  MID_CONVERSATION_TOOLS("midConversationTools"),
  /** A system message may end with the next user message. */
  TURN_SCOPED_SYSTEM("turnScopedSystem"),
  /** The last message may be the assistant's. */
  ASSISTANT_PREFILL("assistantPrefill"),
  /** Parts carry signatures that must come back with them. */
  THOUGHT_SIGNATURES("thoughtSignatures"),
  /** Calls have ids. */
  FUNCTION_CALL_IDS("functionCallIds"),
  /** Results may hold media. */
  FUNCTION_RESPONSE_MEDIA("functionResponseMedia"),
  /** Reasoning is a member of the assistant's message and is sent back. */
  REASONING_CONTENT("reasoningContent"),
  /** The first message has the role system instead of developer. */
  LEGACY_SYSTEM_ROLE("legacySystemRole"),
  /** It is served by a compatible server, which speaks the older shape of chat completions. */
  COMPAT("compat"),
  /** Caches may be kept for longer. */
  EXTENDED_RETENTION("extendedRetention"),
  /** Caches may be created apart from requests. */
  EXPLICIT_CACHE("explicitCache"),
  /** On Chat Completions tools need the effort none. */
  CHAT_TOOLS_NEED_NO_EFFORT("chatToolsNeedNoEffort"),
  /** Pictures are understood. */
  IMAGES("images"),
  /** Documents are understood. */
  DOCUMENTS("documents");

  private final String wireName;

  ModelFlag(String wireName) {
    this.wireName = wireName;
  }

  /** The name in the catalogue. */
  public String wireName() {
    return wireName;
  }

  /** The flag that the catalogue calls so. */
  public static Optional<ModelFlag> named(String name) {
    return Arrays.stream(values()).filter(flag -> flag.wireName.equals(name)).findFirst();
  }
}
