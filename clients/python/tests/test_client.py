"""The client against a running server, whose address is CONTEXTURE_URL."""

import json
import os
import pathlib
import socket
import sys
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "examples")]

import agent  # noqa: E402
from contexture import Contexture, ContextureError, NoAnswer, RawJson, exact  # noqa: E402
from support import URL, Model, Proxy, new_conversation, new_names, proxied  # noqa: E402

CLAUDE = {"provider": "anthropic", "model": "claude-opus-5"}
STREAM = [
    b'event: message_start\ndata: {"type":"message_start","message":{"id":"m1","type":"message","role":"assistant",'
    b'"model":"claude-opus-5","content":[],"stop_reason":null,"usage":{"input_tokens":5,"output_tokens":1}}}\n\n',
    b'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
    b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"4 degr"}}\n\n',
    b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ees."}}\n\n',
    b'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
    b'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7}}\n\n',
    b'event: message_stop\ndata: {"type":"message_stop"}\n\n',
]


def answer(text, calls=(), stop=None):
    """An answer of Anthropic."""
    parts = [{"type": "text", "text": text}]
    parts += [{"type": "tool_use", "id": i, "name": name, "input": {"city": "Oslo"}} for i, name in calls]
    return json.dumps(
        {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-5",
            "stop_reason": stop or ("tool_use" if calls else "end_turn"),
            "stop_sequence": None,
            "content": parts,
            "usage": {"input_tokens": 100, "output_tokens": 10},
        }
    )


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.direct = Contexture(URL)
        self.chat = new_conversation(self.direct)
        self.proxy = Proxy()
        self.retries = []
        self.client = proxied(self.proxy, on_retry=self.retries.append, patience=30)
        self.through = new_conversation(self.client)

    def tearDown(self):
        self.client.close()
        self.direct.close()
        self.proxy.close()

    def texts(self, chat, kind):
        return [b.get("text") for b in chat.get_timeline()["blocks"] if b["type"] == kind]

    def test_goes_through_a_turn(self):
        begun = self.chat.step({"turn": {"prompt": "Weather in Oslo?"}, "request": CLAUDE})
        self.assertTrue(begun["turn"]["new_conversation"])
        body = exact(begun, "request")
        self.assertEqual(json.loads(body), begun["request"])
        self.assertIn(body, begun.text)
        response = RawJson(answer("4 degrees."))
        done = self.chat.step(
            {
                "response": {**CLAUDE, "response": response, "request_id": begun["request_id"]},
                "finish": {},
                "request": CLAUDE,
            }
        )
        self.assertEqual((done["reply"]["outcome"], done["status"]), ("answered", "complete"))
        self.assertEqual(self.chat.get_conversation()["turns"], 1)
        kept = self.chat.get_request(begun["request_id"])
        self.assertEqual(exact(kept, "request"), body)

    def test_does_once_what_is_sent_twice(self):
        self.proxy.plan = [("/turns", "lose"), ("/blocks", "lose"), ("/finish", "lose"), ("/step", "lose")]
        turn = self.through.start_turn({"prompt": "one"})["turn_id"]
        self.through.add_blocks({"blocks": [{"type": "react.note", "text": "noted"}]})
        self.through.finish_turn(turn, {"completion": "done"})
        self.through.step({"turn": {"prompt": "two"}, "finish": {"completion": "done again"}})
        self.assertEqual(self.proxy.plan, [])
        self.assertEqual(len(self.retries), 4)
        self.assertEqual(self.texts(self.through, "user.prompt"), ["one", "two"])
        self.assertEqual(self.texts(self.through, "react.note"), ["noted"])
        self.assertEqual(self.texts(self.through, "assistant.completion"), ["done", "done again"])

    def test_takes_files_in_and_out(self):
        user, name = new_names()
        old = {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]}
        self.proxy.plan = [("/import", "lose")]
        taken = self.client.import_file(user, {"file": json.dumps(old), "conversation": name})
        self.assertEqual([c["conversation_id"] for c in taken["conversations"]], [name])
        chat = self.direct.conversation(user, name)
        self.assertEqual(self.texts(chat, "assistant.completion"), ["ho"])
        lines = [json.loads(line) for line in chat.export_conversation().splitlines()]
        self.assertEqual(lines[0]["line"]["type"], "archive")
        self.assertIn("hi", chat.export_conversation(format="markdown"))
        found = self.direct.find_for_user(user, query="hi")
        self.assertEqual(found["mode_used"], "fts")

    def test_does_not_repeat_what_would_be_done_twice(self):
        self.proxy.plan = [("/archival", "lose")]
        name = self.through._base.split("/")[3]
        with self.assertRaises(NoAnswer) as lost:
            self.client.agent(name).add_archival_entry({"content": "once"})
        self.assertTrue(lost.exception.unknown)
        entries = self.direct.agent(name).list_archival_entries(content="full")["entries"]
        self.assertEqual([entry["content"] for entry in entries], ["once"])

    def test_waits_as_long_as_the_server_asks(self):
        self.proxy.plan = [("/turns", "busy"), ("/archival", "busy")]
        self.through.start_turn({"prompt": "one"})
        self.client.agent("patient").add_archival_entry({"content": "x"})  # a refusal changed nothing
        self.assertEqual([retry.pause for retry in self.retries], [1.0, 1.0])
        self.assertEqual([retry.reason for retry in self.retries], ["store_unavailable"] * 2)

    def test_says_what_was_refused(self):
        with self.assertRaises(ContextureError) as refused:
            self.chat.get_conversation()
        self.assertEqual((refused.exception.status, refused.exception.code), (404, "not_found"))
        with self.assertRaises(ContextureError) as refused:
            self.chat.start_turn({"promt": "x"})
        self.assertEqual(refused.exception.code, "unknown_field")
        self.assertEqual(refused.exception.field, "promt")

    def test_gives_up_when_its_patience_is_over(self):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            url = "http://127.0.0.1:{}".format(nobody.getsockname()[1])
            with self.assertRaises(NoAnswer) as lost:
                Contexture(url, patience=0.2).get_health()
        self.assertFalse(lost.exception.unknown)

    def test_follows_what_happens_across_breaks(self):
        self.through.start_turn({"prompt": "p0"})
        self.proxy.plan = [("/events", "cut"), ("/events", "cut")]
        seen = []

        def write():
            for i in range(1, 4):
                self.chat_of(self.through).add_blocks({"blocks": [{"type": "react.note", "text": "n%d" % i}]})

        writer = threading.Thread(target=write)
        writer.start()
        for event in self.through.follow_conversation(after=0):
            if event.type == "block" and event.data["block"]["type"] == "react.note":
                text = event.data["block"]["text"]
                if text not in seen:
                    seen.append(text)
                if text == "n3":
                    break
        writer.join()
        self.assertEqual(seen, ["n1", "n2", "n3"])
        self.assertEqual(self.proxy.plan, [])

    def chat_of(self, other):
        """The same conversation without the proxy."""
        _, _, _, user, _, conversation = other._base.split("/")
        return self.direct.conversation(user, conversation)

    def test_records_a_stream_as_it_comes(self):
        self.through.start_turn({"prompt": "Weather?"})
        built = self.through.build_request({**CLAUDE, "stream": True})
        self.proxy.plan = [("/responses", "lose")]
        reply = self.through.record_stream(iter(STREAM), request_id=built["request_id"], **CLAUDE)
        self.assertEqual((reply["text"], reply["outcome"]), ("4 degrees.", "answered"))
        self.assertEqual(len(self.retries), 1)
        self.assertEqual(self.texts(self.through, "assistant.completion"), ["4 degrees."])

    def test_keeps_a_stream_that_breaks_off(self):
        self.chat.start_turn({"prompt": "Weather?"})
        built = self.chat.build_request({**CLAUDE, "stream": True})
        reply = self.chat.record_stream(STREAM[:3], request_id=built["request_id"], **CLAUDE)
        self.assertEqual((reply["text"], reply["outcome"]), ("4 degr", "truncated"))

    def test_says_what_a_stream_was_refused_for(self):
        with self.assertRaises(ContextureError) as refused:
            self.chat.record_stream(iter(STREAM), request_id="none", **CLAUDE)
        self.assertIn(refused.exception.code, ("no_active_turn", "not_found"))

    def test_edits_memory(self):
        notes = self.direct.agent("a" + self.chat._base.split("/")[3])
        notes.create_memory_block({"label": "notes", "block_type": "core", "permission": "admin", "content": "Ann"})
        notes.edit_memory_block("notes", {"ops": [{"op": "append_text", "text": " lives in Oslo."}]})
        self.assertEqual(notes.get_memory_block("notes")["value"], "Ann lives in Oslo.")
        self.assertEqual(notes.get_memory_block("notes", at=1)["value"], "Ann")
        self.assertIsNone(notes.delete_memory_block("notes"))
        self.assertEqual(notes.search_agent({"query": "Oslo"})["hits"], [])

    def test_the_agent_needs_one_round_trip_for_each_call_of_the_model(self):
        script, expected = [], []
        for turn in range(30):
            for round in range(turn % 3):
                calls = [("toolu_%d_%d%d" % (turn, round, i), "get_weather") for i in range(round + 1)]
                script.append(answer("Let me look.", calls))
            stop = {7: "refusal", 12: "max_tokens"}.get(turn)
            script.append(answer("Answer %d." % turn, stop=stop))
            outcome = {7: "refused", 12: "truncated"}.get(turn, "answered")
            expected.append((outcome, "Answer %d." % turn))
        model = Model(script)
        try:
            played = agent.Agent(self.chat, model.url, "claude-opus-5", "")
            replies = [played.turn("question %d" % turn) for turn in range(30)]
        finally:
            model.close()
        self.assertEqual([(r["outcome"], r["text"]) for r in replies], expected)
        self.assertEqual(played.model_calls, len(script))
        self.assertEqual(played.round_trips, len(script) + 30)
        self.assertEqual(self.chat.get_conversation()["turns"], 30)


