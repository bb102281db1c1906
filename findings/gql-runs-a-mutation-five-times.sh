#!/bin/bash
# gql 4.4.0 (GraphQL client for Python): with reconnecting=True a mutation whose response is lost is
# run five times, and a token that has ended is sent five times.
#
# connect_async(reconnecting=True) is for sessions that outlive a lost connection. It also retries
# each execute, five times, after any exception but an error in GraphQL itself. It does not ask
# whether the document is a query or a mutation, nor what the exception was: a payment that the
# server made before the connection ended is made four times more, a 401 is asked again four times
# in 15 s with the same token, and so is a 413. The caller gets RetryError in place of
# TransportServerError or TimeoutError, so what it has for those is not reached. By default, with
# reconnecting=False, each is sent once; so it is with retry_execute=False, an argument of
# connect_async.
#
# Expected below, of one mutation whose response is lost each time, of one that takes longer than
# execute_timeout, and of a 401: 5, 5 and 5 requests with reconnecting, 1, 1 and 1 without, and with
# retry_execute=False. Exits with 1 if that changes. Pauses are cut to 0.2 s, the server is on this
# machine. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile "gql[aiohttp]==4.4.0"
cat >"$folder/try.py" <<'PYTHON'
import asyncio, logging
from importlib.metadata import version

import gql.client, tenacity
from aiohttp import web
from gql import Client
from gql.transport.aiohttp import AIOHTTPTransport

logging.disable()
PAY = gql.gql("mutation { pay(amount: 1) }")
gql.client.wait_exponential = lambda **_: tenacity.wait_fixed(0.2)


async def play(kind, options):
    arrived = 0

    async def answer(request):
        nonlocal arrived
        assert "mutation" in (await request.json())["query"]
        arrived += 1
        if kind == "lost":
            request.transport.close()  # after the work was done
        if kind == "slow":
            await asyncio.sleep(1)
        return web.json_response({}, status=401 if kind == "401" else 200)

    app = web.Application()
    app.add_routes([web.post("/", answer)])
    runner = web.AppRunner(app, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    transport = AIOHTTPTransport(
        f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/",
        headers={"Authorization": "Bearer ended"})
    client = Client(transport=transport, execute_timeout=0.3)
    session = await client.connect_async(**options)
    try:
        await session.execute(PAY)
    except Exception as error:
        name = type(error).__name__
    await client.close_async()
    await runner.cleanup()
    return arrived, name


print("gql", version("gql"))
changed = False
for options, expected in (
    ({"reconnecting": True}, 5), ({}, 1), ({"reconnecting": True, "retry_execute": False}, 1)
):
    seen = {kind: asyncio.run(play(kind, options)) for kind in ("lost", "slow", "401")}
    changed |= {arrived for arrived, _ in seen.values()} != {expected}
    print(options or "default", *(
        f"- {kind}: {arrived} requests, {name}" for kind, (arrived, name) in seen.items()))
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
