#!/usr/bin/env bash
# Authlib 1.9.10: a refresh that is answered 429 with a JSON body becomes the token, in storage too.
#
# OAuth2Session and OAuth2Client look at the status of a token response from 500 on; below that any
# JSON object without "error" is the new token. A gateway in front of the token endpoint may answer
# {"message": "Too Many Requests"}: that takes the place of the access token, update_token stores
# it, and from then on each call fails with "unsupported_token_type" without a request, after a
# restart too, although the refresh token beside it is good. So a minute of rate limiting is a
# sign-out for good, of each user whose token ended in it. requests-oauthlib 2.0.0 raises and keeps
# what it had.
#
# Expected below, for an ended token, one refresh that is answered 429 and two more calls, the last
# after a restart from the storage: 1 refresh and no call that arrives; with requests-oauthlib 2
# refreshes and 2 calls. Exits with 1 if that changes. The server is on this machine; needs python3
# and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile Authlib==1.9.10 requests==2.34.2 httpx==0.28.1 \
    httpx2==2.16.2 requests-oauthlib==2.0.0 oauthlib==4.0.1
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, os, threading, time
from importlib.metadata import version

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.httpx_client import OAuth2Client
from authlib.integrations.requests_client import OAuth2Session
from requests_oauthlib import OAuth2Session as Other

arrived = []


class Server(http.server.BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status == 429:
            self.send_header("Retry-After", "1")
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        arrived.append("call")
        self.answer(200, {})

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        arrived.append("refresh")
        if arrived.count("refresh") == 1:
            return self.answer(429, {"message": "Too Many Requests"})
        self.answer(200, {"access_token": "new", "token_type": "Bearer", "expires_in": 3600})

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
stored = {}


def store(token, **_):
    stored.clear()
    stored.update(token)


def authlib(kind):
    return lambda: kind("id", "secret", token=dict(stored), token_endpoint=base + "/token",
                        update_token=store)


def other():
    return Other("id", token=dict(stored), auto_refresh_url=base + "/token", token_updater=store)


seen = {}
for name, start in (("Authlib, requests", authlib(OAuth2Session)),
                    ("Authlib, httpx", authlib(OAuth2Client)), ("requests-oauthlib", other)):
    arrived.clear()
    store({"access_token": "old", "token_type": "Bearer", "refresh_token": "good",
           "expires_in": -5, "expires_at": time.time() - 5})
    client, ends = start(), []
    for number in range(3):
        if number == 2:
            client = start()
        try: ends.append(client.get(base + "/data").status_code)
        except Exception as error: ends.append(type(error).__name__)
        time.sleep(1.1)
    seen[name] = arrived.count("refresh"), arrived.count("call"), stored.get("access_token")
    print(f"{name} {version(name.split(',')[0])}: refreshes, calls, stored access token:",
          *seen[name], ends)
lost = (1, 0, None)
raise SystemExit(seen != {
    "Authlib, requests": lost, "Authlib, httpx": lost, "requests-oauthlib": (2, 2, "new")})
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/try.py"
