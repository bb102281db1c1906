#!/usr/bin/env bash
# uvicorn 0.54.0 with --limit-concurrency 10: an idle server answers 503, from the tenth client on.
#
# The limit is described as the "maximum number of concurrent connections or tasks to allow". What
# is compared is the number of open connections, with the one that asks among them and with >=: so
# it serves one less than it says, with 1 none at all, and a connection that is kept and does
# nothing counts for its five seconds. Clients that keep theirs, as browsers, pools and proxies do,
# use the limit up without a request under way. The 503 has no Retry-After and ends the connection,
# so the one who repeats opens a new one. A limit that was set to the 10 requests that the app can
# do at a time refuses the tenth user of an hour's quietest second.
#
# Expected below, of clients that come one after the other, each with one request that is answered
# at once, and keep their connections: with limits of 1, 2 and 10 the first 0, 1 and 9 are served,
# and the next three are answered 503 without Retry-After. Exits with 1 if that changes. The server
# is on this machine; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install uvicorn==0.54.0 h11==0.16.0 httptools==0.9.0
cat >"$folder/try.py" <<'PYTHON'
import http.client, threading, time
from importlib.metadata import version

import uvicorn


async def app(scope, receive, send):
    await send({
        "type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


def clients(limit, protocol):
    server = uvicorn.Server(uvicorn.Config(
        app, port=0, limit_concurrency=limit, http=protocol, lifespan="off", ws="none",
        log_level="critical", timeout_keep_alive=60))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    kept, seen = [], []
    for _ in range(limit + 2):
        kept.append(http.client.HTTPConnection("127.0.0.1", port, timeout=30))
        kept[-1].request("GET", "/")
        response = kept[-1].getresponse()
        response.read()
        seen.append((response.status, response.headers.get("Retry-After")))
    for connection in kept:
        connection.close()
    server.should_exit = True
    thread.join(30)
    return seen


for name in ("uvicorn", "h11", "httptools"):
    print(name, version(name))
changed = False
for protocol in ("h11", "httptools"):
    for limit in (1, 2, 10):
        seen = clients(limit, protocol)
        served = [status for status, _ in seen].count(200)
        changed |= seen != [(200, None)] * (limit - 1) + [(503, None)] * 3
        print(f"{protocol}, limit {limit}: {served} served, then", *seen[served:])
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
