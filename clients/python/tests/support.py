"""A proxy that loses answers, and a model that says what it is told to."""

import http.client
import http.server
import os
import socket
import threading
import urllib.parse
import uuid

from contexture import Contexture

URL = os.environ.get("CONTEXTURE_URL", "http://127.0.0.1:8321")


def new_names():
    """A user and a conversation that nobody else has."""
    return "u" + uuid.uuid4().hex[:8], "c1"


def new_conversation(client):
    """A conversation that nobody else has."""
    return client.conversation(*new_names())


class Proxy:
    """Between client and server; plan says what happens to calls whose path ends so, in their order.

    lose: the server does it, and the answer is lost. busy: 503 with Retry-After, nothing is done.
    cut: the answer breaks off behind its first event.
    """

    def __init__(self):
        self.plan = []
        self.calls = []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                proxy.handle(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *unused):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = "http://127.0.0.1:{}".format(self.server.server_address[1])

    def handle(self, call):
        path = urllib.parse.urlsplit(call.path).path
        body = read_body(call)
        self.calls.append((call.command, path))
        happens = ""
        if self.plan and path.endswith(self.plan[0][0]):
            happens = self.plan.pop(0)[1]
        if happens == "busy":
            text = b'{"code":"store_unavailable","status":503,"detail":"busy"}'
            call.send_response(503)
            call.send_header("Retry-After", "1")
            call.send_header("Content-Type", "application/problem+json")
            call.send_header("Content-Length", str(len(text)))
            call.end_headers()
            call.wfile.write(text)
            return
        to = urllib.parse.urlsplit(URL)
        server = http.client.HTTPConnection(to.hostname, to.port, timeout=60)
        headers = {
            name: value
            for name, value in call.headers.items()
            if name.lower() not in ("host", "transfer-encoding", "content-length", "connection")
        }
        server.request(call.command, call.path, body, headers)
        try:
            self.pass_on(call, server.getresponse(), happens)
        except ConnectionError:
            call.close_connection = True  # the client has read enough
        finally:
            server.close()

    def pass_on(self, call, answer, happens):
        if happens == "lose":
            answer.read()
            self.hang_up(call)
            return
        call.send_response(answer.status)
        call.send_header("Content-Type", answer.headers["Content-Type"] or "application/json")
        call.send_header("Connection", "close")
        call.close_connection = True
        call.end_headers()
        for line in iter(answer.readline, b""):
            call.wfile.write(line)
            call.wfile.flush()
            if happens == "cut" and line.startswith(b"data:"):
                self.hang_up(call)
                return

    @staticmethod
    def hang_up(call):
        call.close_connection = True
        call.connection.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def read_body(call):
    """The body of a call, with a length or in chunks."""
    if call.headers.get("Transfer-Encoding") == "chunked":
        parts = []
        while True:
            size = int(call.rfile.readline(), 16)
            parts.append(call.rfile.read(size))
            call.rfile.readline()
            if size == 0:
                return b"".join(parts)
    return call.rfile.read(int(call.headers.get("Content-Length", 0))) or None


class Model:
    """A provider that says what it is told to, one answer after the other."""

    def __init__(self, answers):
        self.answers = list(answers)
        self.bodies = []
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # noqa: N802
                model.bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
                text = model.answers.pop(0).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *unused):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = "http://127.0.0.1:{}/v1/messages".format(self.server.server_address[1])

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def proxied(proxy, **settings):
    """A client that speaks through a proxy."""
    return Contexture(proxy.url, **settings)
