#!/bin/bash
# pytrakt 4.4.6: while one thread refreshes, the calls of the others go out with the token that has
# ended, and fail.
#
# The client sets a flag before it looks at the end of its token, and who finds the flag set goes on
# without looking. That keeps the refresh, itself a call, from beginning another one, and it keeps
# seven of eight threads from waiting for the refresh of the first: they are answered 401 and raise
# OAuthException, which is what a user who has withdrawn the app looks like. The token endpoint sees
# one refresh, so neither a count there nor a test with one thread shows it. It happens at the first
# calls after each end of a token, once a day; where the refresh takes longer, to more of them.
#
# Expected below, of eight threads at one moment, whose token has ended, and a refresh that takes
# 0.5 s: 1 refresh, 1 call that is answered and 7 times OAuthException; afterwards 8 calls that are
# answered. Exits with 1 if that changes. The server is on this machine. Needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile pytrakt==4.4.6 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import concurrent.futures, http.server, json, logging, sys, threading, time
from importlib.metadata import version

import trakt.core, trakt.config, trakt.api, requests

logging.disable()
refreshes = 0


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(200 if self.headers["Authorization"] == "Bearer new" else 401, {})

    def do_POST(self):
        global refreshes
        refreshes += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(0.5)
        self.answer(200, {"access_token": "new", "refresh_token": "next", "token_type": "bearer",
                          "created_at": int(time.time()), "expires_in": 86400})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
config = trakt.config.AuthConfig(sys.argv[1] + "/config").update(
    CLIENT_ID="id", CLIENT_SECRET="secret", OAUTH_TOKEN="old", OAUTH_REFRESH="refresh",
    OAUTH_EXPIRES_AT=int(time.time()) - 60)
config.store()
client = trakt.api.HttpClient(f"http://127.0.0.1:{server.server_port}/", requests.Session())
client.auth = trakt.api.TokenAuth(client=client, config=config)


def call(barrier):
    barrier.wait()
    try:
        client.get("users/me")
        return "answered"
    except Exception as error:
        return type(error).__name__


def screen():
    barrier = threading.Barrier(8)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return sorted(pool.map(call, [barrier] * 8))


print("pytrakt", version("pytrakt"))
first, second = screen(), screen()
print("refreshes:", refreshes, "- first:", *first, "- then:", *second)
raise SystemExit((refreshes, first, second) != (
    1, ["OAuthException"] * 7 + ["answered"], ["answered"] * 8))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
