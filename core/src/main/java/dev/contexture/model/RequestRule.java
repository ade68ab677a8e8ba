package dev.contexture.model;

import org.apiguardian.api.API;

/** A rule that a request must keep to (the table of P-13). Codes are never reused or renamed. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum RequestRule {
  /** There is something to send. */
  V01("messages_empty"),
  /** The first message is the user's. */
  V02("first_not_user"),
  /** Roles take turns. */
  V03("role_run"),
  /** Nothing is empty. */
  V04("content_empty"),
  /** The assistant does not have the last word. */
  V05("assistant_last"),
  /** A result answers a call. */
  V06("result_orphan"),
  /** A call is answered. */
  V07("call_unanswered"),
  /** A result follows its call. */
  V08("result_late"),
  /** Results come before everything else of their message. */
  V09("result_not_first"),
  /** An id belongs to one call and one result. */
  V10("call_id_duplicate"),
  /** An id has a form that the provider takes. */
  V11("call_id_shape"),
  /** The results of calls made together stay together. */
  V12("group_split"),
  /** Thinking stands where it stood. */
  V13("thinking_order"),
  /** Thinking is as it was received. */
  V14("thinking_altered"),
  /** Thinking goes to a model that reads it. */
  V15("thinking_foreign"),
  /** What stands before thinking has not changed. */
  V16("thinking_prefix"),
  /** Reasoning and what it led to go together. */
  V17("reasoning_pair"),
  /** The first call of a step carries its signature. */
  V18("signature_missing"),
  /** A call follows what the user said. */
  V19("call_place"),
  /** There are not more marks than the provider takes. */
  V20("marks_excess"),
  /** A mark is on a block that can carry one. */
  V21("mark_place"),
  /** Lives of caches do not grow along the request. */
  V22("ttl_order"),
  /** A history with calls comes with tools. */
  V23("tools_missing"),
  /** Tool names have a form that the provider takes. */
  V24("tool_name_shape"),
  /** A note of the system stands where it may. */
  V25("note_place"),
  /** Media are of a kind and in a place that the provider takes. */
  V26("media_place"),
  /** The request and its answer fit into the window. */
  V27("window"),
  /** Parameters are allowed and do not exclude one another. */
  V28("param_conflict"),
  /** What stands before all messages stays the same. */
  V29("volatile_prefix"),
  /** A turn with calls carries the reasoning that led to them. */
  V30("reasoning_content"),
  /** Text holds no half of a surrogate pair. */
  V31("text_unpaired"),
  /** Nothing is there that the version of the interface refuses. */
  V32("api_version"),
  /** The schema of a tool is one of an object. */
  V33("tool_schema"),
  /** The answer may have at least one token. */
  V34("output_limit"),
  /** The model has a name. */
  V35("model_missing"),
  /** A call is demanded only of a tool that is offered. */
  V36("tool_choice"),
  /** The budget for thinking leaves room for the answer. */
  V37("thinking_budget"),
  /** The model is served in this format. */
  V38("model_foreign"),
  /** The schema of an answer has the form that the provider enforces. */
  V39("output_schema"),
  /** Tools are of this provider, in its form. */
  V40("tool_foreign"),
  /** Parameters are of the type that they must have. */
  V41("param_type"),
  /** A call of a tool that the provider runs goes with its result. */
  V42("server_tool_pair");

  private final String wireName;

  RequestRule(String wireName) {
    this.wireName = wireName;
  }

  /** What breaking it is called. */
  public String wireName() {
    return wireName;
  }
}