class KeyTest(unittest.TestCase):
    """Against a server with keys: that of the project acme/shop, and that of the host."""

    URL = os.environ["CONTEXTURE_TEST_KEYS_URL"]
    KEY = os.environ["CONTEXTURE_TEST_KEY"]
    HOST = os.environ["CONTEXTURE_TEST_HOST_KEY"]

    def refused(self, **options):
        with Contexture(self.URL, **options) as client:
            with self.assertRaises(ContextureError) as caught:
                client.conversation("u1", "c1").start_turn({"prompt": "hi"})
        return caught.exception.status, caught.exception.code

    def test_sends_its_key(self):
        self.assertEqual(self.refused(), (401, "unauthenticated"))
        self.assertEqual(self.refused(key="no-such-key-0123456789abcdef")[0], 401)
        with Contexture(self.URL, key=self.KEY) as client:
            caller = client.get_caller()
            self.assertEqual((caller["role"], caller["tenant"], caller["project"]), ("writer", "acme", "shop"))
            chat = new_conversation(client)
            chat.start_turn({"prompt": "hi", "turn_id": "t1"})
            events = chat.follow_conversation(after=0)  # the key goes with streams, too
            self.assertEqual(next(events).data["turn_id"], "t1")
            events.close()

    def test_sends_tenant_and_project(self):
        self.assertEqual(self.refused(key=self.KEY, tenant="other"), (403, "forbidden"))
        self.assertEqual(self.refused(key=self.KEY, project="other"), (403, "forbidden"))
        user, conversation = new_names()
        with Contexture(self.URL, key=self.HOST, tenant="acme", project="shop") as host:
            host.conversation(user, conversation).start_turn({"prompt": "hi"})
        with Contexture(self.URL, key=self.KEY) as client:
            self.assertEqual(client.conversation(user, conversation).get_conversation()["turns"], 1)
        with Contexture(self.URL, key=self.HOST, tenant="acme", project="other") as host:
            with self.assertRaises(ContextureError) as caught:
                host.conversation(user, conversation).get_conversation()
            self.assertEqual(caught.exception.code, "not_found")


