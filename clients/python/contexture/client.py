"""The entry point."""

from __future__ import annotations

import os
import ssl
from typing import Callable, Dict, Iterable, Optional, cast
from urllib.parse import quote

from .operations import AgentOperations, ConversationOperations, ProjectOperations
from .transport import Connection, Operation, Retry
from .types import Reply


class Contexture(ProjectOperations):
    """A server of Contexture. May be used by many threads.

    url: by default CONTEXTURE_URL of the environment, else http://127.0.0.1:8321. key: a key of the server, if it has keys. tenant, project: what a key does not say. timeout:
    seconds without a byte after which an answer counts as lost. patience: seconds for which a call
    is sent again. on_retry: is told before that.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        key: Optional[str] = None,
        tenant: Optional[str] = None,
        project: Optional[str] = None,
        timeout: float = 130.0,
        patience: float = 60.0,
        on_retry: Optional[Callable[[Retry], None]] = None,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        headers: Dict[str, str] = {"Accept": "application/json, text/event-stream, text/plain"}
        if key is not None:
            headers["Authorization"] = "Bearer " + key
        if tenant is not None:
            headers["X-Tenant"] = tenant
        if project is not None:
            headers["X-Project"] = project
        address = url or os.environ.get("CONTEXTURE_URL") or "http://127.0.0.1:8321"
        super().__init__(Connection(address, headers, timeout, patience, on_retry, tls))

    def conversation(self, user: str, conversation: str) -> "Conversation":
        """A conversation of a user; it exists from its first turn."""
        return Conversation(
            self._connection,
            "/v1/users/{}/conversations/{}".format(quote(user, safe=""), quote(conversation, safe="")),
        )

    def agent(self, agent: str) -> "Agent":
        """An agent and its memory; it exists from its first use."""
        return Agent(self._connection, "/v1/agents/" + quote(agent, safe=""))

    def close(self) -> None:
        """Closes the connection of this thread."""
        self._connection.close()

    def __enter__(self) -> "Contexture":
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()


class Conversation(ConversationOperations):
    """One conversation."""

    def record_stream(
        self,
        chunks: Iterable[bytes],
        *,
        provider: str,
        model: str,
        request_id: Optional[str] = None,
    ) -> Reply:
        """Records the provider's own stream as it comes.

        With a request_id it is sent again, from its beginning, after a lost connection.
        """
        query = {"provider": provider, "model": model, "request_id": request_id}
        operation = Operation("recordResponse", "POST", True, "request_id")
        return cast(Reply, self._record_stream(operation, "/responses", query, chunks))


class Agent(AgentOperations):
    """One agent and its memory."""
