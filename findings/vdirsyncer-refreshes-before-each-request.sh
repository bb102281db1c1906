#!/bin/bash
# vdirsyncer 0.21.0 with aiohttp-oauthlib 0.1.0 (Google): a sync that begins with an ended token
# refreshes before each request, and uses each new token once.
#
# The session of a Google storage reads the token from its file once and makes a new OAuth2Session
# of it for each request. That one refreshes when the token has ended, and hands the new token to
# token_updater, which writes the file; the session keeps the token that it read. So does a sync
# that was under way when its token ended. A job once an hour begins with an ended token each time:
# an upload of a thousand contacts is a thousand refreshes, and where a server rotates, or limits
# its token endpoint, the second request fails. A second start soon after is well, and so is a test.
#
# Expected below, of five requests: with an ended token in the file 5 refreshes, all with the
# refresh token of the file, and 5 requests with five tokens; with a server that rotates 1 request,
# and 4 that raise; with a token that is good 0 refreshes and 5 requests. Exits with 1 if that
# changes. The server is on this machine. Needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile vdirsyncer==0.21.0 aiohttp-oauthlib==0.1.0
cat >"$folder/try.py" <<'PYTHON'
import asyncio, json, os, pathlib, sys, time
from importlib.metadata import version

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # the server is on this machine, without TLS
import aiohttp
from aiohttp import web
from vdirsyncer.storage import google

file = pathlib.Path(sys.argv[1]) / "token"


class Server:
    def __init__(self, rotates):
        self.rotates, self.shown, self.used = rotates, [], []

    async def token(self, request):
        shown = (await request.post())["refresh_token"]
        current = f"refresh-{len(self.shown) if self.rotates else 0}"
        self.shown.append(shown)
        if shown != current:
            return web.json_response({"error": "invalid_grant"}, status=400)
        return web.json_response({
            "access_token": f"access-{len(self.shown)}", "token_type": "Bearer",
            "expires_in": 3600,
            "refresh_token": f"refresh-{len(self.shown) if self.rotates else 0}"})

    async def contact(self, request):
        self.used.append(request.headers["Authorization"])
        return web.Response()


async def play(rotates, left):
    server, app = Server(rotates), web.Application()
    app.add_routes([web.post("/token", server.token), web.put("/{name}", server.contact)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    base = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
    google.REFRESH_URL = base + "/token"
    file.write_text(json.dumps({
        "access_token": "access-0", "refresh_token": "refresh-0", "token_type": "Bearer",
        "expires_in": 3600, "expires_at": time.time() + left}))
    errors = 0
    async with aiohttp.TCPConnector() as connector:
        session = google.GoogleContactsStorage.session_class(
            str(file), "client", "secret", base, connector=connector)
        for number in range(5):
            try:
                await session.request("PUT", f"/{number}", data=b"BEGIN:VCARD")
            except Exception:
                errors += 1
    await runner.cleanup()
    return *(len(items) for items in (
        server.shown, {*server.shown}, server.used, {*server.used})), errors


print("vdirsyncer", version("vdirsyncer"), "- aiohttp-oauthlib", version("aiohttp-oauthlib"))
changed = False
for name, options, expected in (
    ("ended", (False, -60), (5, 1, 5, 5, 0)), ("ended, rotation", (True, -60), (5, 1, 1, 1, 4)),
    ("good", (False, 1800), (0, 0, 5, 1, 0)),
):
    seen = asyncio.run(play(*options))
    changed |= seen != expected
    print(f"{name}: {seen[0]} refreshes with {seen[1]} refresh token, {seen[2]} requests with",
          f"{seen[3]} tokens, {seen[4]} errors")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