class WithoutServerTest(unittest.TestCase):
    def test_finds_members_as_they_are_spelled(self):
        from contexture.jsontext import dump, parse

        text = ' { "a" : [1.0, {"request":"no"}] , "request" : {"x":1.50,"s":"}\\"]"} , "n":null } '
        value = parse(text)
        self.assertEqual(exact(value, "request"), '{"x":1.50,"s":"}\\"]"}')
        self.assertEqual(exact(value, "a"), '[1.0, {"request":"no"}]')
        self.assertEqual(exact(value, "n"), "null")
        self.assertRaises(KeyError, exact, value, "x")
        self.assertRaises(TypeError, exact, {}, "x")
        self.assertEqual(dump({"r": RawJson(" 1.0 "), "l": [RawJson("{ }"), None]}), '{"r":1.0,"l":[{ },null]}')
        self.assertRaises(ValueError, RawJson, "{")
        self.assertRaises(ValueError, dump, {"x": float("nan")})

    def test_leaves_out_an_event_that_is_cut_off(self):
        from contexture.transport import events

        lines = [b": hello\n", b"\n", b"id: 2\n", b"event: turn\n", b'data: {"a":1}\n', b"\n", b'data: {"b"']
        self.assertEqual([(e.type, e.data, e.id) for e in events(lines)], [("turn", {"a": 1}, 2)])


if __name__ == "__main__":
    unittest.main()
