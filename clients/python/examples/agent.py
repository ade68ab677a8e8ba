#!/usr/bin/env python3
"""An agent with the client: Contexture keeps the conversation and makes the requests, a provider
answers them, this program runs the tools. One step carries what happened since the last one and
brings the next request back; a step that was lost on its way is sent again and done once.

    ANTHROPIC_API_KEY=... PYTHONPATH=clients/python clients/python/examples/agent.py < questions.txt

Each line of the input is something that the user says; the answer is printed with how it ended.
"""

import argparse
import json
import os
import sys
import urllib.error
import urllib.request

from contexture import Contexture, Conversation, RawJson, exact
from contexture.types import BuildRequestBody, Reply, Result

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


def run_tool(name: str, arguments: dict) -> str:
    """What a tool gives; what it raises is told to the model."""
    if name == "get_weather":
        return "4 degrees in " + arguments["city"]
    raise LookupError("there is no tool " + name)


def result(call: dict) -> Result:
    """The result of a call of the answer, named by the id that the provider gave it."""
    try:
        text, failed = run_tool(call["name"], call["input"]), False
    except LookupError as problem:
        text, failed = str(problem), True
    return {"provider_call_id": call["id"], "content": text, "is_error": failed}


class Agent:
    """One conversation with a model of Anthropic."""

    def __init__(self, chat: Conversation, endpoint: str, model: str, key: str) -> None:
        self.chat = chat
        self.endpoint = endpoint
        self.asked: BuildRequestBody = {"provider": "anthropic", "model": model, "tools": TOOLS}
        self.key = key
        self.round_trips = 0
        self.model_calls = 0

    def step(self, **parts):
        """Stores what happened, all or nothing; the answer holds the next request."""
        self.round_trips += 1
        return self.chat.step(parts)

    def ask(self, state) -> str:
        """Sends a request to the model as it is, byte for byte."""
        self.model_calls += 1
        headers = {**state["headers"], "x-api-key": self.key}
        request = urllib.request.Request(self.endpoint, exact(state, "request").encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as refusal:
            raise RuntimeError(self.endpoint + ": " + refusal.read().decode()) from refusal

    def turn(self, prompt: str) -> Reply:
        """Goes on until the model is done, and returns the last reply."""
        state = self.step(turn={"prompt": prompt}, request=self.asked)
        done, asked_again = False, False
        while not done:
            answer = self.ask(state)
            calls = [part for part in json.loads(answer)["content"] if part["type"] == "tool_use"]
            state = self.step(
                response={
                    "provider": "anthropic",
                    "model": self.asked["model"],
                    "response": RawJson(answer),
                    "request_id": state["request_id"],
                },
                results=[result(call) for call in calls],
                finish={},  # if the model is done, else the next request
                request=self.asked,
            )
            reply = state["reply"]
            done = reply["done"]
            if reply["outcome"] == "context_limit" and not asked_again:
                done, asked_again = False, True  # the next request is a shorter one
        if "status" not in state:  # the window was full twice
            self.step(finish={})
        return reply


def main() -> None:
    arguments = argparse.ArgumentParser(description="An agent with the client of Contexture.")
    arguments.add_argument("--contexture", default="http://127.0.0.1:8321")
    arguments.add_argument("--user", default="u42")
    arguments.add_argument("--conversation", default="c1")
    arguments.add_argument("--endpoint", default="https://api.anthropic.com/v1/messages")
    arguments.add_argument("--model", default="claude-opus-5")
    given = arguments.parse_args()
    chat = Contexture(given.contexture).conversation(given.user, given.conversation)
    agent = Agent(chat, given.endpoint, given.model, os.environ.get("ANTHROPIC_API_KEY", ""))
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
