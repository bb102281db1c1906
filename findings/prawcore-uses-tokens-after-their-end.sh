#!/usr/bin/env bash
# prawcore 4.0.0: a token is sent for ten seconds after the end that its server has stated.
#
# auth.py adds 10 s to expires_in where other clients subtract a margin. So each end of a token shows as
# refused calls first, although the client has a clock: the call is sent, refused with 401, refreshed
# for and sent again; only a call that comes later than ten seconds after the end refreshes in advance.
#
# Expected below, with expires_in 2: a call 3 s after the token came is refused once and then succeeds,
# and a call 13 s after the next token came is refused by nobody.
# Exits with 1 if that changes. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install prawcore==4.0.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, threading, time
from importlib.metadata import version

import prawcore

issued, seen = {}, []


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        token = self.headers["Authorization"].split()[1]
        is_good = time.monotonic() - issued.get(token, 0) < 2
        seen.append(200 if is_good else 401)
        self.answer(seen[-1], {"ok": is_good})

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        token = f"t{len(issued)}"
        issued[token] = time.monotonic()
        seen.append("refresh")
        self.answer(200, {"access_token": token, "token_type": "bearer", "expires_in": 2,
                          "scope": "read", "refresh_token": "r"})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
requestor = prawcore.Requestor(
    oauth_url=base, reddit_url=base, user_agent="findings:prawcore:1 (by u/test)")
authorizer = prawcore.Authorizer(
    authenticator=prawcore.TrustedAuthenticator(
        client_id="id", client_secret="secret", requestor=requestor), refresh_token="r")
authorizer.refresh()
session = prawcore.session(authorizer=authorizer)
time.sleep(3)
session.request(method="GET", path="/data")
soon, seen[:] = list(seen), []
time.sleep(13)
session.request(method="GET", path="/data")
print("prawcore", version("prawcore"))
print("3 s after a token of 2 s came:", soon, "· 13 s after:", seen)
raise SystemExit(soon != ["refresh", 401, "refresh", 200] or seen != ["refresh", 200])
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
