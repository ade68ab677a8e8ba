package dev.contexture.memory.permission;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.apiguardian.api.API;

/** The caller of an operation on memory. Closed. Printed as {@code system}, {@code agent:ID}, … */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Actor {
  /** The engine and its host; every gate lets it pass. */
  static Actor system() {
    return System.INSTANCE;
  }

  static Actor agent(String id) {
    return new Agent(id);
  }

  static Actor human(String id) {
    return new Human(id);
  }

  /**
   * The actor that {@link Object#toString} printed.
   *
   * @throws ContextureException {@code invalid_argument} if the text is none
   */
  static Actor parse(String text) {
    if (text.equals("system")) {
      return system();
    }
    if (text.startsWith("agent:")) {
      return new Agent(text.substring("agent:".length()));
    }
    if (text.startsWith("human:")) {
      return new Human(text.substring("human:".length()));
    }
    throw ContextureException.invalid(
        ErrorCode.INVALID_ARGUMENT, "actor", text, "system, agent:ID or human:ID");
  }

  /** How a log entry names the actor: {@code system}, or the id of the agent or human. */
  String id();

  default boolean isSystem() {
    return this instanceof System;
  }

  /** The engine itself or its host. */
  @SuppressWarnings("JavaLangClash") // the name of the requirement
  record System() implements Actor {
    private static final System INSTANCE = new System();

    @Override
    public String id() {
      return "system";
    }

    @Override
    public String toString() {
      return "system";
    }
  }

  /** An agent, bound by the permission of each block. */
  record Agent(String id) implements Actor {
    public Agent {
      MemoryNames.checkId("agent", id);
    }

    @Override
    public String toString() {
      return "agent:" + id;
    }
  }

  /** A person at an interface. */
  record Human(String id) implements Actor {
    public Human {
      MemoryNames.checkId("human", id);
    }

    @Override
    public String toString() {
      return "human:" + id;
    }
  }
}
