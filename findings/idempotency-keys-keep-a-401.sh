#!/bin/bash
# asgi-idempotency-header 0.2.0 and fastidempotent 0.1.0: a payment that met an ended token, a rate
# limit or a server in trouble can never be made; its key is answered 401, 429 or 503 from then on.
#
# An Idempotency-Key is there so that a client can send a POST again: after the refresh of its
# token, after a pause, after a 503. These two keep the first response for a key whatever it was,
# for a day or an hour, and replay it before the application is asked. So the client refreshes,
# sends the payment again with the good token and the same key, as it must, and is answered by the
# 401 of the ended one. It takes that for an ended token, refreshes again, and so on; a new key, the
# only way out, is just what the key is there against. A 401, 429 or 503 says that nothing was done,
# and is followed by a repetition. fastapi-idempotency-key 0.1.1 keeps none of the three.
#
# Expected below, of a POST that is first answered 401, 429 or 503 without a charge, and sent three
# times more with the same key when the cause is gone: with two of them each is answered as the
# first and there is no charge, with fastapi-idempotency-key 201 three times and 1 charge. Exits
# with 1 if that changes. No request leaves the process. Needs python3 and PyPI; everything stays in
# a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile starlette==1.10.0 httpx==0.28.1 redis==8.1.0 \
    asgi-idempotency-header==0.2.0 fastidempotent==0.1.0 fastapi-idempotency-key==0.1.1
cat >"$folder/try.py" <<'PYTHON'
import asyncio
from importlib.metadata import version

import fastapi_idempotency_key, fastidempotent, httpx, idempotency_header_middleware
from idempotency_header_middleware.backends import MemoryBackend
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

PACKAGES = {
    "asgi-idempotency-header": (idempotency_header_middleware.IdempotencyHeaderMiddleware,
                                lambda: {"backend": MemoryBackend()}),
    "fastidempotent": (fastidempotent.IdempotencyMiddleware,
                       lambda: {"backend": fastidempotent.MemoryBackend()}),
    "fastapi-idempotency-key": (fastapi_idempotency_key.IdempotencyMiddleware, dict),
}


async def play(package, first):
    state = {"status": first, "charges": 0}

    async def pay(request):
        if first == 401 and request.headers["Authorization"] == "Bearer ended":
            return JSONResponse({"error": "invalid_token"}, 401)
        if first != 401 and state["status"] != 201:
            return JSONResponse({"error": "later"}, state["status"])
        state["charges"] += 1
        return JSONResponse({"charge": state["charges"]}, 201)

    middleware, options = PACKAGES[package]
    app = Starlette(routes=[Route("/pay", pay, methods=["POST"])])
    app.add_middleware(middleware, **options())
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://api") as client:
        async def send(token):
            response = await client.post("/pay", json={"amount": 5}, headers={
                "Idempotency-Key": "9d3c1f2e-64a5-4f0e-8d58-0f4c5c9f3b11",
                "Authorization": "Bearer " + token})
            return response.status_code

        assert await send("ended" if first == 401 else "good") == first
        state["status"] = 201
        return [await send("good") for _ in range(3)], state["charges"]


changed = False
for package in PACKAGES:
    print(package, version(package))
    for first in (401, 429, 503):
        seen = later, charges = asyncio.run(play(package, first))
        is_right = package == "fastapi-idempotency-key"
        changed |= seen != (([201] * 3, 1) if is_right else ([first] * 3, 0))
        print(f"  first {first}, then", *later, f"- charged {charges} times")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
