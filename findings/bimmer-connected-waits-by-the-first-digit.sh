#!/bin/bash
# bimmer-connected 0.17.4 (BMW): a rate limit that asks for 45 seconds is asked again after 8, one
# that asks for ten after 2; and while the token endpoint is busy a person has to solve a captcha.
#
# The gateway of the API writes the pause into the text of its 429, as gateways of that kind do, and
# into Retry-After, which is not read. The client takes the first digit of the text, and doubles it:
# 45 is 4, so 8 s; 10 is 1, so 2 s, and 9 is 18 s. So it asks soonest where it is told to wait
# longest, up to three times. A refresh that fails, for whatever reason, is followed by a sign-in
# with the password, and that needs the token of a captcha: without one the client raises
# MyBMWCaptchaMissingError, so a second of trouble at the token endpoint is a sign-out, though the
# refresh token is good.
#
# Expected below: asked for 5, 9, 10, 45, 60 and 120 s it waits 10, 18, 2, 8, 12 and 2 s; with a 401
# and a refresh that is well 1 refresh and an answer; with a 401 and 503 for the refresh
# MyBMWCaptchaMissingError after 1 refresh. Exits with 1 if that changes. Pauses are noted and not
# slept, and no request leaves the process. Needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile bimmer-connected==0.17.4 httpx==0.28.1
cat >"$folder/try.py" <<'PYTHON'
import asyncio, json, logging, types
from importlib.metadata import version

import httpx
from bimmer_connected.api import authentication
from bimmer_connected.api.regions import Regions

logging.disable()
pauses, refreshes, seconds, refresh_status = [], 0, None, 200


async def sleep(seconds): pauses.append(seconds)


async def answer(transport, request):
    """The server: an API with a limit, and a token endpoint."""
    global refreshes
    status, body, headers = 200, {}, {}
    if request.url.path.endswith("/config"):
        body = {"tokenEndpoint": "https://bmw.example/token", "scopes": ["s"], "clientId": "c",
                "clientSecret": "s", "returnUrl": "r"}
    elif request.url.path == "/token":
        refreshes += 1
        status = refresh_status
        body = {"access_token": "new", "refresh_token": "r", "expires_in": 3600, "gcid": "g"}
    elif seconds and not pauses:
        status, headers = 429, {"Retry-After": str(seconds)}
        body = {"statusCode": 429,
                "message": f"Rate limit is exceeded. Try again in {seconds} seconds."}
    elif request.headers["authorization"] != "Bearer new":
        status = 401
    return httpx.Response(status, headers=headers, content=json.dumps(body).encode())


httpx.AsyncHTTPTransport.handle_async_request = answer
authentication.asyncio = types.SimpleNamespace(sleep=sleep, Lock=asyncio.Lock)


async def call(access):
    auth = authentication.MyBMWAuthentication(
        "user", "password", Regions.REST_OF_WORLD, access_token=access, refresh_token="r")
    auth.session_id = "s"
    async with httpx.AsyncClient(auth=auth) as client:
        try:
            return (await client.get("https://bmw.example/vehicles")).status_code
        except Exception as error:
            return type(error).__name__


print("bimmer-connected", version("bimmer-connected"))
seen = {}
for seconds in (5, 9, 10, 45, 60, 120):
    pauses.clear()
    assert asyncio.run(call("new")) == 200
    seen[seconds] = pauses[:]
    print(f"asked for {seconds} s, waits {pauses} s")
changed = [*seen.values()] != [[10], [18], [2], [8], [12], [2]]
seconds = None
for refresh_status, expected in ((200, (200, 1)), (503, ("MyBMWCaptchaMissingError", 1))):
    refreshes = 0
    seen = asyncio.run(call("ended")), refreshes
    changed |= seen != expected
    print(f"401, and {refresh_status} for the refresh:", seen[0], "refreshes:", seen[1])
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
