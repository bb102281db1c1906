#!/usr/bin/env bash
# Flask-Limiter 4.1.1 with its headers: in the last second of a window a refusal says Retry-After:
# 0, and a client that obeys comes again without a pause, dozens of times.
#
# The header is the rest of the window without its fraction, with the default strategy and with the
# moving window. So who waits as told is back up to a second early, is refused, told 0, and sends
# as fast as the network allows until the window ends: the limiter makes the storm that it is there
# against, of the clients that are polite. slowapi 0.1.10, over the same library of limits, adds a
# second; who obeys is served. Both send the header on each 200 as well, where a client that looks
# for Retry-After before it looks at the status waits for a window after each call.
#
# Expected below, of a client that asks five times at the beginning of a window of 4 s, then
# waits as told and asks until it is served: with Flask-Limiter a refusal with 3 and then more than
# five with 0, with slowapi 1 refusal; Retry-After on all five responses of 200. Exits with 1 if
# that changes. No request leaves the process. Needs python3 and PyPI; everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile Flask==3.1.3 Flask-Limiter==4.1.1 \
    starlette==1.3.1 slowapi==0.1.10 httpx==0.28.1 limits==5.8.0
cat >"$folder/try.py" <<'PYTHON'
import time
from importlib.metadata import version

import flask, flask_limiter, slowapi
from slowapi.errors import RateLimitExceeded
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

LIMIT = "5 per 4 seconds"


def by_flask(strategy):
    app = flask.Flask(strategy)
    limiter = flask_limiter.Limiter(
        lambda: "user", app=app, storage_uri="memory://", headers_enabled=True, strategy=strategy)
    app.get("/")(limiter.limit(LIMIT)(lambda: "ok"))
    return app.test_client()


def by_slowapi():
    limiter = slowapi.Limiter(key_func=lambda request: "user", headers_enabled=True)

    @limiter.limit(LIMIT)
    def call(request): return PlainTextResponse("ok")

    app = Starlette(routes=[Route("/", call)])
    app.state.limiter = limiter
    app.add_exception_handler(RateLimitExceeded, slowapi._rate_limit_exceeded_handler)
    return TestClient(app)


def play(client):
    """Whether each 200 had the header, and the pauses of a client that obeys until it is served."""
    on_good, pauses = [], []
    client.get("/warm-up")
    time.sleep((0.8 - time.time()) % 1)  # the header counts from whole seconds
    for number in range(5):
        response = client.get("/")
        assert response.status_code == 200
        on_good.append("Retry-After" in response.headers)
        if number == 0: time.sleep(0.4)
    while (response := client.get("/")).status_code == 429:
        pauses.append(int(response.headers["Retry-After"]))
        time.sleep(pauses[-1])
    return all(on_good), pauses


seen = {}
for name, client in (("Flask-Limiter, fixed-window", by_flask("fixed-window")),
                     ("Flask-Limiter, moving-window", by_flask("moving-window")),
                     ("slowapi", by_slowapi())):
    on_good, pauses = play(client)
    print(f"{name} {version(name.split(',')[0])}: {len(pauses)} refusals, Retry-After",
          *pauses[:3], "..." if len(pauses) > 3 else "", "- on each 200 too" if on_good else "")
    seen[name] = on_good and (len(pauses) == 1 if name == "slowapi" else (
        pauses[0] == 3 and pauses[1:].count(0) > 5))
raise SystemExit(0 if all(seen.values()) else 1)
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py"
