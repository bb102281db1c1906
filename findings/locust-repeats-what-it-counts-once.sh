#!/bin/bash
# locust 2.47.0 with FastHttpUser: a GET whose connection ends without a response is sent twelve
# times and counted once, with max_retries at 0.
#
# FastHttpUser is the client that locust's documents have for more load from one machine. Below it,
# geventhttpclient 2.6.1 sends a request again, at once, for as many connections as its pool may
# have, and twice more: each could have been a kept one that was closed meanwhile. It does so for a
# new connection as well, for GET, PUT and DELETE, and it does not know max_retries, which is for
# the layer above and 0. So a server that starts to drop connections at its limit gets twelve times
# the load from that moment, and the report has a twelfth of it, as failures: the breaking point
# that a test finds is the tool's own. HttpUser, of the same script, sends each request once.
#
# Expected below, of one user's GET, PUT, DELETE and POST, which the server reads and closes: each
# is counted as 1 failure; with FastHttpUser 12, 12, 12 and 1 arrive, with concurrency at 1 three of
# each but POST, with HttpUser 1 of each. Exits with 1 if that changes. The server is on this
# machine; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile locust==2.47.0 geventhttpclient==2.6.1
cat >"$folder/try.py" <<'PYTHON'
from locust import FastHttpUser, HttpUser, events
from locust.env import Environment

import socket
from importlib.metadata import version

import gevent

METHODS = "GET", "PUT", "DELETE", "POST"
arrived = []


def serve(connection):
    with connection, connection.makefile("rb") as stream:
        arrived.append(stream.readline().split()[0].decode())
        while stream.readline().strip():
            pass


def accept():
    while True:
        gevent.spawn(serve, server.accept()[0])


server = socket.create_server(("127.0.0.1", 0), backlog=50)
gevent.spawn(accept)


def play(kind, pool):
    class User(kind):
        host = f"http://127.0.0.1:{server.getsockname()[1]}"
        concurrency = pool
        max_retries = 0

    arrived.clear()
    environment = Environment(user_classes=[User], events=events)
    environment.create_local_runner()
    user = User(environment)
    for method in METHODS:
        user.client.request(method, "/items")
    total = environment.stats.total
    return ([arrived.count(method) for method in METHODS], total.num_requests, total.num_failures)


for name in ("locust", "geventhttpclient"):
    print(name, version(name))
changed = False
for kind, pool, expected in (
    (FastHttpUser, 10, [12, 12, 12, 1]), (FastHttpUser, 1, [3, 3, 3, 1]),
    (HttpUser, 10, [1, 1, 1, 1]),
):
    seen, requests, failures = play(kind, pool)
    changed |= (seen, requests, failures) != (expected, 4, 4)
    print(f"{kind.__name__}, concurrency {pool}: counted {requests} requests, {failures} failures;",
          "arrived:", *(f"{method} {count}" for method, count in zip(METHODS, seen)))
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
