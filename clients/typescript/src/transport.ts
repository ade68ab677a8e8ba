// How calls travel: ids that make a repeat be done once, retries, and streams.

import { ContextureError, NoAnswer } from "./errors.js";
import { dump, parse, type JsonObject } from "./json.js";

const JSON_TYPE = "application/json";
const STREAM = "text/event-stream";
const INTERNAL_TRIES = 3;
const LONGEST_PAUSE = 2000;
// What fetch says when nothing was sent.
const UNSENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

/** An operation of the API; safe: it may be sent again after a lost answer, if the body has the id. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  repeat: { safe: boolean; id?: string; made?: boolean };
}

/** An event of a stream; the id is where to go on. */
export interface ServerEvent {
  type: string;
  data: JsonObject;
  id: number | undefined;
}

/** What is told before a call is sent again. */
export interface Retry {
  operation: string;
  attempt: number;
  pause: number;
  reason: string;
}

/** What holds for one call. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** Where the server is, and how patient to be; times are in milliseconds. */
export interface Settings {
  url: string;
  headers: Record<string, string>;
  timeout: number;
  patience: number;
  onRetry: ((retry: Retry) => void) | undefined;
}

type Names = Record<string, string>;
type Query = Record<string, string | number | boolean | undefined>;
type Headers = Record<string, string | undefined>;
type Body = string | ReadableStream<Uint8Array> | undefined;

/** Says how long to wait before the next attempt, until there is no time left. */
class Patience {
  attempt = 0;
  private readonly until: number;

  constructor(
    private readonly settings: Settings,
    private readonly operation: string,
  ) {
    this.until = performance.now() + settings.patience;
  }

  /** Waits, and says whether to try again. */
  async wait(reason: string, signal: AbortSignal | undefined, asked?: number): Promise<boolean> {
    this.attempt++;
    const grown = Math.min(LONGEST_PAUSE, 50 * 2 ** this.attempt) * (0.5 + Math.random() / 2);
    const pause = asked ?? grown;
    if (performance.now() + pause > this.until) {
      return false;
    }
    this.settings.onRetry?.({ operation: this.operation, attempt: this.attempt, pause, reason });
    await new Promise((resolve) => setTimeout(resolve, pause));
    signal?.throwIfAborted();
    return true;
  }
}

/** Sends the calls of the generated classes. */
export class Sender {
  constructor(
    protected readonly settings: Settings,
    protected readonly base = "",
  ) {}

  /** Sends a call, again where that is safe, and returns what the server answered. */
  protected async call(
    operation: Operation,
    names: Names,
    query: Query,
    headers: Headers,
    body: unknown,
    options: CallOptions,
  ): Promise<any> {
    const [known, safe] = withId(operation, body);
    const target = this.base + targetOf(operation.path, names, query);
    const text = known === undefined ? undefined : dump(known);
    const media: Headers = text === undefined ? {} : { "Content-Type": JSON_TYPE };
    return this.sent(operation, target, { ...media, ...headers }, safe, () => text, options);
  }

  /** Sends a stream as it comes; if the connection breaks, all of it is sent again. */
  protected async streamed(
    operation: Operation,
    query: Query,
    chunks: AsyncIterable<Uint8Array>,
    options: CallOptions,
  ): Promise<any> {
    const kept = new Kept(chunks);
    const target = this.base + targetOf(operation.path, {}, query);
    const safe = operation.repeat.safe && query[operation.repeat.id ?? ""] !== undefined;
    return this.sent(operation, target, { "Content-Type": STREAM }, safe, () => kept.all(), options);
  }

  private async sent(
    operation: Operation,
    target: string,
    headers: Headers,
    safe: boolean,
    body: () => Body,
    options: CallOptions,
  ): Promise<unknown> {
    const patience = new Patience(this.settings, operation.id);
    for (let internal = 0; ; ) {
      let refused: ContextureError;
      let after: number | undefined;
      try {
        const answer = await this.fetched(operation.method, target, headers, body(), options.signal);
        const text = await answer.text();
        if (answer.status < 400) {
          return valueOf(answer, text);
        }
        refused = refusal(answer, text);
        after = secondsOf(answer.headers.get("Retry-After"));
      } catch (lost) {
        options.signal?.throwIfAborted();
        const unsent = isUnsent(lost);
        if (!isLost(lost)) {
          throw lost; // the caller's own stream failed
        }
        if ((unsent || safe) && (await patience.wait(reasonOf(lost), options.signal))) {
          continue;
        }
        throw noAnswer(operation, unsent, safe, lost);
      }
      internal += refused.status === 500 ? 1 : 0;
      if (!again(refused, safe, internal) || !(await patience.wait(refused.code, options.signal, after))) {
        throw refused;
      }
    }
  }

