#!/usr/bin/env bash
# gcloud-aio-auth 5.6.0: a refresh token that is dead for good is sent five times for each call.
#
# BaseToken.acquire_access_token retries whatever exception the token request raises, a 400 with
# invalid_grant (RFC 6749 section 5.2: revoked, expired) like a lost connection, after random pauses
# of up to 1, 2, 4 and 8 s. google-auth 2.63.0, with the same credentials, asks once.
#
# Expected below: 5 token requests for one call, all with the same refresh token; google-auth 1.
# Exits with 1 if that changes. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install gcloud-aio-auth==5.6.0 google-auth==2.63.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import asyncio, collections, http.server, io, json, threading
from importlib.metadata import version
from urllib.parse import parse_qs

import aiohttp, tenacity
import google.oauth2.credentials
from gcloud.aio.auth import Token
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import Request

shown = collections.Counter()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        shown[form["refresh_token"][0]] += 1
        body = json.dumps({"error": "invalid_grant", "error_description": "revoked"}).encode()
        self.send_response(400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
uri = f"http://127.0.0.1:{server.server_port}/token"


async def ask():
    account = dict(type="authorized_user", client_id="c", client_secret="s", token_uri=uri,
                   refresh_token="aio")
    # The pauses are not what is shown.
    Token.acquire_access_token.retry.wait = tenacity.wait_none()
    async with aiohttp.ClientSession() as session:
        token = Token(io.StringIO(json.dumps(account)), session=session, scopes=["x"])
        try:
            await token.get()
        except aiohttp.ClientResponseError as error:
            return error.status


status = asyncio.run(ask())
old = google.oauth2.credentials.Credentials(
    None, refresh_token="sync", token_uri=uri, client_id="c", client_secret="s")
try:
    old.refresh(Request())
except RefreshError:
    pass
print("gcloud-aio-auth", version("gcloud-aio-auth"), "google-auth", version("google-auth"))
print("status", status, "requests by refresh token", dict(shown))
raise SystemExit(dict(shown) != {"aio": 5, "sync": 1} or status != 400)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
