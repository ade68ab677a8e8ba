package dev.contexture.view;

import org.apiguardian.api.API;

/** The role that speaks a message. Tool results are spoken by the user. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum MessageRole {
  USER("user"),
  ASSISTANT("assistant");

  private final String wireName;

  MessageRole(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }
}