  private fetched(
    method: string,
    target: string,
    headers: Headers,
    body: Body,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const limit = AbortSignal.timeout(this.settings.timeout);
    const init: RequestInit & { duplex?: "half" } = {
      method,
      headers: { ...this.settings.headers, ...given(headers) },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    };
    if (body !== undefined) {
      init.body = body;
      init.duplex = "half";
    }
    return fetch(this.settings.url + target, init);
  }

  /** The events of a stream, which goes on where it was after every break. */
  protected async *followed(
    operation: Operation,
    names: Names,
    query: Query,
    headers: Headers,
    options: CallOptions,
  ): AsyncGenerator<ServerEvent> {
    let last = query["after"];
    let patience = new Patience(this.settings, operation.id);
    for (;;) {
      let reason = "the stream ended";
      const target = this.base + targetOf(operation.path, names, "after" in query ? { ...query, after: last } : query);
      try {
        for await (const event of this.eventsOf(target, headers, options.signal)) {
          patience = new Patience(this.settings, operation.id);
          last = event.id ?? last;
          yield event;
          if (event.type === "erase") {
            return;
          }
        }
      } catch (lost) {
        options.signal?.throwIfAborted();
        const passes = lost instanceof ContextureError ? again(lost, true, patience.attempt) : isLost(lost);
        if (!passes) {
          throw lost;
        }
        reason = reasonOf(lost);
      }
      if (!(await patience.wait(reason, options.signal))) {
        throw new NoAnswer(`${operation.id}: ${reason}`, false);
      }
    }
  }

  private async *eventsOf(
    target: string,
    headers: Headers,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ServerEvent> {
    const quiet = new AbortController(); // the stream shows that it is alive all the time
    const stop = () => quiet.abort(new DOMException("nothing came", "TimeoutError"));
    let clock = setTimeout(stop, this.settings.timeout);
    const init: RequestInit = {
      headers: { ...this.settings.headers, ...given(headers) },
      signal: signal === undefined ? quiet.signal : AbortSignal.any([signal, quiet.signal]),
    };
    try {
      const answer = await fetch(this.settings.url + target, init);
      if (answer.status >= 400) {
        throw refusal(answer, await answer.text());
      }
      const alive = () => {
        clearTimeout(clock);
        clock = setTimeout(stop, this.settings.timeout);
      };
      yield* events(answer.body ?? new ReadableStream<Uint8Array>(), alive);
    } finally {
      clearTimeout(clock);
      quiet.abort();
    }
  }
}

/** What an iterable gave, for as often as it is wanted; what comes next is read when it is. */
class Kept {
  private readonly seen: Uint8Array[] = [];
  private readonly rest: AsyncIterator<Uint8Array>;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.rest = chunks[Symbol.asyncIterator]();
  }

  /** Everything from the beginning. */
  all(): ReadableStream<Uint8Array> {
    let at = 0;
    return new ReadableStream<Uint8Array>({
      pull: async (into) => {
        if (at === this.seen.length) {
          const next = await this.rest.next();
          if (next.done) {
            into.close();
            return;
          }
          this.seen.push(next.value);
        }
        const chunk = this.seen[at++];
        if (chunk !== undefined) {
          into.enqueue(chunk);
        }
      },
    });
  }
}

/** The events in the bytes of a stream; one that is cut off is none. */
export async function* events(
  bytes: AsyncIterable<Uint8Array>,
  alive: () => void = () => {},
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  let event: { type: string; data: string[]; id: number | undefined } = { type: "message", data: [], id: undefined };
  for await (const chunk of bytes) {
    alive();
    rest += decoder.decode(chunk, { stream: true });
    let end: number;
    while ((end = rest.indexOf("\n")) >= 0) {
      const line = rest.slice(0, end).replace(/\r$/, "");
      rest = rest.slice(end + 1);
      if (line === "") {
        if (event.data.length > 0) {
          yield { type: event.type, data: JSON.parse(event.data.join("\n")), id: event.id };
        }
        event = { type: "message", data: [], id: undefined };
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "event") {
        event.type = value;
      } else if (name === "data") {
        event.data.push(value);
      } else if (name === "id" && /^\d+$/.test(value)) {
        event.id = Number(value);
      }
    }
  }
}

