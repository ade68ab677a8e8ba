"""How calls travel: ids that make a repeat be done once, retries, and streams."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import select
import ssl
import threading
import time
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple
from urllib.parse import quote, urlencode, urlsplit

from .errors import ContextureError, NoAnswer
from .jsontext import dump, parse

_JSON = "application/json"
_STREAM = "text/event-stream"
_REUSED_FOR = 10.0  # seconds; the server closes a connection that does nothing for 30
_INTERNAL_TRIES = 3
_LONGEST_PAUSE = 2.0


@dataclass(frozen=True)
class Operation:
    """An operation of the API; safe: it may be sent again after a lost answer, if the body has the id."""

    name: str
    method: str
    safe: bool
    id: str = ""
    made: bool = False


@dataclass(frozen=True)
class Event:
    """An event of a stream; the id is where to go on."""

    type: str
    data: Dict[str, Any]
    id: Optional[int]


@dataclass(frozen=True)
class Retry:
    """What is told before a call is sent again."""

    operation: str
    attempt: int
    pause: float
    reason: str


class Connection:
    """Where the server is, and how patient to be. May be used by many threads."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        timeout: float,
        patience: float,
        on_retry: Optional[Callable[[Retry], None]],
        tls: Optional[ssl.SSLContext],
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the address of a server is http://HOST:PORT, not " + url)
        self.secure = parts.scheme == "https"
        self.host, self.port = parts.hostname, parts.port
        self.prefix = parts.path.rstrip("/")
        self.headers = dict(headers)
        self.timeout, self.patience = timeout, patience
        self.on_retry = on_retry
        self.tls = tls
        self._local = threading.local()

    def open(self, timeout: float) -> http.client.HTTPConnection:
        """A connection of its own."""
        if self.secure:
            context = self.tls or ssl.create_default_context()
            made: http.client.HTTPConnection = http.client.HTTPSConnection(
                self.host, self.port, timeout=timeout, context=context
            )
        else:
            made = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        made.connect()
        return made

    def borrow(self) -> http.client.HTTPConnection:
        """The connection of this thread, unless the server may have closed it."""
        kept: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        self._local.connection = None
        if kept is not None:
            if time.monotonic() - self._local.used < _REUSED_FOR:
                return kept
            kept.close()
        return self.open(self.timeout)

    def give_back(self, connection: http.client.HTTPConnection) -> None:
        """Keeps a connection whose answer was read for the next call of this thread."""
        self._local.connection, self._local.used = connection, time.monotonic()

    def close(self) -> None:
        """Closes the connection of this thread."""
        kept = getattr(self._local, "connection", None)
        self._local.connection = None
        if kept is not None:
            kept.close()


class Patience:
    """Says how long to wait before the next attempt, until there is no time left."""

    def __init__(self, connection: Connection, operation: str) -> None:
        self._connection, self._operation = connection, operation
        self._until = time.monotonic() + connection.patience
        self.attempt = 0

    def wait(self, reason: str, asked: Optional[float] = None) -> bool:
        """Waits, and says whether to try again."""
        self.attempt += 1
        pause = asked
        if pause is None:
            pause = min(_LONGEST_PAUSE, 0.05 * 2**self.attempt) * random.uniform(0.5, 1.0)
        if time.monotonic() + pause > self._until:
            return False
        if self._connection.on_retry is not None:
            self._connection.on_retry(Retry(self._operation, self.attempt, pause, reason))
        time.sleep(pause)
        return True


@dataclass(frozen=True)
class _Received:
    status: int
    media: str
    text: str
    after: Optional[float]


