#!/bin/bash
# pysnow 0.7.17 (ServiceNow): after the first end of a token each resource() refreshes anew, with
# the refresh token of the sign-in; where a server rotates, the second one fails.
#
# OAuthClient holds the token that set_token() was given. resource() makes a session with it, and
# that session refreshes when the token has ended, and tells token_updater, which is documented as
# the function "called when a token has been refreshed", as the place to store it. The client is not
# told: its token stays the ended one, and the next resource() makes a session with it, which
# refreshes again. A job that asks for a table at a time sends a refresh and a call for each; the
# token is used once. Within one resource it refreshes once, and so does a test. To call set_token()
# in the updater helps, which no document says.
#
# Expected below, of five tables after the token has ended: 5 refreshes and 5 calls with a server
# that does not rotate, all with the refresh token of the sign-in; with one that rotates 1 call that
# succeeds and 4 that raise, although token_updater has stored the new refresh token; of five calls
# by one resource 1 refresh. Exits with 1 if that changes. The server is on this machine; needs
# python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile pysnow==0.7.17
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, os, threading, time, urllib.parse
from importlib.metadata import version

import pysnow

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # the server is on this machine, without TLS


class Server(http.server.BaseHTTPRequestHandler):
    rotates, sent, calls = False, [], 0

    def log_message(self, *_): pass

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        shown, number = form["refresh_token"][0], len(self.sent)
        is_good = not self.rotates or shown == f"refresh-{number}"
        self.sent.append(shown)
        self.respond(200 if is_good else 401, {
            "access_token": f"access-{number}", "expires_in": 1800, "token_type": "Bearer",
            "scope": "useraccount",
            "refresh_token": f"refresh-{number + 1}" if self.rotates else "refresh-0",
        } if is_good else {"error": "invalid_grant"})

    def do_GET(self):
        Server.calls += 1
        self.respond(200, {"result": [{"sys_id": "1"}]})

    def respond(self, status, body):
        body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()


def play(rotates, shares):
    Server.rotates, Server.sent, Server.calls, stored = rotates, [], 0, {}
    client = pysnow.OAuthClient(
        client_id="client", client_secret="secret", token_updater=stored.update,
        host=f"127.0.0.1:{server.server_port}", use_ssl=False)
    client.set_token({
        "access_token": "ended", "refresh_token": "refresh-0", "token_type": "Bearer",
        "scope": ["useraccount"], "expires_in": 1800, "expires_at": time.time() - 60})
    shared, errors = client.resource(api_path="/table/incident"), 0
    for table in ("incident", "problem", "change_request", "task", "sys_user"):
        resource = shared if shares else client.resource(api_path=f"/table/{table}")
        try:
            assert resource.get(query={}).one() == {"sys_id": "1"}
        except Exception:
            errors += 1
    return Server.sent, Server.calls, errors, stored["refresh_token"]


print("pysnow", version("pysnow"))
changed = False
for name, options, expected in (
    ("five resources", (False, False), (["refresh-0"] * 5, 5, 0, "refresh-0")),
    ("five resources, rotation", (True, False), (["refresh-0"] * 5, 1, 4, "refresh-1")),
    ("one resource", (False, True), (["refresh-0"], 5, 0, "refresh-0")),
):
    seen = sent, calls, errors, stored = play(*options)
    changed |= seen != expected
    print(f"{name}: {len(sent)} refreshes with {len(set(sent))} refresh token, {calls} calls,",
          f"{errors} errors; stored is {stored}")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
