#!/bin/bash
# okta 3.4.6 (Python): a refusal without a body is a success with nothing in it, and a server that
# is down is an AttributeError in the library.
#
# Each call returns its value, the response and an error, and the documents have callers look at the
# error. It is left out where the body is empty: a 502 or a 401 of a proxy that sends no body is
# None for the value and None for the error: who looks at the error goes on, and "groups or []" is a
# directory without groups. A 503 or 504, which the client would try again, is first asked for the
# headers of Okta's rate limit; what stands in front of Okta has none, so it is not tried again, and
# the error is lost on its way, as is that of a connection that ends: the call raises
# AttributeError, 'NoneType' object has no attribute 'status', in place of returning it.
#
# Expected below, of one call that lists groups: 200 a list, no error; 429 with the headers, then
# 200, the same after 2 requests; 401 and 502 with JSON an error; 401, 502 and 500 without a body no
# error and no list; 503 and 504 AttributeError after 1 request, a lost connection too, after 2 (the
# second is aiohttp's). Exits with 1 if that changes. The server is on this machine. Needs python3
# and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile okta==3.4.6
cat >"$folder/try.py" <<'PYTHON'
import asyncio, logging, os, time
from importlib.metadata import version

os.environ["OKTA_TESTING_TESTINGDISABLEHTTPSCHECK"] = "1"  # the server has no TLS
from aiohttp import web
from okta.client import Client

logging.disable()


async def play(status, has_body):
    arrived = 0

    async def answer(request):
        nonlocal arrived
        arrived += 1
        if status == 200 or status == 429 and arrived > 1:
            return web.json_response([])
        if status is None:
            return request.transport.close()
        headers = {"X-Rate-Limit-Reset": str(int(time.time()) + 1)} if status == 429 else {}
        if not has_body:
            return web.Response(status=status, headers=headers)
        return web.json_response({"errorCode": "E0", "errorSummary": "no"}, status=status,
                                 headers=headers)

    app = web.Application()
    app.add_routes([web.get("/api/v1/groups", answer)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    client = Client({
        "orgUrl": f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}",
        "token": "token"})
    try:
        groups, _, error = await client.list_groups()
        end = "an error" if error else f"no error, {groups}"
    except Exception as error:
        end = type(error).__name__
    await runner.cleanup()
    return end, arrived


print("okta", version("okta"))
changed = False
for status, has_body, expected in (
    (200, True, ("no error, []", 1)), (429, True, ("no error, []", 2)),
    (401, True, ("an error", 1)), (502, True, ("an error", 1)),
    (401, False, ("no error, None", 1)), (502, False, ("no error, None", 1)),
    (500, False, ("no error, None", 1)), (503, True, ("AttributeError", 1)),
    (504, False, ("AttributeError", 1)), (None, False, ("AttributeError", 2)),
):
    seen = asyncio.run(play(status, has_body))
    changed |= seen != expected
    print(f"{status or 'lost connection'}, {'JSON' if has_body else 'no body'}:", seen[0],
          f"({seen[1]} requests)")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
