#!/bin/bash
# oras 0.2.43 (Python): an OCI registry's token that has ended is answered with the same token, for
# as long as the client lives.
#
# A registry refuses a call with 401 and says in WWW-Authenticate where a token can be had, for
# which scope. TokenAuth.authenticate_request asks there if the client holds no token. If it holds
# one, it sends the call again with that one, which has just been refused, and hands the second 401
# to the caller. It has an argument refresh, that drops the old token; do_request gives it for a 403
# only, and a registry says 401 to an ended token. Tokens of registries live a minute where the
# response names no life, five in common ones. So a copy of many layers, or a service that keeps its
# client, works for that long, and then makes two refused requests for each call until it is
# restarted. The same happens where the next repository needs another scope.
#
# Expected below, of three calls before the token ends and three after: 1 token, 4 requests of which
# 1 is refused, three times 200; then 0 tokens, 6 requests, all refused, three times 401. A new
# client, at the end: 1 token and 200. Exits with 1 if that changes. The server is on this machine;
# needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile oras==0.2.43 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, threading
from importlib.metadata import version

import oras.provider

tokens, refused, good = [], [], set()


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def respond(self, status, value, **headers):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.startswith("/token"):
            tokens.append(f"token-{len(tokens)}")
            good.add(tokens[-1])
            return self.respond(200, {"token": tokens[-1], "expires_in": 300})
        is_good = self.headers.get("Authorization", "").removeprefix("Bearer ") in good
        refused.append(not is_good)
        if is_good:
            return self.respond(200, {"name": "app", "tags": ["1"]})
        self.respond(401, {"errors": [{"code": "UNAUTHORIZED"}]}, WWW_Authenticate=(
            f'Bearer realm="{address}/token",service="registry",scope="repository:app:pull"'))


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"


def client(): return oras.provider.Registry(
    f"127.0.0.1:{server.server_port}", insecure=True, auth_backend="token")


def calls(client, count):
    before = len(tokens), len(refused)
    statuses = [client.do_request(f"{address}/v2/app/tags/list").status_code
                for _ in range(count)]
    return len(tokens) - before[0], refused[before[1]:].count(True), len(refused) - before[1], \
        statuses


print("oras", version("oras"))
kept = client()
seen = [calls(kept, 3)]
good.clear()
seen += [calls(kept, 3), calls(client(), 1)]
for name, (asked, failed, arrived, statuses) in zip(
        ("before the end", "after it", "a new client"), seen):
    print(f"{name}: {asked} tokens asked for, {failed} of {arrived} requests refused,", statuses)
raise SystemExit(seen != [
    (1, 1, 4, [200] * 3), (0, 6, 6, [401] * 3), (1, 1, 2, [200])])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
