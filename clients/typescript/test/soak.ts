// Takes steps, and prints the number of each one that was answered: the client's part of clients/soak.

import { Contexture, type BuildRequestBody, type StepAnswer, type StepBody } from "../src/index.js";

const CLAUDE = { provider: "anthropic", model: "claude-opus-5" } as const;
const REQUEST: BuildRequestBody = {
  ...CLAUDE,
  tools: [{ name: "look", description: "Looks", input_schema: { type: "object" } }],
};

function answer(parts: object[], stop: string) {
  const usage = { input_tokens: 10, output_tokens: 5 };
  return { id: "m", type: "message", role: "assistant", model: "claude-opus-5", stop_reason: stop, content: parts, usage };
}

function bodyOf(number: number, state: StepAnswer | undefined): StepBody {
  const turn = Math.floor(number / 3);
  const answered = (response: object) => ({ ...CLAUDE, response, request_id: state?.request_id });
  if (number % 3 === 0) {
    return { turn: { prompt: `prompt ${turn}` }, request: REQUEST };
  }
  if (number % 3 === 1) {
    const call = { type: "tool_use", id: `toolu_${turn}`, name: "look", input: { n: String(turn) } };
    return {
      response: answered(answer([{ type: "text", text: `looking ${turn}` }, call], "tool_use")),
      results: [{ provider_call_id: `toolu_${turn}`, content: `result ${turn}` }],
      request: REQUEST,
    };
  }
  return { response: answered(answer([{ type: "text", text: `answer ${turn}` }], "end_turn")), finish: {} };
}

const [url, steps] = process.argv.slice(2);
const client = new Contexture(url, {
  patience: 600_000,
  onRetry: (retry) => console.log("retry " + retry.reason),
});
const chat = client.conversation("u1", "c1");
let state: StepAnswer | undefined;
for (let number = 0; number < Number(steps); number++) {
  state = await chat.step(bodyOf(number, state));
  if (state.request_problem) {
    throw new Error(JSON.stringify(state.request_problem));
  }
  console.log(`step ${number + 1}`);
}
