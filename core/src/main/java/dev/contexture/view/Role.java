package dev.contexture.view;

import org.apiguardian.api.API;

/** Who speaks a message. Tool results are spoken by the user. */
@API(status = API.Status.STABLE, since = "0.1")
public enum Role {
  USER("user"),
  ASSISTANT("assistant");

  private final String wireName;

  Role(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }
}
