// The client against a running server, whose address is CONTEXTURE_URL.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, test } from "node:test";
import { Agent } from "../examples/agent.js";
import { Contexture, ContextureError, NoAnswer, RawJson, exact, type Conversation, type Retry } from "../src/index.js";
import { dump, parse } from "../src/json.js";
import { events } from "../src/transport.js";
import { Model, Proxy, direct, newNames } from "./support.js";

const CLAUDE = { provider: "anthropic", model: "claude-opus-5" } as const;
const STREAM = [
  {
    type: "message_start",
    message: {
      id: "m1",
      type: "message",
      role: "assistant",
      model: "claude-opus-5",
      content: [],
      stop_reason: null,
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "4 degr" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "ees." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
].map((event) => new TextEncoder().encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));

async function* each<T>(items: T[]): AsyncGenerator<T> {
  yield* items;
}

function answer(text: string, calls: string[] = [], stop = calls.length > 0 ? "tool_use" : "end_turn"): string {
  const content: object[] = [{ type: "text", text }];
  content.push(...calls.map((id) => ({ type: "tool_use", id, name: "get_weather", input: { city: "Oslo" } })));
  const usage = { input_tokens: 100, output_tokens: 10 };
  const message = { id: "m", type: "message", role: "assistant", model: "claude-opus-5", stop_reason: stop };
  return JSON.stringify({ ...message, stop_sequence: null, content, usage });
}

let proxy: Proxy;
let client: Contexture;
let retries: Retry[];
let chat: Conversation;
let through: Conversation;
let agent: string;

beforeEach(async () => {
  proxy = new Proxy();
  retries = [];
  client = new Contexture(await proxy.start(), { patience: 30_000, onRetry: (retry) => retries.push(retry) });
  const names = newNames();
  chat = direct().conversation(...names);
  through = client.conversation(...names);
  agent = "a" + randomUUID().slice(0, 8);
});

afterEach(() => proxy.close());

async function texts(kind: string): Promise<(string | undefined)[]> {
  return (await chat.getTimeline()).blocks.filter((block) => block.type === kind).map((block) => block.text);
}

test("goes through a turn", async () => {
  const begun = await chat.step({ turn: { prompt: "Weather in Oslo?" }, request: CLAUDE });
  assert.equal(begun.turn?.new_conversation, true);
  const body = exact(begun, "request");
  assert.deepEqual(JSON.parse(body), begun.request);
  const response = new RawJson(answer("4 degrees."));
  const done = await chat.step({
    response: { ...CLAUDE, response, request_id: begun.request_id },
    finish: {},
    request: CLAUDE,
  });
  assert.deepEqual([done.reply?.outcome, done.status], ["answered", "complete"]);
  assert.equal((await chat.getConversation()).turns, 1);
  assert.equal(exact(await chat.getRequest(begun.request_id ?? ""), "request"), body);
});

test("does once what is sent twice", async () => {
  proxy.plan = [["/turns", "lose"], ["/blocks", "lose"], ["/finish", "lose"], ["/step", "lose"]];
  const { turn_id } = await through.startTurn({ prompt: "one" });
  await through.addBlocks({ blocks: [{ type: "react.note", text: "noted" }] });
  await through.finishTurn(turn_id, { completion: "done" });
  await through.step({ turn: { prompt: "two" }, finish: { completion: "done again" } });
  assert.deepEqual(proxy.plan, []);
  assert.equal(retries.length, 4);
  assert.deepEqual(await texts("user.prompt"), ["one", "two"]);
  assert.deepEqual(await texts("react.note"), ["noted"]);
  assert.deepEqual(await texts("assistant.completion"), ["done", "done again"]);
});

test("takes files in and out", async () => {
  const [user, name] = newNames();
  const old = { messages: [{ role: "user", content: "hi" }, { role: "assistant", content: "ho" }] };
  proxy.plan = [["/import", "lose"]];
  const taken = await client.importFile(user, { file: JSON.stringify(old), conversation: name });
  assert.ok("memory" in taken);
  assert.deepEqual(taken.conversations.map((each) => each.conversation_id), [name]);
  const other = direct().conversation(user, name);
  const lines = (await other.exportConversation()).trim().split("\n");
  assert.equal(JSON.parse(lines[0] ?? "").line.type, "archive");
  assert.match(await other.exportConversation({ format: "markdown" }), /hi/);
  assert.equal((await direct().findForUser(user, { query: "hi" })).mode_used, "fts");
});

test("does not repeat what would be done twice", async () => {
  proxy.plan = [["/archival", "lose"]];
  const lost = client.agent(agent).addArchivalEntry({ content: "once" });
  await assert.rejects(lost, (problem: unknown) => problem instanceof NoAnswer && problem.unknown);
  const { entries } = await direct().agent(agent).listArchivalEntries({ content: "full" });
  assert.deepEqual(entries.map((entry) => entry.content), ["once"]);
});

test("waits as long as the server asks", async () => {
  proxy.plan = [["/turns", "busy"], ["/archival", "busy"]];
  await through.startTurn({ prompt: "one" });
  await client.agent(agent).addArchivalEntry({ content: "x" }); // a refusal changed nothing
  assert.deepEqual(retries.map((retry) => retry.pause), [1000, 1000]);
  assert.deepEqual(retries.map((retry) => retry.reason), ["store_unavailable", "store_unavailable"]);
});

test("says what was refused", async () => {
  await assert.rejects(
    chat.getConversation(),
    (problem: unknown) => problem instanceof ContextureError && problem.status === 404 && problem.code === "not_found",
  );
  await assert.rejects(
    chat.startTurn({ promt: "x" } as object),
    (problem: unknown) => problem instanceof ContextureError && problem.problem.field === "promt",
  );
});

test("gives up when its patience is over, and when it is told to", async () => {
  const nobody = new Contexture("http://127.0.0.1:1", { patience: 200 });
  await assert.rejects(nobody.getHealth(), (problem: unknown) => problem instanceof NoAnswer && !problem.unknown);
  const stopped = AbortSignal.abort(new Error("enough"));
  await assert.rejects(chat.startTurn({ prompt: "x" }, { signal: stopped }), /enough/);
});

test("follows what happens across breaks", async () => {
  await through.startTurn({ prompt: "p0" });
  proxy.plan = [["/events", "cut"], ["/events", "cut"]];
  const writing = (async () => {
    for (const text of ["n1", "n2", "n3"]) {
      await chat.addBlocks({ blocks: [{ type: "react.note", text }] });
    }
  })();
  const seen = new Set<string>();
  for await (const event of through.followConversation({ after: 0 })) {
    if (event.type === "block" && event.data["block"].type === "react.note") {
      seen.add(event.data["block"].text);
    }
    if (seen.has("n3")) {
      break;
    }
  }
  await writing;
  assert.deepEqual([...seen], ["n1", "n2", "n3"]);
  assert.deepEqual(proxy.plan, []);
});

test("records a stream as it comes", async () => {
  await through.startTurn({ prompt: "Weather?" });
  const { request_id } = await through.buildRequest({ ...CLAUDE, stream: true });
  proxy.plan = [["/responses", "lose"]];
  const reply = await through.recordStream(each(STREAM), { ...CLAUDE, request_id });
  assert.deepEqual([reply.text, reply.outcome, retries.length], ["4 degrees.", "answered", 1]);
  assert.deepEqual(await texts("assistant.completion"), ["4 degrees."]);
});

test("keeps a stream that breaks off, and tells of one that failed", async () => {
  await chat.startTurn({ prompt: "Weather?" });
  const { request_id } = await chat.buildRequest({ ...CLAUDE, stream: true });
  const reply = await chat.recordStream(each(STREAM.slice(0, 3)), { ...CLAUDE, request_id });
  assert.deepEqual([reply.text, reply.outcome], ["4 degr", "truncated"]);
});

test("edits memory", async () => {
  const memory = direct().agent(agent);
  await memory.createMemoryBlock({ label: "notes", block_type: "core", permission: "admin", content: "Ann" });
  await memory.editMemoryBlock("notes", { ops: [{ op: "append_text", text: " lives in Oslo." }] });
  assert.equal((await memory.getMemoryBlock("notes")).value, "Ann lives in Oslo.");
  assert.equal((await memory.getMemoryBlock("notes", { at: 1 })).value, "Ann");
  assert.equal(await memory.deleteMemoryBlock("notes"), undefined);
});

test("the agent needs one round trip for each call of the model", async () => {
  const script: string[] = [];
  const expected: string[] = [];
  for (let turn = 0; turn < 30; turn++) {
    for (let round = 0; round < turn % 3; round++) {
      const ids = Array.from({ length: round + 1 }, (_, i) => `toolu_${turn}_${round}${i}`);
      script.push(answer("Let me look.", ids));
    }
    const stop = turn === 7 ? "refusal" : turn === 12 ? "max_tokens" : "end_turn";
    script.push(answer(`Answer ${turn}.`, [], stop));
    expected.push(`${turn === 7 ? "refused" : turn === 12 ? "truncated" : "answered"}: Answer ${turn}.`);
  }
  const calls = script.length;
  const model = new Model(script);
  try {
    const played = new Agent(chat, await model.start(), "claude-opus-5", "");
    const replies: string[] = [];
    for (let turn = 0; turn < 30; turn++) {
      const reply = await played.turn(`question ${turn}`);
      replies.push(`${reply.outcome}: ${reply.text}`);
    }
    assert.deepEqual(replies, expected);
    assert.deepEqual([played.modelCalls, played.roundTrips], [calls, calls + 30]);
  } finally {
    model.close();
  }
  assert.equal((await chat.getConversation()).turns, 30);
});

const KEYS_URL = process.env["CONTEXTURE_TEST_KEYS_URL"] ?? "";
const KEY = process.env["CONTEXTURE_TEST_KEY"] ?? "";
const HOST_KEY = process.env["CONTEXTURE_TEST_HOST_KEY"] ?? "";

async function refused(options: { key?: string; tenant?: string; project?: string }): Promise<[number, string]> {
  const turn = new Contexture(KEYS_URL, options).conversation("u1", "c1").startTurn({ prompt: "hi" });
  const problem: unknown = await turn.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(problem instanceof ContextureError);
  return [problem.status, problem.code];
}

test("sends its key", async () => {
  assert.deepEqual(await refused({}), [401, "unauthenticated"]);
  assert.equal((await refused({ key: "no-such-key-0123456789abcdef" }))[0], 401);
  const keyed = new Contexture(KEYS_URL, { key: KEY });
  const caller = await keyed.getCaller();
  assert.deepEqual([caller.role, caller.tenant, caller.project], ["writer", "acme", "shop"]);
  const own = keyed.conversation(...newNames());
  await own.startTurn({ prompt: "hi", turn_id: "t1" });
  for await (const event of own.followConversation({ after: 0 })) { // the key goes with streams, too
    assert.equal((event.data as { turn_id: string }).turn_id, "t1");
    break;
  }
});

test("sends tenant and project", async () => {
  assert.deepEqual(await refused({ key: KEY, tenant: "other" }), [403, "forbidden"]);
  assert.deepEqual(await refused({ key: KEY, project: "other" }), [403, "forbidden"]);
  const names = newNames();
  await new Contexture(KEYS_URL, { key: HOST_KEY, tenant: "acme", project: "shop" })
    .conversation(...names)
    .startTurn({ prompt: "hi" });
  assert.equal((await new Contexture(KEYS_URL, { key: KEY }).conversation(...names).getConversation()).turns, 1);
  const other = new Contexture(KEYS_URL, { key: HOST_KEY, tenant: "acme", project: "other" }).conversation(...names);
  await assert.rejects(other.getConversation(), (problem: ContextureError) => problem.code === "not_found");
});

test("finds members as they are spelled", () => {
  const text = ' { "a" : [1.0, {"request":"no"}] , "request" : {"x":1.50,"s":"}\\"]"} , "n":null } ';
  const value = parse(text) as object;
  assert.equal(exact(value, "request"), '{"x":1.50,"s":"}\\"]"}');
  assert.equal(exact(value, "a"), '[1.0, {"request":"no"}]');
  assert.equal(exact(value, "n"), "null");
  assert.throws(() => exact(value, "x"), RangeError);
  assert.throws(() => exact({}, "x"), TypeError);
  assert.equal(dump({ r: new RawJson(" 1.0 "), l: [new RawJson("{ }"), null], u: undefined }), '{"r":1.0,"l":[{ },null]}');
  assert.throws(() => new RawJson("{"), SyntaxError);
  assert.throws(() => dump({ x: NaN }), TypeError);
});

test("leaves out an event that is cut off", async () => {
  const bytes = ": hello\n\nid: 2\nevent: turn\ndata: {\"a\":1}\n\ndata: {\"b\"";
  const found = [];
  for await (const event of events(each([...bytes].map((c) => new TextEncoder().encode(c))))) {
    found.push(event);
  }
  assert.deepEqual(found, [{ type: "turn", data: { a: 1 }, id: 2 }]);
});
