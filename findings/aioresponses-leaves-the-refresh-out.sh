#!/bin/bash
# aioresponses 0.7.9 with aiohttp 3.13.5: the middlewares of a session, where aiohttp documents put
# the token, its refresh and retries, are not called in a test; a client whose refresh is broken and
# one that has none pass the same tests.
#
# Since 3.12 a session takes middlewares; they run inside ClientSession._request. aioresponses
# replaces that function, so that what it mocks is above them: no token in the header, no refresh at
# a 401, no retry at a 503, nothing logged of it. The response that the test gave is what the app
# sees. So a test that a 401 is followed by a refresh is red with the right client, and one that the
# app shows its sign-in at a 401 is green with a client that in production refreshes, or loops. What
# was sent, as the mock tells it, has no Authorization header either: one looks for the fault in the
# client. raise_for_status of the session is looked at, so it is not that nothing of the session is
# in effect. A server of aiohttp.test_utils in the same process has none of this.
#
# Expected below, of one call with a middleware that adds a token and repeats a call with a new one
# after a 401, and a server that wants the new one: with a test server 200, 2 calls of the
# middleware's handler, tokens old and new; with aioresponses 401, 0 calls and no Authorization; of
# a middleware that raises an error, with the test server that error, with aioresponses 200; with
# raise_for_status ClientResponseError from both. Exits with 1 if that changes. No request leaves
# the machine; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile aiohttp==3.13.5 aioresponses==0.7.9
cat >"$folder/try.py" <<'PYTHON'
import asyncio, contextlib
from importlib.metadata import version

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer
from aioresponses import aioresponses


async def refreshing(request, handler):
    request.headers["Authorization"] = "Bearer old"
    calls.append("old")
    response = await handler(request)
    if response.status == 401:
        request.headers["Authorization"] = "Bearer new"
        calls.append("new")
        response = await handler(request)
    return response


async def broken(request, handler):
    raise KeyError("token")


async def api(request):
    shown.append(request.headers.get("Authorization"))
    return web.Response(status=200 if shown[-1] in wanted else 401)


@contextlib.asynccontextmanager
async def by_server():
    app = web.Application()
    app.router.add_get("/", api)
    async with TestServer(app) as server:
        yield server.make_url("/")


@contextlib.asynccontextmanager
async def by_mock():
    with aioresponses() as mock:
        for status in ((401, 200) if None not in wanted else (200,)):
            mock.get("http://api.example/", status=status)
        yield "http://api.example/"
        shown.extend((call.kwargs.get("headers") or {}).get("Authorization")
                     for made in mock.requests.values() for call in made)


async def play(place, *middlewares, **options):
    calls.clear(), shown.clear()
    async with place() as address:
        async with aiohttp.ClientSession(middlewares=middlewares, **options) as session:
            try:
                async with session.get(address) as response:
                    end = response.status
            except (KeyError, aiohttp.ClientResponseError) as error:
                end = type(error).__name__
    print(f"  {end}; middleware sent {calls}, the server saw {shown}")
    return end, len(calls), list(shown)


print("aiohttp", version("aiohttp"), "aioresponses", version("aioresponses"))
calls, shown, seen = [], [], []
for name, place in (("test server", by_server), ("aioresponses", by_mock)):
    print(name)
    wanted = {"Bearer new"}
    seen.append(asyncio.run(play(place, refreshing)))
    seen.append(asyncio.run(play(place, raise_for_status=True)))
    wanted = {None}
    seen.append(asyncio.run(play(place, broken)))
raise SystemExit(seen != [
    (200, 2, ["Bearer old", "Bearer new"]), ("ClientResponseError", 0, [None]), ("KeyError", 0, []),
    (401, 0, [None]), ("ClientResponseError", 0, [None]), (200, 0, [None])])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