class Sender:
    """Sends the calls of the generated classes."""

    def __init__(self, connection: Connection, base: str = "") -> None:
        self._connection = connection
        self._base = connection.prefix + base

    def _call(
        self,
        operation: Operation,
        path: str,
        names: Mapping[str, str],
        query: Mapping[str, Any],
        headers: Mapping[str, Optional[str]],
        body: Any,
    ) -> Any:
        """Sends a call, again where that is safe, and returns what the server answered."""
        body, safe = with_id(operation, body)
        target = self._base + target_of(path, names, query)
        sent = None if body is None else dump(body).encode()
        media = {} if sent is None else {"Content-Type": _JSON}
        return self._sent(operation, target, {**media, **_given(headers)}, safe, lambda: sent)

    def _record_stream(
        self, operation: Operation, path: str, query: Mapping[str, Any], chunks: Iterable[bytes]
    ) -> Any:
        """Sends a stream as it comes; if the connection breaks, all of it is sent again."""
        kept = Kept(chunks)
        target = self._base + target_of(path, {}, query)
        safe = operation.safe and query.get(operation.id) is not None
        return self._sent(operation, target, {"Content-Type": _STREAM}, safe, kept.all)

    def _sent(
        self,
        operation: Operation,
        target: str,
        headers: Mapping[str, str],
        safe: bool,
        body: Callable[[], Any],
    ) -> Any:
        patience = Patience(self._connection, operation.name)
        internal = 0
        while True:
            try:
                connection = self._connection.borrow()
            except OSError as unreachable:  # nothing was sent
                if not patience.wait(str(unreachable)):
                    message = "{}: no connection for {:g} s: {}"
                    raise NoAnswer(
                        message.format(operation.name, self._connection.patience, unreachable), False
                    ) from unreachable
                continue
            try:
                received = self._exchange(connection, operation.method, target, headers, body())
            except (OSError, http.client.HTTPException) as lost:
                connection.close()
                if safe and patience.wait(repr(lost)):
                    continue
                reason = "the answer was lost and no repeat was answered" if safe else (
                    "the answer was lost, and it is not known whether it was done"
                )
                raise NoAnswer("{}: {}: {!r}".format(operation.name, reason, lost), not safe) from lost
            except BaseException:
                connection.close()  # the caller's own iterable failed, or the program is interrupted
                raise
            if received.status < 400:
                return _value(received)
            refused = _refusal(received)
            internal += refused.status == 500
            again = _again(refused, safe, internal)
            if not again or not patience.wait(refused.code, received.after):
                raise refused

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: Any,
    ) -> _Received:
        all_headers = {**self._connection.headers, **headers}
        if body is None and method in ("POST", "PUT", "PATCH"):
            all_headers["Content-Length"] = "0"
        if body is not None and not isinstance(body, bytes):
            all_headers["Transfer-Encoding"] = "chunked"
            self._stream(connection, method, target, body, all_headers)
        else:
            connection.request(method, target, body, all_headers)
        response = connection.getresponse()
        text = response.read().decode()
        received = _Received(
            response.status,
            response.headers.get_content_type(),
            text,
            _seconds(response.headers.get("Retry-After")),
        )
        if response.will_close:
            connection.close()
        else:
            self._connection.give_back(connection)
        return received

    @staticmethod
    def _stream(
        connection: http.client.HTTPConnection,
        method: str,
        target: str,
        body: Any,
        headers: Mapping[str, str],
    ) -> None:
        """Sends a stream; a server that refuses it does not read it to its end, but answers."""
        try:
            connection.request(method, target, body, headers, encode_chunked=True)
        except ConnectionError:
            if connection.sock is None or not select.select([connection.sock], [], [], 1.0)[0]:
                raise

    def _follow(
        self,
        operation: Operation,
        path: str,
        names: Mapping[str, str],
        query: Mapping[str, Any],
        headers: Mapping[str, Optional[str]],
    ) -> Iterator[Event]:
        """The events of a stream, which goes on where it was after every break."""
        last = query.get("after")
        patience = Patience(self._connection, operation.name)
        while True:
            reason = "the stream ended"
            connection = None
            try:
                connection = self._connection.open(self._connection.timeout)
                at = {**query, "after": last} if "after" in query else query
                target = self._base + target_of(path, names, at)
                for event in self._events(connection, target, headers):
                    patience = Patience(self._connection, operation.name)
                    last = last if event.id is None else event.id
                    yield event
                    if event.type == "erase":
                        return
            except (OSError, http.client.HTTPException) as lost:
                reason = repr(lost)
            except ContextureError as refused:
                if not _again(refused, True, patience.attempt):
                    raise
                reason = refused.code
            finally:
                if connection is not None:
                    connection.close()
            if not patience.wait(reason):
                raise NoAnswer("{}: {}".format(operation.name, reason), False)

    def _events(
        self,
        connection: http.client.HTTPConnection,
        target: str,
        headers: Mapping[str, Optional[str]],
    ) -> Iterator[Event]:
        connection.request("GET", target, None, {**self._connection.headers, **_given(headers)})
        response = connection.getresponse()
        if response.status >= 400:
            text = response.read().decode()
            media = response.headers.get_content_type()
            raise _refusal(_Received(response.status, media, text, None))
        yield from events(iter(response.readline, b""))


