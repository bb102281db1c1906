#!/bin/bash
# weaviate-client 4.24.1: a client that does nothing sends its dead refresh token once a second, for
# as long as its process lives; so it does to a token endpoint that is in trouble.
#
# Each client has a thread (or a task, with asyncio) that refreshes half a minute before the token
# ends. If that fails, whatever the reason, the next attempt is a second later, and so on, without
# an end, a longer pause or a difference between a 503 and invalid_grant, which is final (RFC 6749,
# 5.2). A session that was ended by an administrator is 86,400 refused requests a day of each
# process that has it open, web workers and notebooks left open over night among them, and an
# identity provider that counts failures by address locks out who is behind it; one that was down
# for a minute has all clients of that minute upon it each second. No call has to be made for that.
# The warning is shown once, as Python does with warnings of one text and line, so a log has one
# line of it.
#
# Expected below, within 8.5 s of a token that has 31 s to live, without a call: 7 or 8 requests
# with the same refresh token after invalid_grant, as many after 503, and one warning for each;
# after a refresh that succeeds 1. Exits with 1 if that changes. The server is on this machine;
# needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile weaviate-client==4.24.1 Authlib==1.9.10 httpx==0.28.1
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, threading, time, urllib.parse, warnings
from importlib.metadata import version

with warnings.catch_warnings(action="ignore"):
    import weaviate

asked, shown, answer = [], [], []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.respond(200, {
            "/v1/.well-known/openid-configuration": {"href": f"{base}/idp", "clientId": "c"},
            "/idp": {"token_endpoint": f"{base}/token"},
        }.get(self.path, {"version": "1.34.0"}))

    def do_POST(self):
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        asked.append(urllib.parse.parse_qs(form)["refresh_token"][0])
        self.respond(*answer)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
warnings.showwarning = lambda message, *_: shown.append(str(message))
print("weaviate-client", version("weaviate-client"), "Authlib", version("Authlib"))
seen = []
for given in ((400, {"error": "invalid_grant"}), (503, {"error": "temporarily_unavailable"}),
              (200, {"access_token": "b", "refresh_token": "r", "expires_in": 3600})):
    answer[:], asked[:], shown[:] = given, [], []
    client = weaviate.connect_to_local(
        host="127.0.0.1", port=server.server_port, skip_init_checks=True,
        auth_credentials=weaviate.auth.Auth.bearer_token(
            "a", expires_in=31, refresh_token="r"))
    time.sleep(8.5)
    client.close()
    failures = [text for text in shown if "refresh" in text]
    seen.append((len(asked), set(asked) == {"r"}, len(failures)))
    print(f"{given[0]}: {len(asked)} requests in 8.5 s, {len(failures)} warnings", failures[:1])
dead, down, well = seen
raise SystemExit(not (
    dead[0] in (7, 8) and down[0] in (7, 8) and dead[1:] == down[1:] == (True, 1)
    and well == (1, True, 0)))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
