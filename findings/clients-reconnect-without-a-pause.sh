#!/bin/bash
# websockets 17.4 and kubernetes 37.0.2: a server that lets them in and then ends the connection is
# asked again at once, hundreds of times a second, for as long as it does so.
#
# "async for websocket in connect()" is what websockets has for clients that stay connected, with
# exponential backoff. The backoff is for a handshake that fails, and begins anew with each one that
# succeeds. But a server that is full, restarts, or has looked at the token of the first message,
# says so after the handshake: 1013, try again later, 1012 or 1008. Then there is no pause at all.
# Watch.stream of kubernetes asks again at the resource version that it has, without any pause, when
# a response ends, as it does where a proxy or the server shuts watches down. One client is a load
# of hundreds of requests a second on a server that asked for less. sseclient 0.0.27 waits 3 s each
# time.
#
# Expected below, of a server that accepts and ends at once: 50 connections with two of them and no
# pause; 3 with sseclient with pauses of 3 s. Of one that refuses with 503: websockets waits each
# time, kubernetes raises. Exits with 1 if that changes. Pauses are noted and not slept, the servers
# are on this machine. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile websockets==17.4 kubernetes==37.0.2 \
    sseclient==0.0.27
cat >"$folder/try.py" <<'PYTHON'
import asyncio, contextlib, http.server, io, logging, threading, time
from importlib.metadata import version

import kubernetes, sseclient, websockets
from websockets.asyncio import client as websockets_client

logging.disable()
pauses = []


def delays():
    for seconds in websockets_client.backoff():
        pauses.append(seconds)
        yield 0


class Server(http.server.BaseHTTPRequestHandler):
    arrived, status = 0, 200

    def log_message(self, *_): pass

    def do_GET(self):
        Server.arrived += 1
        self.send_response(self.status)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"


async def with_websockets(accepts):
    arrived = 0

    def process(connection, request):
        nonlocal arrived
        arrived += 1
        return None if accepts else connection.respond(503, "busy")

    async def full(websocket): await websocket.close(1013, "try again later")

    async with websockets.serve(full, "127.0.0.1", 0, process_request=process) as listener:
        port = listener.sockets[0].getsockname()[1]
        connect = websockets.connect(f"ws://127.0.0.1:{port}", reconnect_delays=delays)
        task = asyncio.create_task(talk(connect))
        while arrived < 50:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    return arrived, len(pauses)


async def talk(connect):
    async for websocket in connect:
        try:
            async for _ in websocket: pass
        except websockets.ConnectionClosed:
            continue


def with_kubernetes(accepts):
    configuration = kubernetes.client.Configuration(host=url)
    core = kubernetes.client.CoreV1Api(kubernetes.client.ApiClient(configuration))
    watch = kubernetes.watch.Watch()
    Server.arrived, Server.status = 0, 200 if accepts else 503

    def list_namespace(*args, **named):
        if Server.arrived == 49:
            watch.stop()
        return core.list_namespace(*args, **named)

    list_namespace.__doc__ = core.list_namespace.__doc__
    try:
        for _ in watch.stream(list_namespace, resource_version="5"): pass
    except kubernetes.client.ApiException as error:
        return Server.arrived, error.status
    return Server.arrived, len(pauses)


def with_sseclient():
    Server.arrived, Server.status = 0, 200

    def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            raise KeyboardInterrupt

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(KeyboardInterrupt):
        time.sleep = sleep
        for _ in sseclient.SSEClient(url): pass
    return Server.arrived, *pauses


seen = {}
for name, play in (
    ("websockets, accepted and ended", lambda: asyncio.run(with_websockets(True))),
    ("websockets, refused", lambda: asyncio.run(with_websockets(False))),
    ("kubernetes, accepted and ended", lambda: with_kubernetes(True)),
    ("kubernetes, refused", lambda: with_kubernetes(False)),
    ("sseclient, accepted and ended", with_sseclient),
):
    pauses.clear()
    arrived, *rest = seen[name] = play()
    print(name + ":", arrived, "connections, pauses, lengths or error:", *rest)
for package in ("websockets", "kubernetes", "sseclient"):
    print(package, version(package))
ends, refused, *others = seen.values()
is_so = ends[0] >= 50 and ends[1] == 0 and refused[1] >= 49
raise SystemExit(not is_so or others != [(50, 0), (1, 503), (3, 3, 3, 3)])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
