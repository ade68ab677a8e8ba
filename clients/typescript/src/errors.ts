import type { Problem } from "./types.js";

/** A refusal of the server, which changed nothing; code is stable and can be relied on. */
export class ContextureError extends Error {
  override readonly name = "ContextureError";
  /** The stable code; empty if somebody else than the server answered. */
  readonly code: string;

  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
  ) {
    super(`${problem.code}: ${problem.detail}`);
    this.code = problem.code ?? "";
  }
}

/**
 * No answer came for as long as the client is patient. `unknown` says that the server may have done
 * what it was asked: the call has no id by which a repeat would be known, so that it was not sent again.
 */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(
    message: string,
    readonly unknown: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