class Kept:
    """What an iterable gave, for as often as it is wanted; what comes next is read when it is."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._rest = iter(chunks)
        self._seen: List[bytes] = []

    def all(self) -> Iterator[bytes]:
        """Everything from the beginning."""
        yield from list(self._seen)
        for chunk in self._rest:
            self._seen.append(chunk)
            if chunk:
                yield chunk


def events(lines: Iterable[bytes]) -> Iterator[Event]:
    """The events in the lines of a stream; one that is cut off is none."""
    kind, data, number = "message", [], None
    for line in lines:
        text = line.decode().rstrip("\r\n")
        if not line.endswith(b"\n"):
            return
        if not text:
            if data:
                yield Event(kind, json.loads("\n".join(data)), number)
            kind, data, number = "message", [], None
            continue
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            kind = value
        elif name == "data":
            data.append(value)
        elif name == "id" and value.isdigit():
            number = int(value)


def with_id(operation: Operation, body: Any) -> Tuple[Any, bool]:
    """The body with the id by which a repeat is known, and whether the call may be sent again."""
    if not operation.safe or not operation.id:
        return body, operation.safe
    if operation.id == "blocks[].id":
        return _with_block_ids(body)
    known = dict(body or {})
    if operation.made and known.get(operation.id) is None:
        known[operation.id] = uuid.uuid4().hex
    return known, known.get(operation.id) is not None


def _with_block_ids(body: Any) -> Tuple[Any, bool]:
    if body.get("persist") is False:  # what is not stored has no id to be known by
        return body, False
    blocks = [
        block if block.get("id") is not None else {**block, "id": uuid.uuid4().hex}
        for block in body["blocks"]
    ]
    return {**body, "blocks": blocks}, True


def target_of(path: str, names: Mapping[str, str], query: Mapping[str, Any]) -> str:
    """A path with its names and its query."""
    for name, value in names.items():
        path = path.replace("{" + name + "}", quote(value, safe=""))
    given = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in query.items()
        if value is not None
    }
    return path + ("?" + urlencode(given) if given else "")


def _given(headers: Mapping[str, Optional[str]]) -> Dict[str, str]:
    return {name: value for name, value in headers.items() if value is not None}


def _again(refused: ContextureError, safe: bool, internal: int) -> bool:
    """Whether to send a refused call again: it changed nothing, and the reason may pass."""
    if refused.status in (429, 503):
        return safe or refused.code not in ("timed_out", "")
    if refused.status == 500:
        return safe and internal < _INTERNAL_TRIES
    return safe and refused.code == "" and refused.status in (502, 504)  # a proxy's


def _value(received: _Received) -> Any:
    if received.status == 204:
        return None
    return parse(received.text) if received.media == _JSON else received.text


def _refusal(received: _Received) -> ContextureError:
    problem: Dict[str, Any] = {"code": "", "detail": "status {}".format(received.status)}
    if received.media.endswith("json"):
        try:
            problem = json.loads(received.text)
        except ValueError:
            pass  # cut off on its way, or no problem of the server: the status tells
    return ContextureError(received.status, problem)


def _seconds(after: Optional[str]) -> Optional[float]:
    """The seconds of a Retry-After, which may be a date."""
    if after is None:
        return None
    if after.isdigit():
        return float(after)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
