// An agent with the client: Contexture keeps the conversation and makes the requests, a provider
// answers them, this program runs the tools. One step carries what happened since the last one and
// brings the next request back; a step that was lost on its way is sent again and done once.
//
//     ANTHROPIC_API_KEY=... node dist/examples/agent.js < questions.txt
//
// Each line of the input is something that the user says; the answer is printed with how it ended.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import {
  Contexture,
  RawJson,
  exact,
  type BuildRequestBody,
  type Conversation,
  type JsonObject,
  type Reply,
  type Result,
  type StepAnswer,
  type StepBody,
} from "../src/index.js";

const TOOLS = [
  {
    name: "get_weather",
    description: "The weather in a city now",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];

/** What a tool gives; what it throws is told to the model. */
function runTool(name: string, given: JsonObject): string {
  if (name === "get_weather") {
    return "4 degrees in " + given["city"];
  }
  throw new RangeError("there is no tool " + name);
}

/** The result of a call of the answer, named by the id that the provider gave it. */
function result(call: JsonObject): Result {
  try {
    return { provider_call_id: call["id"], content: runTool(call["name"], call["input"]), is_error: false };
  } catch (problem) {
    return { provider_call_id: call["id"], content: String(problem), is_error: true };
  }
}

/** One conversation with a model of Anthropic. */
export class Agent {
  roundTrips = 0;
  modelCalls = 0;
  private readonly asked: BuildRequestBody;

  constructor(
    private readonly chat: Conversation,
    private readonly endpoint: string,
    private readonly model: string,
    private readonly key: string,
  ) {
    this.asked = { provider: "anthropic", model, tools: TOOLS };
  }

  /** Stores what happened, all or nothing; the answer holds the next request. */
  private step(parts: StepBody): Promise<StepAnswer> {
    this.roundTrips++;
    return this.chat.step(parts);
  }

  /** Sends a request to the model as it is, byte for byte. */
  private async ask(state: StepAnswer): Promise<string> {
    this.modelCalls++;
    const headers = { ...state.headers, "x-api-key": this.key };
    const answer = await fetch(this.endpoint, { method: "POST", headers, body: exact(state, "request") });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${this.endpoint}: ${text}`);
    }
    return text;
  }

  /** Goes on until the model is done, and returns the last reply. */
  async turn(prompt: string): Promise<Reply> {
    let state = await this.step({ turn: { prompt }, request: this.asked });
    for (let askedAgain = false; ; ) {
      const answer = await this.ask(state);
      const parts = (JSON.parse(answer) as { content: JsonObject[] }).content;
      state = await this.step({
        response: {
          provider: "anthropic",
          model: this.model,
          response: new RawJson(answer),
          request_id: state.request_id,
        },
        results: parts.filter((part) => part["type"] === "tool_use").map(result),
        finish: {}, // if the model is done, else the next request
        request: this.asked,
      });
      const reply = state.reply as Reply;
      if (reply.outcome === "context_limit" && !askedAgain) {
        askedAgain = true; // the next request is a shorter one
      } else if (reply.done) {
        if (state.status === undefined) {
          await this.step({ finish: {} }); // the window was full twice
        }
        return reply;
      }
    }
  }
}

async function main(): Promise<void> {
  const client = new Contexture(process.env["CONTEXTURE_URL"]);
  const endpoint = process.env["ENDPOINT"] ?? "https://api.anthropic.com/v1/messages";
  const model = process.env["MODEL"] ?? "claude-opus-5";
  const agent = new Agent(client.conversation("u42", "c1"), endpoint, model, process.env["ANTHROPIC_API_KEY"] ?? "");
  let turns = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    const reply = await agent.turn(line.trim());
    turns++;
    console.log(`${reply.outcome}: ${reply.text}`);
  }
  console.log(`${turns} turns, ${agent.modelCalls} calls of the model, ${agent.roundTrips} round trips`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main();
}
