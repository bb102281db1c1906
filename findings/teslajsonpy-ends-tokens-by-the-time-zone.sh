#!/bin/bash
# teslajsonpy 3.14.0: in Los Angeles a token is sent for seven hours after its end, in Tokyo it is
# refreshed while it is good.
#
# The client reads the local time as if it were UTC, and compares the end of the token with that. An
# end that it has computed itself is as wrong as the time that it is compared with, so on most days
# nothing shows. It does where the app gives the end, the parameter expiration, as the token states
# it, and where the end that was kept by a machine at home is given on a server in UTC. A 401 does
# not help: it is TeslaException, without a refresh. And a refresh that is answered 503, without
# JSON, is IncompleteCredentials, the error for a user who has to sign in, although the refresh
# token is good.
#
# Expected below, of calls 30 min before and 10, 300 and 440 min after the end of a token, with its
# end as expiration: in UTC 200 each, and 1 refresh, after the end; in Los Angeles 200, 401, 401 and
# 200, the refresh before the last; in Tokyo 200 each, and the first refresh before the first. With
# 503 for the refresh IncompleteCredentials. Exits with 1 if that changes. Time is the script's own
# and no request leaves the process. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile teslajsonpy==3.14.0 httpx==0.28.1 \
    time-machine==3.6.0
cat >"$folder/try.py" <<'PYTHON'
import asyncio, logging, os, time
from importlib.metadata import version

import httpx, time_machine
from teslajsonpy.connection import Connection

logging.disable()
HOUR, END = 3600, 1_782_928_800  # 1 July 2026, 18:00 in UTC


def play(zone, calls, status=200):
    """What each call gets, and at which call a refresh came before it."""
    os.environ["TZ"] = zone
    time.tzset()
    ends, refreshes, good = {}, [], {}

    def answer(request):
        if request.url.path.endswith("/token"):
            refreshes.append(index)
            if status != 200:
                return httpx.Response(status, text="<html>")
            good["new"] = time.time() + 8 * HOUR
            return httpx.Response(200, json={"access_token": "new", "refresh_token": "r",
                                             "id_token": "i", "expires_in": 8 * HOUR})
        shown = request.headers["Authorization"].removeprefix("Bearer ")
        is_good = time.time() < good[shown]
        return httpx.Response(200 if is_good else 401, json={"response": {}})

    async def run():
        nonlocal index
        client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        with time_machine.travel(END - 8 * HOUR, tick=False) as clock:
            good["first"] = END
            connection = Connection(client, access_token="first", refresh_token="r",
                                    expiration=END)
            for index, at in enumerate(calls):
                clock.move_to(at)
                try:
                    await connection.get("vehicles")
                    ends[index] = 200
                except Exception as error:
                    refused = getattr(error, "code", None) == 401
                    ends[index] = 401 if refused else type(error).__name__
    index = 0
    asyncio.run(run())
    return [*ends.values()], refreshes


around = [END + minutes * 60 for minutes in (-30, 10, 300, 440)]
changed = False
print("teslajsonpy", version("teslajsonpy"))
for name, options, expected in (
    ("UTC", ("UTC", around), ([200] * 4, [1])),
    ("Los Angeles", ("PST8PDT,M3.2.0,M11.1.0", around), ([200, 401, 401, 200], [3])),
    ("Tokyo", ("JST-9", around), ([200] * 4, [0])),
    ("503 for the refresh", ("UTC", [END + 600], 503),
     (["IncompleteCredentials"], [0])),
):
    seen = play(*options)
    changed |= seen != expected
    print(f"{name}:", *seen[0], "- refreshes before calls", [number + 1 for number in seen[1]])
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
