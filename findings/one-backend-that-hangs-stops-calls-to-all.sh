#!/bin/bash
# aiohttp 3.14.5 and httpx 0.28.1: when one API hangs, calls to each other host are never sent, the
# refresh of a token among them; aiohttp reports a host that is well as one that does not connect.
#
# Both have one pool of 100 connections for all hosts of a session. A hundred calls that wait for an
# API take all of it, and a call to the token endpoint, or to any other service, waits for one of
# them: until its own time-out, without a packet. aiohttp takes that wait out of the time for
# connecting, so it ends as "Connection timeout to host" with the name of the host that was never
# asked; httpx has PoolTimeout. The outage of one service becomes one of all, its error points to
# the wrong one, and a breaker for each host opens for those that are well. aiohttp has
# limit_per_host, 0 by itself, for no limit. requests 2.34.2 has a pool for each host.
#
# Expected below, of a session with a hundred calls to a host that hangs, and one call to another,
# with 2 s to connect: ConnectionTimeoutError with the name of the other host and PoolTimeout,
# neither of them connected to; 200 with limit_per_host=50, and 200 with requests. Exits with 1 if
# that changes. The servers are on this machine; needs python3 and PyPI; everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile aiohttp==3.14.5 httpx==0.28.1 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import asyncio, http.server, os, socket, threading, time
from importlib.metadata import version

import aiohttp, httpx, requests

CALLS, held, connected = 100, [], []


def hold(listener):
    while True:
        held.append(listener.accept()[0])


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        connected.append(1)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


listener = socket.create_server(("127.0.0.1", 0), backlog=1000)
threading.Thread(target=hold, args=(listener,), daemon=True).start()
server = http.server.ThreadingHTTPServer(("127.0.0.2", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
hanging = f"http://127.0.0.1:{listener.getsockname()[1]}/"
well = f"http://127.0.0.2:{server.server_port}/"


async def with_aiohttp(limit_per_host=0):
    timeout = aiohttp.ClientTimeout(total=60, connect=2)
    connector = aiohttp.TCPConnector(limit_per_host=limit_per_host)
    async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:
        calls = [asyncio.create_task(session.get(hanging)) for _ in range(CALLS)]
        while len(held) < (limit_per_host or CALLS):
            await asyncio.sleep(0.01)
        try:
            async with session.get(well) as response:
                return response.status
        except aiohttp.ClientError as error:
            return f"{type(error).__name__}{' with its name' * (well in str(error))}"
        finally:
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)


async def with_httpx():
    async with httpx.AsyncClient(timeout=httpx.Timeout(60, pool=2)) as client:
        calls = [asyncio.create_task(client.get(hanging)) for _ in range(CALLS)]
        while len(held) < CALLS:
            await asyncio.sleep(0.01)
        try:
            return (await client.get(well)).status_code
        except httpx.TimeoutException as error:
            return type(error).__name__
        finally:
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)


def with_requests():
    session = requests.Session()
    for _ in range(CALLS):
        threading.Thread(target=session.get, args=(hanging,), daemon=True).start()
    while len(held) < CALLS:
        time.sleep(0.01)
    return session.get(well, timeout=2).status_code


changed = False
for name, play, expected in (
    ("aiohttp", lambda: asyncio.run(with_aiohttp()), ("ConnectionTimeoutError with its name", 0)),
    ("aiohttp, limit_per_host", lambda: asyncio.run(with_aiohttp(50)), (200, 1)),
    ("httpx", lambda: asyncio.run(with_httpx()), ("PoolTimeout", 0)),
    ("requests", with_requests, (200, 1)),
):
    held.clear()
    connected.clear()
    seen = play(), len(connected)
    changed |= seen != expected
    print(f"{name} {version(name.split(',')[0])}: {seen[0]}, {seen[1]} requests arrived there")
os._exit(changed)  # without waiting for the threads of requests
PYTHON
"$folder/venv/bin/python3" -u "$folder/try.py"