/** The body with the id by which a repeat is known, and whether the call may be sent again. */
export function withId(operation: Operation, body: unknown): [unknown, boolean] {
  const { safe, id, made } = operation.repeat;
  if (!safe || id === undefined) {
    return [body, safe];
  }
  if (id === "blocks[].id") {
    return withBlockIds(body as { persist?: boolean; blocks: JsonObject[] });
  }
  const known: JsonObject = { ...(body as JsonObject | undefined) };
  if (made) {
    known[id] ??= crypto.randomUUID();
  }
  return [known, known[id] !== undefined && known[id] !== null];
}

function withBlockIds(body: { persist?: boolean; blocks: JsonObject[] }): [unknown, boolean] {
  if (body.persist === false) {
    return [body, false]; // what is not stored has no id to be known by
  }
  const blocks = body.blocks.map((block) => ({ ...block, id: block["id"] ?? crypto.randomUUID() }));
  return [{ ...body, blocks }, true];
}

/** A path with its names and its query. */
function targetOf(path: string, names: Names, query: Query): string {
  let target = path;
  for (const [name, value] of Object.entries(names)) {
    target = target.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      asked.set(name, String(value));
    }
  }
  return asked.size > 0 ? `${target}?${asked}` : target;
}

function given(headers: Headers): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      found[name] = value;
    }
  }
  return found;
}

/** Whether to send a refused call again: it changed nothing, and the reason may pass. */
function again(refused: ContextureError, safe: boolean, internal: number): boolean {
  if (refused.status === 429 || refused.status === 503) {
    return safe || (refused.code !== "timed_out" && refused.code !== "");
  }
  if (refused.status === 500) {
    return safe && internal < INTERNAL_TRIES;
  }
  return safe && refused.code === "" && (refused.status === 502 || refused.status === 504); // a proxy's
}

function codeOf(failure: unknown): string {
  const cause = failure instanceof Error ? (failure.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === "string" ? cause.code : "";
}

function isUnsent(failure: unknown): boolean {
  return UNSENT.has(codeOf(failure));
}

/** Whether a failure is one of the connection: fetch throws a TypeError, a time that is over a TimeoutError. */
function isLost(failure: unknown): boolean {
  const network = failure instanceof TypeError && (failure.cause instanceof Error || failure.message === "terminated");
  return network || (failure instanceof DOMException && failure.name === "TimeoutError");
}

function reasonOf(failure: unknown): string {
  return codeOf(failure) || (failure instanceof Error ? failure.message : String(failure));
}

function noAnswer(operation: Operation, unsent: boolean, safe: boolean, lost: unknown): NoAnswer {
  const what = unsent
    ? "no connection"
    : safe
      ? "the answer was lost and no repeat was answered"
      : "the answer was lost, and it is not known whether it was done";
  return new NoAnswer(`${operation.id}: ${what}: ${reasonOf(lost)}`, !unsent && !safe, lost);
}

function mediaOf(answer: Response): string {
  return (answer.headers.get("Content-Type") ?? "").replace(/;.*/, "");
}

function valueOf(answer: Response, text: string): unknown {
  if (answer.status === 204) {
    return undefined;
  }
  return mediaOf(answer) === JSON_TYPE ? parse(text) : text;
}

function refusal(answer: Response, text: string): ContextureError {
  if (mediaOf(answer).endsWith("json")) {
    try {
      return new ContextureError(answer.status, JSON.parse(text));
    } catch {
      // cut off on its way, or no problem of the server: the status tells
    }
  }
  return new ContextureError(answer.status, { detail: `status ${answer.status}` });
}

/** The milliseconds of a Retry-After, which may be a date. */
function secondsOf(after: string | null): number | undefined {
  if (after === null) {
    return undefined;
  }
  const seconds = Number(after);
  const date = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000;
  return Number.isNaN(date) ? undefined : Math.max(0, date);
}
