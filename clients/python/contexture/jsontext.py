"""JSON as it is spelled: what a provider gets and gives must keep its bytes."""

from __future__ import annotations

import json
from typing import Any, Dict

_DECODER = json.JSONDecoder()


class RawJson:
    """A JSON text that is put into a body as it is, such as the answer of a provider."""

    def __init__(self, text: str) -> None:
        json.loads(text)
        self.text = text.strip()


class Answer(Dict[str, Any]):
    """An answer of the server, with the text that it came as."""

    text: str = ""


def parse(text: str) -> Any:
    """The value of a text; an object remembers the text."""
    value = json.loads(text)
    if not isinstance(value, dict):
        return value
    answer = Answer(value)
    answer.text = text
    return answer


def dump(value: Any) -> str:
    """The text of a value that may hold texts which are JSON already."""
    if isinstance(value, RawJson):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(str(k)) + ":" + dump(v) for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(dump(item) for item in value) + "]"
    return json.dumps(value, allow_nan=False)


def exact(answer: Any, name: str) -> str:
    """A member of an answer as the server spelled it: exact(built, "request") is what to send to the provider."""
    if not isinstance(answer, Answer):
        raise TypeError("this is no answer of the server, but " + type(answer).__name__)
    text, at, found = answer.text, _skip(answer.text, 0) + 1, None
    at = _skip(text, at)
    while text[at] != "}":
        if text[at] == ",":
            at = _skip(text, at + 1)
        key, at = _DECODER.raw_decode(text, at)
        begin = _skip(text, _skip(text, at) + 1)
        _, at = _DECODER.raw_decode(text, begin)
        if key == name:
            found = text[begin:at]
        at = _skip(text, at)
    if found is None:
        raise KeyError(name)
    return found


def _skip(text: str, at: int) -> int:
    while text[at] in " \t\r\n":
        at += 1
    return at
