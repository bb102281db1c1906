#!/usr/bin/env bash
# requests_oauth2client 1.8.0: where a refresh brings no new refresh token, the first is the last.
#
# A server may leave refresh_token out of its response to a refresh (RFC 6749 §6), as one does that
# does not rotate: the earlier refresh token stays good. OAuth2AccessTokenAuth.renew_token puts the
# response in place of the token that it holds, refresh token included. The next time the access
# token ends nothing is sent, and every later call raises ExpiredAccessToken on the client.
#
# Expected below: a server that rotates sees 3 refreshes for 3 ends and 3 calls that succeed; one
# that does not sees 1 refresh, 1 call that succeeds and 2 that raise.
# Exits with 1 if that changes. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install requests_oauth2client==1.8.0
cat >"$folder/try.py" <<'PYTHON'
import collections, http.server, json, sys, threading, time
from importlib.metadata import version

import requests
from requests_oauth2client import BearerToken, OAuth2AccessTokenAuth, OAuth2Client

rotates, refreshes = False, 0


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self): self.answer({"ok": True})

    def do_POST(self):
        global refreshes
        self.rfile.read(int(self.headers["Content-Length"]))
        refreshes += 1
        value = {"access_token": f"t{refreshes}", "token_type": "Bearer", "expires_in": 1}
        self.answer(value | ({"refresh_token": f"r{refreshes}"} if rotates else {}))


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"


def play():
    global refreshes
    refreshes, ends = 0, collections.Counter()
    client = OAuth2Client(token_endpoint=base + "/token", client_id="id", testing=True)
    token = BearerToken("t0", expires_in=1, refresh_token="r0")
    auth = OAuth2AccessTokenAuth(client, token)
    for _ in range(3):
        time.sleep(1.5)
        try: ends[requests.get(base + "/data", auth=auth).status_code] += 1
        except Exception as error: ends[type(error).__name__] += 1
    return refreshes, dict(ends)


print("requests_oauth2client", version("requests_oauth2client"), "Python", sys.version.split()[0])
seen = {}
for rotates in (True, False):
    seen[rotates] = play()
    print("rotates" if rotates else "does not rotate", "refreshes, calls:", *seen[rotates])
PYTHON
cat >>"$folder/try.py" <<'PYTHON'
expected = {True: (3, {200: 3}), False: (1, {200: 1, "ExpiredAccessToken": 2})}
sys.exit(0 if seen == expected else 1)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
