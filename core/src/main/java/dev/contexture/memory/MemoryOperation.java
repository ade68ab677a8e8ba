package dev.contexture.memory;

import dev.contexture.memory.permission.OperationClass;
import org.apiguardian.api.API;

/**
 * Every operation that writes a document, with its class. A write names one of these to the gate;
 * there is no other way to write.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum MemoryOperation {
  APPEND("append", OperationClass.APPEND),
  APPEND_TEXT("appendText", OperationClass.APPEND),
  PUSH_ITEM("pushItem", OperationClass.APPEND),
  APPEND_LOG_ENTRY("appendLogEntry", OperationClass.APPEND),
  APPEND_TO_LIST_FIELD("appendToListField", OperationClass.APPEND),
  /** Append at the end of the list without a base, else overwrite. */
  INSERT_ITEM("insertItem", OperationClass.OVERWRITE),
  SET_TEXT("setText", OperationClass.OVERWRITE),
  REPLACE_TEXT("replaceText", OperationClass.OVERWRITE),
  SPLICE("splice", OperationClass.OVERWRITE),
  EDIT_TEXT("editText", OperationClass.OVERWRITE),
  SET_ITEM("setItem", OperationClass.OVERWRITE),
  DELETE_ITEM("deleteItem", OperationClass.OVERWRITE),
  SET_FIELD("setField", OperationClass.OVERWRITE),
  SET_TEXT_FIELD("setTextField", OperationClass.OVERWRITE),
  REMOVE_FIELD("removeField", OperationClass.OVERWRITE),
  REMOVE_FROM_LIST_FIELD("removeFromListField", OperationClass.OVERWRITE),
  INCREMENT_COUNTER("incrementCounter", OperationClass.OVERWRITE),
  SET_TEXT_IN_SECTION("setTextInSection", OperationClass.OVERWRITE),
  SET_FIELD_IN_SECTION("setFieldInSection", OperationClass.OVERWRITE),
  IMPORT_JSON("importJson", OperationClass.OVERWRITE),
  APPLY_UPDATES("applyUpdates", OperationClass.OVERWRITE),
  /** Of the store: goes back before the newest step in effect. */
  UNDO("undo", OperationClass.OVERWRITE),
  /** Of the store: reverts the newest undo. */
  REDO("redo", OperationClass.OVERWRITE),
  /** Of the store: deletes the block. */
  DELETE("delete", OperationClass.DELETE);

  private final String operationName;
  private final OperationClass operationClass;

  MemoryOperation(String operationName, OperationClass operationClass) {
    this.operationName = operationName;
    this.operationClass = operationClass;
  }

  /** The name of the method, as messages and histories show it. */
  public String operationName() {
    return operationName;
  }

  /** What the gate takes it for; {@link #INSERT_ITEM} may be less. */
  public OperationClass operationClass() {
    return operationClass;
  }
}
