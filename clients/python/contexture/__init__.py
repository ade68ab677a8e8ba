"""Contexture, the context engine for LLM agents, from Python."""

from .client import Agent, Contexture, Conversation
from .errors import ContextureError, NoAnswer
from .jsontext import RawJson, exact
from .transport import Event, Retry

__all__ = [
    "Agent",
    "Contexture",
    "ContextureError",
    "Conversation",
    "Event",
    "NoAnswer",
    "RawJson",
    "Retry",
    "exact",
]
__version__ = "0.1.0"
