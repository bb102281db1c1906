#!/usr/bin/env bash
# keystoneauth1 5.18.1: eight calls whose token was revoked send the password eight times.
#
# A comment in BaseIdentityPlugin.get_access has a lock so that "only one thread tries to actually
# fetch from keystone at once", and by the clock it is so. A 401 calls invalidate(), which drops
# whatever token the plugin holds, not the one that was refused. So of calls that were under way
# with the revoked token, each whose 401 comes after another's sign-in drops the new token and signs
# in again: a storm at the service that hashes passwords, for one revocation.
#
# Expected below, of eight calls whose 401s come one after the other: 8 sign-ins for a revoked
# token, where each call succeeds at last; 1 for a token that ends by the clock. Exits with 1 if that
# changes. The server is on this machine; needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile keystoneauth1==5.18.1
cat >"$folder/try.py" <<'PYTHON'
import datetime, http.server, json, threading
from importlib.metadata import version

from keystoneauth1.identity import v3
from keystoneauth1.session import Session

CALLS = 8
lock, lives = threading.Lock(), 0
sign_ins, revoked = 0, False
all_here, turn = threading.Barrier(CALLS), threading.Semaphore(1)


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value, token=""):
        body = json.dumps(value).encode()
        self.send_response(status)
        if token:
            self.send_header("X-Subject-Token", token)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        global sign_ins
        self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            sign_ins += 1
        now = datetime.datetime.now(datetime.timezone.utc)
        ends = now + datetime.timedelta(seconds=lives if sign_ins == 1 else 3600)
        domain = {"id": "default", "name": "Default"}
        self.answer(201, {"token": {
            "methods": ["password"], "user": {"id": "1", "name": "app", "domain": domain},
            "issued_at": now.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "expires_at": ends.strftime("%Y-%m-%dT%H:%M:%S.%fZ")}}, f"token {sign_ins}")

    def do_GET(self):
        if revoked and self.headers["X-Auth-Token"] == "token 1":
            all_here.wait()
            turn.acquire()  # until the call that was refused before has come again
            return self.answer(401, {})
        self.answer(200, {})
        turn.release()

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"


def play():
    """How many sign-ins eight calls at once need, and how many of the calls succeed."""
    global sign_ins
    sign_ins, ends = 0, []
    session = Session(auth=v3.Password(
        auth_url=base + "/v3", username="app", password="secret", user_domain_id="default"))
    session.get_token()
    calls = [threading.Thread(target=lambda: ends.append(session.get(base + "/data").status_code))
             for _ in range(CALLS)]
    for call in calls: call.start()
    for call in calls: call.join()
    return sign_ins - 1, ends.count(200)


seen = {}
for kind, revoked, lives in (("revoked", True, 3600), ("ends by the clock", False, 1)):
    seen[kind] = play()
    print(f"keystoneauth1 {version('keystoneauth1')}, token {kind}: sign-ins {seen[kind][0]},",
          f"calls that succeed {seen[kind][1]}")
raise SystemExit(seen != {"revoked": (8, 8), "ends by the clock": (1, 8)})
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
