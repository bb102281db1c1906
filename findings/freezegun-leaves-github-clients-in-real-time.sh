#!/usr/bin/env bash
# freezegun 1.5.5 with PyGithub 2.10.0: two hours ahead in a test, a token of an hour is good.
#
# freezegun leaves modules of its default_ignore_list in real time, and one entry of it is "gi", for
# the GObject bindings. It is compared with the beginning of a module's name, not with a package: so
# github, gitlab and gidgethub are in the list as well. PyGithub asks its own datetime whether the
# token of an installation is over, and whether a rate limit has passed. A test that freezes time to
# see the refresh sees none, and passes if it expects that the old token goes on. The README has the
# list as one of packages that are ignored. time-machine 3.6.0 has no such list.
#
# Expected below, of two calls, the second two hours later by the test's clock: 1 token with
# freezegun, 2 with its list without "gi", 2 with time-machine; and in freezegun's case google-auth
# 2.63.0 says that its own token of an hour is over. Exits with 1 if that changes. The server is on
# this machine; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install \
    freezegun==1.5.5 PyGithub==2.10.0 time-machine==3.6.0 google-auth==2.63.0
cat >"$folder/try.py" <<'PYTHON'
import datetime, http.server, json, threading
from importlib.metadata import version

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
import freezegun, freezegun.config
import github
import google.oauth2.credentials
import time_machine

UTC = datetime.timezone.utc
HOUR = datetime.timedelta(hours=1)
start = datetime.datetime.now(UTC).replace(microsecond=0)
tokens = 0


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        global tokens
        tokens += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        end = (start + HOUR).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.respond(201, {"token": f"t{tokens}", "expires_at": end, "permissions": {}})

    def do_GET(self):
        self.respond(200, {"resources": {}, "rate": {}})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
key = rsa.generate_private_key(65537, 2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def tokens_of_two_calls(later):
    global tokens
    tokens = 0
    auth = github.Auth.AppAuth(1, key.decode()).get_installation_auth(2)
    client = github.Github(
        auth=auth, base_url=f"http://127.0.0.1:{server.server_port}", seconds_between_requests=None,
        seconds_between_writes=None, retry=None)
    client.requester.requestJsonAndCheck("GET", "/rate_limit")
    with later():
        client.requester.requestJsonAndCheck("GET", "/rate_limit")
    return tokens


def frozen(): return freezegun.freeze_time(start + 2 * HOUR)
def travelled(): return time_machine.travel(start + 2 * HOUR, tick=False)


for name in ("freezegun", "PyGithub", "time-machine", "google-auth"):
    print(name, version(name))
with frozen():
    other = google.oauth2.credentials.Credentials(
        "t", expiry=(start + HOUR).replace(tzinfo=None)).expired
before = tokens_of_two_calls(frozen)
machine = tokens_of_two_calls(travelled)
usual = freezegun.config.DEFAULT_IGNORE_LIST
freezegun.configure(default_ignore_list=[name for name in usual if name != "gi"])
without = tokens_of_two_calls(frozen)
print("two calls, two hours apart, tokens of an hour:")
print(f"freezegun: {before} token, google-auth's token has ended: {other}")
print(f"freezegun without gi in its list: {without} tokens")
print(f"time-machine: {machine} tokens")
raise SystemExit((before, other, without, machine) != (1, True, 2, 2))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
