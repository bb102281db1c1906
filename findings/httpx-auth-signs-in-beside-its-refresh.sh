#!/usr/bin/env bash
# httpx-auth 0.23.1: eight threads whose token has ended send one refresh and seven passwords.
#
# TokenMemoryCache.get_token takes an ended token out of the cache before it refreshes. Threads that
# come meanwhile find no token, and so no refresh token either: each asks for a new one with the
# account's password, one after the other, and nobody looks whether the first has brought one.
#
# Expected below: 1 refresh_token grant, 7 password grants, 8 calls that succeed.
# Exits with 1 if that changes. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install httpx-auth==0.23.1 httpx==0.28.1
cat >"$folder/try.py" <<'PYTHON'
import collections, http.server, json, threading, time
from importlib.metadata import version
from urllib.parse import parse_qs

import httpx
from httpx_auth import OAuth2, OAuth2ResourceOwnerPasswordCredentials

grants = collections.Counter()
lock = threading.Lock()


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
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        with lock:
            grants[form["grant_type"][0]] += 1
            number = sum(grants.values())
        time.sleep(0.05)
        self.answer({"access_token": f"t{number}", "token_type": "bearer", "expires_in": 3600,
                     "refresh_token": f"r{number}"})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
auth = OAuth2ResourceOwnerPasswordCredentials(base + "/token", username="u", password="p")
OAuth2.token_cache._add_token(auth.state, "old", time.time() - 1, "refresh")
barrier, statuses = threading.Barrier(8), []


def call():
    barrier.wait()
    statuses.append(httpx.Client(auth=auth).get(base + "/data").status_code)


threads = [threading.Thread(target=call) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("httpx-auth", version("httpx-auth"), "httpx", version("httpx"))
print(dict(grants), statuses)
raise SystemExit(dict(grants) != {"refresh_token": 1, "password": 7} or statuses != [200] * 8)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
