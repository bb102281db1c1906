#!/usr/bin/env bash
# python-socketio 5.18.1: a token that ended while its client was connected is sent again at each
# reconnection, and refused, for ever.
#
# The server lets a connection in by its auth and refuses it by ConnectionRefusedError, "token
# expired". On a first connect() that is raised. On a reconnection it counts as a lost network: the
# client tries again without an end (reconnection_attempts is 0), each time with the auth of the
# first connect() and with two requests or more. So after a restart of the server, hours after the
# sign-in, all clients with shorter tokens stay and ask every few seconds until they are killed. The
# client of the same protocol for JavaScript stops at such a refusal and says so in its documents.
# auth may be a function, which is asked each time; a dict is what the examples have. The documents
# have randomization_factor, 0.5, as "each delay is randomly adjusted by +/- 50%"; it is added in
# seconds: with a pause of a minute all clients come within one second.
#
# Expected below, of a client that loses its connection after its token has ended: at least 8
# refused connections with the same token, connect_error for each and the client still trying; with
# a function that brings a new token one connection and no refusal; pauses of 60 s between 59.5 and
# 60.5 s. Exits with 1 if that changes. The server is on this machine; needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install python-socketio==5.18.1 python-engineio==4.15.1 \
    requests==2.34.2 websocket-client==1.9.2 uvicorn==0.54.0 wsproto==1.3.2
cat >"$folder/try.py" <<'PYTHON'
import contextlib, os, socket, sys, threading, time
from importlib.metadata import version

import socketio, uvicorn

arrived, good, pairs = [], set(), []
server = socketio.AsyncServer(async_mode="asgi")


@server.event
async def connect(session, environment, auth):
    arrived.append(auth["token"])
    if auth["token"] not in good:
        raise socketio.exceptions.ConnectionRefusedError("token expired")


def pipe(source, sink):
    with contextlib.suppress(OSError):
        while piece := source.recv(65536):
            sink.sendall(piece)
    cut((source, sink))


def cut(pair):
    for end in pair:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def relay():
    while True:
        client = listener.accept()[0]
        pairs.append((client, socket.create_connection(("127.0.0.1", port))))
        for pair in (pairs[-1], pairs[-1][::-1]):
            threading.Thread(target=pipe, args=pair, daemon=True).start()


web = uvicorn.Server(uvicorn.Config(
    socketio.ASGIApp(server), port=0, log_level="critical", lifespan="off"))
threading.Thread(target=web.run, daemon=True).start()
while not web.started:
    time.sleep(0.05)
port = web.servers[0].sockets[0].getsockname()[1]
listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=relay, daemon=True).start()


def until(condition):
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)


def cut_off(auth):
    """The tokens with which a client comes back when its first one has ended."""
    refusals, good_before = [], {"first"}
    good.clear()
    good.update(good_before)
    client = socketio.Client(
        reconnection_delay=0.6, reconnection_delay_max=0.6, randomization_factor=0.1)
    client.on("connect_error", refusals.append)
    client.connect(f"http://127.0.0.1:{listener.getsockname()[1]}", auth=auth, wait_timeout=20)
    arrived.clear()
    good.clear()
    good.add("second")
    for pair in pairs:
        cut(pair)
    until(lambda: len(refusals) >= 8 or "second" in arrived)
    time.sleep(1)
    seen = set(arrived), len(arrived), len(refusals), client.connected
    client.shutdown()
    return seen


print("python-socketio", version("python-socketio"))
fixed = cut_off({"token": "first"})
tokens = iter(["first", "second", "second"])
asked = cut_off(lambda: {"token": next(tokens)})
for name, (tokens, count, refused, connected) in (("dict", fixed), ("function", asked)):
    print(f"auth is a {name}: {count} connections with {sorted(tokens)}, {refused} refused,",
          "connected" if connected else "still trying")
pauses = []
client = socketio.Client(reconnection_delay=60, reconnection_delay_max=60)


class Pauses:
    """An event of the client that notes how long it is waited for."""
    def wait(self, seconds):
        pauses.append(seconds)
        return len(pauses) == 200

    def clear(self): pass
    def set(self): pass


client._reconnect_abort = Pauses()
client.connection_url, client.connection_namespaces = "http://127.0.0.1:1", []
client.connect = lambda *_, **__: (_ for _ in ()).throw(socketio.exceptions.ConnectionError())
client._handle_reconnect()
print(f"{len(pauses)} pauses of 60 s: {min(pauses):.2f} to {max(pauses):.2f} s")
is_so = fixed[0] == {"first"} and fixed[1] >= 8 and fixed[2] >= 8 and not fixed[3]
is_so &= asked == ({"second"}, 1, 0, True) and 59.4 < min(pauses) and max(pauses) < 60.6
sys.stdout.flush()
os._exit(0 if is_so else 1)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
