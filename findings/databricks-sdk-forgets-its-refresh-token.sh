#!/usr/bin/env bash
# databricks-sdk 0.162.0: a refresh without a new refresh token is the last one.
#
# A server may leave the refresh token out of its response, and the old one goes on (RFC 6749 §6).
# SessionCredentials keeps what retrieve_token makes of the response alone, so that after one such
# refresh it holds none: it works until that access token ends, then each call fails without a
# request, with "oauth2: token expired and refresh token is not set".
#
# Expected below: 1 refresh and then the error, where every response leaves it out; 3 refreshes
# where every response repeats it. Exits with 1 if that changes. Needs python3 and PyPI; everything
# stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install databricks-sdk==0.162.0
cat >"$folder/try.py" <<'PYTHON'
import datetime, http.server, json, threading
from importlib.metadata import version

from databricks.sdk.oauth import SessionCredentials, Token

refreshes = 0
repeats = False


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        global refreshes
        refreshes += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        # The access token has ended by the next call.
        value = {"access_token": f"t{refreshes}", "token_type": "Bearer", "expires_in": -1}
        if repeats:
            value["refresh_token"] = "good"
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
seen = []
for repeats in (False, True):
    refreshes, error = 0, ""
    ended = datetime.datetime.now() - datetime.timedelta(seconds=1)
    session = SessionCredentials(
        Token("t0", "Bearer", "good", ended),
        f"http://127.0.0.1:{server.server_port}/token", "client", "secret")
    for _ in range(3):
        try:
            session()()
        except ValueError as problem:
            error = str(problem)
    seen.append((refreshes, error))
    print(f"databricks-sdk {version('databricks-sdk')}, refresh token",
          "repeated:" if repeats else "left out:", refreshes, "refreshes", error)
expected = [(1, "oauth2: token expired and refresh token is not set"), (3, "")]
raise SystemExit(0 if seen == expected else 1)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
