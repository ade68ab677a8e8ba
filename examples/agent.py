#!/usr/bin/env python3
"""An agent over HTTP, with the standard library of Python only.

Contexture keeps the conversation and makes the requests, a provider answers them, this program runs
the tools. One step carries what happened since the last one and brings the next request back: a turn
costs one round trip for each call of the model, and one that begins it.

    ANTHROPIC_API_KEY=... agent.py --model claude-opus-5 < questions.txt

Each line of the input is something that the user says; the answer is printed with how it ended.
"""

import argparse
import json
import os
import sys
import urllib.error
import urllib.request

TOOLS = [
    {
        "name": "get_weather",
        "description": "The weather in a city now",
        "input_schema": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    }
]


def run_tool(name, arguments):
    """What a tool gives; what it raises is told to the model."""
    if name == "get_weather":
        return "4 degrees in " + arguments["city"]
    raise LookupError("there is no tool " + name)


def result(call):
    """The result of a call of the answer, named by the id that the provider gave it."""
    try:
        text, failed = run_tool(call["name"], call["input"]), False
    except LookupError as problem:
        text, failed = str(problem), True
    return {"provider_call_id": call["id"], "content": text, "is_error": failed}


def post(url, body, headers):
    """Posts a text and returns the body of the answer."""
    headers = {"content-type": "application/json", **headers}
    request = urllib.request.Request(url, body.encode(), headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as refusal:
        raise RuntimeError(url + ": " + refusal.read().decode()) from refusal


def members(text):
    """The members of a JSON object as they are spelled: a request is sent byte for byte, so that it
    is not parsed and written again."""
    decoder, found, at = json.JSONDecoder(), {}, 1
    while text[at] != "}":
        at = at + 1 if text[at] == "," else at
        name, at = decoder.raw_decode(text, at)
        _, end = decoder.raw_decode(text, at + 1)
        found[name] = text[at + 1 : end]
        at = end
    return found


class Agent:
    """One conversation with a model of Anthropic."""

    def __init__(self, conversation, endpoint, model, key):
        self.conversation = conversation
        self.endpoint = endpoint
        self.model = {"provider": "anthropic", "model": model}
        self.headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}
        self.round_trips = 0
        self.model_calls = 0

    def step(self, **parts):
        """Stores what happened, all or nothing; the answer holds the next request."""
        self.round_trips += 1
        return members(post(self.conversation + "/step", json.dumps(parts), {}))

    def ask(self, request):
        """Sends a request to the model as it is."""
        self.model_calls += 1
        return json.loads(post(self.endpoint, request, self.headers))

    def turn(self, prompt):
        """Goes on until the model is done, and returns the last reply."""
        request = {**self.model, "tools": TOOLS}
        state = self.step(turn={"prompt": prompt}, request=request)
        done, asked_again = False, False
        while not done:
            answer = self.ask(state["request"])
            calls = [part for part in answer["content"] if part["type"] == "tool_use"]
            state = self.step(
                response={
                    **self.model,
                    "response": answer,
                    "request_id": json.loads(state["request_id"]),
                },
                results=[result(call) for call in calls],
                finish={},  # if the model is done, else the next request
                request=request,
            )
            reply = json.loads(state["reply"])
            done = reply["done"]
            if reply["outcome"] == "context_limit" and not asked_again:
                done, asked_again = False, True  # the next request is a shorter one
        if "status" not in state:  # the window was full twice
            self.step(finish={})
        return reply


def main():
    arguments = argparse.ArgumentParser(description="An agent over HTTP.")
    arguments.add_argument("--contexture", default="http://127.0.0.1:8321")
    arguments.add_argument("--user", default="u42")
    arguments.add_argument("--conversation", default="c1")
    arguments.add_argument("--endpoint", default="https://api.anthropic.com/v1/messages")
    arguments.add_argument("--model", default="claude-opus-5")
    given = arguments.parse_args()
    conversation = "{}/v1/users/{}/conversations/{}".format(
        given.contexture, given.user, given.conversation
    )
    key = os.environ.get("ANTHROPIC_API_KEY", "")
    agent = Agent(conversation, given.endpoint, given.model, key)
    turns = 0
    for line in sys.stdin:
        reply = agent.turn(line.strip())
        turns += 1
        print(reply["outcome"] + ": " + reply["text"], flush=True)
    print(
        "{} turns, {} calls of the model, {} round trips".format(
            turns, agent.model_calls, agent.round_trips
        )
    )


if __name__ == "__main__":
    main()
