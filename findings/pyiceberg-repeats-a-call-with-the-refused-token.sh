#!/usr/bin/env bash
# pyiceberg 0.12.0: the OAuth2 manager that replaces the old one answers a 401 by sending the
# refused token again, for the rest of its life.
#
# RestCatalog repeats each call once after 401 and 419, with a hook that gets a new token before.
# The hook does so for LegacyOAuth2AuthManager alone, which its docstring says "will be removed in
# PyIceberg 1.0.0 in favor of OAuth2AuthManager". With the latter it does nothing: both requests
# have the same token, and so have those of the next call. A comment says that a refresh after a 401
# is atypical. A token that was revoked, or a server that was restarted with a new key, is an outage
# until the clock of the client says that the token is over, at twice the load; who moves from the
# old manager to the new one has it from then on.
#
# Expected below, of three calls after the token was revoked: with the new manager 6 requests, all
# refused, no call that succeeds and 0 requests for a token; with the old one 4 requests, 1 token
# and 3 calls that succeed. Exits with 1 if that changes. The server is on this machine; needs
# python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile pyiceberg==0.12.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, threading, warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
from pyiceberg.catalog import load_catalog
from pyiceberg.exceptions import RESTError


class Server(http.server.BaseHTTPRequestHandler):
    tokens = revoked = requests = refused = 0

    def log_message(self, *_): pass

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        Server.tokens += 1
        self.respond(200, {
            "access_token": f"t{self.tokens}", "token_type": "bearer", "expires_in": 3600})

    def do_GET(self):
        if "/config" in self.path:
            return self.respond(200, {"defaults": {}, "overrides": {}})
        Server.requests += 1
        if int(self.headers["Authorization"].removeprefix("Bearer t")) <= self.revoked:
            Server.refused += 1
            return self.respond(401, {"error": {
                "message": "revoked", "type": "NotAuthorizedException", "code": 401}})
        self.respond(200, {"namespaces": []})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
endpoint = address + "/v1/oauth/tokens"


def three_calls(**settings):
    Server.revoked = succeeded = 0
    catalog = load_catalog("shop", type="rest", uri=address, **settings)
    catalog.list_namespaces()
    Server.requests = Server.refused = 0
    Server.revoked = before = Server.tokens
    for _ in range(3):
        try:
            catalog.list_namespaces()
            succeeded += 1
        except RESTError:
            pass
    return Server.requests, Server.refused, succeeded, Server.tokens - before


print("pyiceberg", version("pyiceberg"))
new = three_calls(auth={"type": "oauth2", "oauth2": {
    "client_id": "c", "client_secret": "s", "token_url": endpoint}})
old = three_calls(**{"credential": "c:s", "oauth2-server-uri": endpoint})
for name, seen in (("OAuth2AuthManager", new), ("LegacyOAuth2AuthManager", old)):
    print(f"{name}: {seen[0]} requests, {seen[1]} refused, {seen[2]} of 3 calls succeeded,",
          seen[3], "tokens asked for")
raise SystemExit((new, old) != ((6, 6, 0, 0), (4, 1, 3, 1)))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
