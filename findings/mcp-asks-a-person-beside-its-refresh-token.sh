#!/usr/bin/env bash
# mcp 2.3.0: a client that is started again asks a person, although it holds a refresh token.
#
# OAuthClientProvider keeps when a token ends in memory alone: tokens that it reads from its storage
# count as good for ever. So after a restart an ended token is sent, and its 401 begins the whole
# authorization (discovery, then redirect_handler); the refresh token of the storage is never used.
# In the process that got the token, the same token is refreshed by the clock without a 401.
#
# Expected below: started again 0 refreshes and 1 redirect to a person, same process 1 and 0.
# Exits with 1 if that changes. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install mcp==2.3.0 httpx2==2.16.2
cat >"$folder/try.py" <<'PYTHON'
import asyncio, collections, http.server, json, logging, threading, time
from importlib.metadata import version

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

seen = collections.Counter()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.startswith("/.well-known"):
            return self.answer(404, {})
        isGood = self.headers.get("Authorization") == "Bearer fresh"
        self.answer(200 if isGood else 401, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        seen["refreshes"] += "grant_type=refresh_token" in body
        self.answer(200, {"access_token": "fresh", "token_type": "Bearer", "expires_in": 3600})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
back = "http://127.0.0.1/callback"


class Storage:
    tokens = OAuthToken(access_token="ended", token_type="Bearer", expires_in=3600,
                        refresh_token="good")
    client = OAuthClientInformationFull(client_id="c", client_secret="s", redirect_uris=[back],
                                        token_endpoint_auth_method="client_secret_post")

    async def get_tokens(self): return self.tokens
    async def set_tokens(self, tokens): self.tokens = tokens
    async def get_client_info(self): return self.client
    async def set_client_info(self, client): self.client = client


class Person(Exception): pass


async def redirect(_):
    seen["redirects"] += 1
    raise Person


async def callback(): raise Person


async def call(knowsEnd):
    seen.clear()
    provider = OAuthClientProvider(
        base + "/mcp", OAuthClientMetadata(redirect_uris=[back], client_name="c"), Storage(),
        redirect_handler=redirect, callback_handler=callback)
    if knowsEnd:
        # As the process has it that got the token an hour ago.
        await provider._initialize()
        provider.context.token_expiry_time = time.time() - 1
    async with httpx2.AsyncClient(auth=provider) as client:
        try:
            status = (await client.get(base + "/data")).status_code
        except Person:
            status = "a person is asked"
    return seen["refreshes"], seen["redirects"], status


logging.disable()
print("mcp", version("mcp"), "httpx2", version("httpx2"))
again, same = asyncio.run(call(False)), asyncio.run(call(True))
print("started again: refreshes, redirects, outcome", again)
print("same process:  refreshes, redirects, outcome", same)
raise SystemExit(again != (0, 1, "a person is asked") or same != (1, 0, 200))
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
