#!/bin/bash
# ring-doorbell 0.9.14 and pyeasee 0.8.21: a call that meets a 401 brings a new token, and fails all
# the same; pyeasee answers each 400 by a sign-in with the password, too.
#
# A token can end at the server before the client's clock says so: it was revoked, or the clocks
# differ. Both get a new one then, and raise for the old response: the light is not switched, and
# the automation that did it is stopped by an error for which the next call would have been good.
# With pyeasee a 400 is taken for the same thing: a call with a wrong value in it, sent once a
# minute by an automation, is a sign-in with the password once a minute.
#
# Expected below, of one call that meets 401 and one after it: ring-doorbell 1 refresh, RingError
# and 1 call that is answered; pyeasee 1 sign-in, AuthorizationFailedException and 1. Of five calls
# that are answered 400: ring-doorbell 0 refreshes, pyeasee 5 sign-ins. Exits with 1 if that
# changes. The server is on this machine. Needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile ring-doorbell==0.9.14 pyeasee==0.8.21
cat >"$folder/try.py" <<'PYTHON'
import asyncio, logging, os, time
from importlib.metadata import version

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # the server is on this machine, without TLS
import aiohttp
import pyeasee, ring_doorbell
from aiohttp import web

logging.disable()


async def with_ring(base, session, count):
    ring_doorbell.const.OAuth.ENDPOINT = base + "/token"
    auth = ring_doorbell.Auth("agent/1", {
        "access_token": "old", "refresh_token": "r", "token_type": "Bearer", "expires_in": 3600,
        "expires_at": time.time() + 3600}, http_client_session=session)
    return [await end(auth.async_query(base + "/call")) for _ in range(count)]


async def with_easee(base, session, count):
    easee = pyeasee.Easee("user", "password", session)
    easee.base = base
    await easee.connect()
    easee.token["accessToken"] = "old"
    return [await end(easee.get("/call")) for _ in range(count)]


async def end(call):
    try:
        await call
        return "answered"
    except Exception as error:
        return type(error).__name__


async def play(client, status, count):
    tokens = 0

    async def issue(request):
        nonlocal tokens
        tokens += 1
        return web.json_response({
            "access_token": "new", "accessToken": "new", "token_type": "Bearer",
            "refresh_token": "r", "refreshToken": "r", "expires_in": 3600, "expiresIn": 3600})

    async def answer(request):
        is_new = request.headers["Authorization"] == "Bearer new"
        return web.json_response({}, status=200 if status == 401 and is_new else status)

    app = web.Application()
    app.add_routes([web.post("/token", issue), web.post("/api/accounts/login", issue),
                    web.get("/call", answer)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    base = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
    async with aiohttp.ClientSession() as session:
        ends = await client(base, session, count)
    await runner.cleanup()
    return tokens - (client is with_easee), ends


changed = False
for name, client, status, count, expected in (
    ("ring-doorbell", with_ring, 401, 2, (1, ["RingError", "answered"])),
    ("pyeasee", with_easee, 401, 2, (1, ["AuthorizationFailedException", "answered"])),
    ("ring-doorbell", with_ring, 400, 5, (0, ["RingError"] * 5)),
    ("pyeasee", with_easee, 400, 5, (5, ["BadRequestException"] * 5)),
):
    seen = tokens, ends = asyncio.run(play(client, status, count))
    changed |= seen != expected
    print(f"{name} {version(name)}, {status}: {tokens} new tokens -", *ends)
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
