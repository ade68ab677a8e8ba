package dev.contexture.mcp;

/** The refusal of a message, which becomes an error of JSON-RPC. */
final class RpcException extends RuntimeException {
  static final int INVALID_MESSAGE = -32600;
  static final int NO_METHOD = -32601;
  static final int INVALID_PARAMS = -32602;
  static final int INTERNAL = -32603;
  static final int NO_RESOURCE = -32002;

  private static final long serialVersionUID = 1;

  private final int code;

  RpcException(int code, String message) {
    super(message, null, false, false); // an answer, no failure
    this.code = code;
  }

  int code() {
    return code;
  }
}
