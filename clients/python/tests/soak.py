"""Takes steps, and prints the number of each one that was answered: the client's part of clients/soak."""

import json
import sys

from contexture import Contexture

CLAUDE = {"provider": "anthropic", "model": "claude-opus-5"}
TOOLS = [{"name": "look", "description": "Looks", "input_schema": {"type": "object"}}]


def answer(parts, stop):
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5",
        "stop_reason": stop,
        "content": parts,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def main():
    url, steps = sys.argv[1], int(sys.argv[2])

    def told(retry):
        print("retry", retry.reason, flush=True)

    chat = Contexture(url, patience=600, on_retry=told).conversation("u1", "c1")
    request = {**CLAUDE, "tools": TOOLS}
    state = {}
    for number in range(steps):
        turn, part = divmod(number, 3)
        if part == 0:
            body = {"turn": {"prompt": "prompt %d" % turn}, "request": request}
        elif part == 1:
            call = {"type": "tool_use", "id": "toolu_%d" % turn, "name": "look", "input": {"n": str(turn)}}
            said = answer([{"type": "text", "text": "looking %d" % turn}, call], "tool_use")
            body = {
                "response": {**CLAUDE, "response": said, "request_id": state["request_id"]},
                "results": [{"provider_call_id": "toolu_%d" % turn, "content": "result %d" % turn}],
                "request": request,
            }
        else:
            said = answer([{"type": "text", "text": "answer %d" % turn}], "end_turn")
            body = {
                "response": {**CLAUDE, "response": said, "request_id": state["request_id"]},
                "finish": {},
            }
        state = chat.step(body)
        if "request_problem" in state:
            sys.exit(json.dumps(state["request_problem"]))
        print("step", number + 1, flush=True)


if __name__ == "__main__":
    main()
