// Contexture, the context engine for LLM agents, from TypeScript and JavaScript.

import { AgentOperations, ConversationOperations, ProjectOperations } from "./operations.js";
import type { CallOptions, Retry } from "./transport.js";
import type { Reply } from "./types.js";

export { ContextureError, NoAnswer } from "./errors.js";
export { exact, RawJson, type JsonObject } from "./json.js";
export type { CallOptions, Retry, ServerEvent } from "./transport.js";
export type * from "./types.js";

/** How to reach a server. */
export interface ContextureOptions {
  /** A key of the server, if it has keys. */
  key?: string;
  /** The tenant, where the key does not say it. */
  tenant?: string;
  /** The project, where the key does not say it. */
  project?: string;
  /** Milliseconds after which an answer counts as lost. */
  timeout?: number;
  /** Milliseconds for which a call is sent again. */
  patience?: number;
  /** Is told before a call is sent again. */
  onRetry?: (retry: Retry) => void;
}

/** A server of Contexture. */
export class Contexture extends ProjectOperations {
  /**
   * @param url by default CONTEXTURE_URL of the environment, else http://127.0.0.1:8321
   */
  constructor(url?: string, options: ContextureOptions = {}) {
    const address = url || process.env["CONTEXTURE_URL"] || "http://127.0.0.1:8321";
    const headers: Record<string, string> = {};
    if (options.key !== undefined) {
      headers["Authorization"] = `Bearer ${options.key}`;
    }
    if (options.tenant !== undefined) {
      headers["X-Tenant"] = options.tenant;
    }
    if (options.project !== undefined) {
      headers["X-Project"] = options.project;
    }
    super({
      url: new URL(address).href.replace(/\/+$/, ""),
      headers,
      timeout: options.timeout ?? 130_000,
      patience: options.patience ?? 60_000,
      onRetry: options.onRetry,
    });
  }

  /** A conversation of a user; it exists from its first turn. */
  conversation(user: string, conversation: string): Conversation {
    const base = `/v1/users/${encodeURIComponent(user)}/conversations/${encodeURIComponent(conversation)}`;
    return new Conversation(this.settings, base);
  }

  /** An agent and its memory; it exists from its first use. */
  agent(agent: string): Agent {
    return new Agent(this.settings, `/v1/agents/${encodeURIComponent(agent)}`);
  }
}

/** One conversation. */
export class Conversation extends ConversationOperations {
  /**
   * Records the provider's own stream as it comes. With a request_id it is sent again, from its
   * beginning, after a lost connection.
   */
  recordStream(
    chunks: AsyncIterable<Uint8Array>,
    from: { provider: string; model: string; request_id?: string },
    options: CallOptions = {},
  ): Promise<Reply> {
    const operation = {
      id: "recordResponse",
      method: "POST",
      path: "/responses",
      repeat: { safe: true, id: "request_id" },
    };
    return this.streamed(operation, from, chunks, options);
  }
}

/** One agent and its memory. */
export class Agent extends AgentOperations {}
