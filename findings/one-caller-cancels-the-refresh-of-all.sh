#!/bin/bash
# cashews 7.6.0 with lock=True and gcloud-aio-auth 5.6.0: of eight callers that wait for one token
# the last gives up, and the request is cancelled for all eight.
#
# Both have callers at one moment share one call; cashews documents "exactly one function call" for
# its option. They do so by awaiting one task, and to cancel a coroutine that awaits a task cancels
# the task: wait_for with a time-out, a client that disconnects, a screen that is left. It need not
# be the caller that was first. The others get CancelledError, which is no Exception and passes each
# handler for a failed refresh, and the request ends in the middle: a server that rotates has taken
# the refresh token by then, and its successor is lost. The more callers share a call, the likelier
# it is that one of them leaves. async-lru 2.4.0 and coalescer 0.3.0 shield the call and give the
# token to the seven.
#
# Expected below, of eight callers for a token that takes 0.5 s, the last of which waits 0.1 s: 1
# request; with cashews and gcloud-aio-auth it is not finished, there is no token, and seven times
# CancelledError, and a further caller sends a second one; with the others it is finished and seven
# have the token. Exits with 1 if that changes. The request is the script's own. Needs python3 and
# PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile cashews==7.6.0 async-lru==2.4.0 coalescer==0.3.0 \
    gcloud-aio-auth==5.6.0
cat >"$folder/try.py" <<'PYTHON'
import asyncio, io, json
from importlib.metadata import version

import async_lru, cashews, coalescer
from gcloud.aio.auth import Token
from gcloud.aio.auth.token import TokenResponse

CALLERS = 8


async def play(name):
    begun, finished = [], []

    async def token():
        begun.append(1)
        await asyncio.sleep(0.5)
        finished.append(1)
        return "token"

    if name == "cashews":
        cache = cashews.Cache()
        cache.setup("mem://")
        shared = cache(ttl="1m", key="token", lock=True)(token)
    elif name == "async-lru":
        shared = async_lru.alru_cache(token)
    elif name == "gcloud-aio-auth":
        class Account(Token):
            async def refresh(self, *, timeout):
                return TokenResponse(value=await token(), expires_in=3600)

        shared = Account(io.StringIO(json.dumps({
            "type": "authorized_user", "client_id": "c", "client_secret": "s",
            "refresh_token": "r"})), session=object(), scopes=["x"]).get
    else:
        group = coalescer.Coalescer()
        shared = lambda: group.do("token", token)

    async def call(): return await shared()

    async def outcome(waiting):
        try: return await waiting
        except BaseException as error: return type(error).__name__

    waiting = [call() for _ in range(CALLERS - 1)] + [asyncio.wait_for(call(), 0.1)]
    ends = await asyncio.gather(*(asyncio.create_task(outcome(one)) for one in waiting))
    counts = len(begun), len(finished)
    assert await call() == "token"
    return *counts, ends[:-1], ends[-1], len(begun)


CANCELLED = 1, 0, ["CancelledError"] * 7, "TimeoutError", 2


changed = False
for name, expected in (
    ("cashews", CANCELLED), ("gcloud-aio-auth", CANCELLED),
    ("async-lru", (1, 1, ["token"] * 7, "TimeoutError", 1)),
    ("coalescer", (1, 1, ["token"] * 7, "TimeoutError", 2)),
):
    seen = begun, finished, others, last, total = asyncio.run(play(name))
    changed |= seen != expected
    print(f"{name} {version(name)}: {begun} request, {finished} finished; the last {last},",
          "the others", *(f"{others.count(end)} × {end}" for end in sorted(set(others))),
          f"- {total} requests with a further caller")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
