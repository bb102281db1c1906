#!/bin/bash
# python-keycloak 7.1.1: a dead refresh token is a new sign-in for three wordings of its refusal;
# with another wording each call fails until the process is restarted.
#
# KeycloakOpenIDConnection holds the account's password for KeycloakAdmin, and signs in with it
# where a refresh is refused. It goes by error_description, which RFC 6749, 5.2, has for developers,
# and not by the code invalid_grant: "Refresh token expired", "Token is not active" and "Session not
# active". Keycloak has more for the same end: "Stale token" where refresh tokens are good for once
# and another thread was first, "Stale refresh token" after "push not-before" in its console,
# "Invalid refresh token" after the realm's keys were changed. With those the error is raised, the
# dead token is kept, and the next call begins with it again: an administration job that would need
# one sign-in is down, and asks the token endpoint in vain for each call.
#
# Expected below, of three calls after the access token has ended, for each wording: 1 refresh, 1
# sign-in and three times 200 with the first three, 3 refreshes, no sign-in and KeycloakPostError
# with the others. Exits with 1 if that changes. The server is on this machine; needs python3 and
# PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile python-keycloak==7.1.1
cat >"$folder/try.py" <<'PYTHON'
import datetime, http.server, json, threading, urllib.parse
from importlib.metadata import version

from keycloak import KeycloakOpenIDConnection
from keycloak.exceptions import KeycloakPostError

KNOWN = "Refresh token expired", "Token is not active", "Session not active"
OTHERS = "Stale token", "Stale refresh token", "Invalid refresh token"


class Server(http.server.BaseHTTPRequestHandler):
    wording, grants = "", []

    def log_message(self, *_): pass

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.respond(200, [])

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        grant = form["grant_type"][0]
        Server.grants.append(grant)
        if grant == "refresh_token":
            return self.respond(400, {
                "error": "invalid_grant", "error_description": self.wording})
        self.respond(200, {
            "access_token": "a", "refresh_token": "r", "expires_in": 300,
            "refresh_expires_in": 1800, "token_type": "Bearer"})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("python-keycloak", version("python-keycloak"))
changed = False
for wording in KNOWN + OTHERS:
    connection = KeycloakOpenIDConnection(
        server_url=f"http://127.0.0.1:{server.server_port}/", username="ann", password="p",
        realm_name="app", client_id="admin-cli", timeout=30)
    connection.get_token()
    connection._expires_at = datetime.datetime.now(datetime.timezone.utc)
    Server.wording, Server.grants, seen = wording, [], []
    for _ in range(3):
        try: seen.append(str(connection.raw_get("/admin/realms/app/users").status_code))
        except KeycloakPostError as error: seen.append(type(error).__name__)
    counts = Server.grants.count("refresh_token"), Server.grants.count("password")
    print(f"{wording}: {counts[0]} refreshes, {counts[1]} sign-ins, calls:", *seen)
    changed |= (counts, seen) != (
        ((1, 1), ["200"] * 3) if wording in KNOWN else ((3, 0), ["KeycloakPostError"] * 3))
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
