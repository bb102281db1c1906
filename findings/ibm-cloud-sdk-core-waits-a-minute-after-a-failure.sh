#!/usr/bin/env bash
# ibm-cloud-sdk-core 3.28.0: one token request that fails makes all calls wait for a minute.
#
# TokenManager notes when a request for a token was sent, so that other threads wait for it, and
# takes the note back only where it succeeds. After one 503 every call sleeps half seconds until the
# note is 60 s old, although nobody is asking; only then is the service asked again.
#
# Expected below: the first call fails at once, the second takes 60 s and two requests were sent in
# all; where the first is answered 200, no call waits. Exits with 1 if that changes. The library's
# clock is one that its sleeps move. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install ibm-cloud-sdk-core==3.28.0
cat >"$folder/try.py" <<'PYTHON'
import base64, http.server, json, threading, time, types
from importlib.metadata import version

from ibm_cloud_sdk_core import ApiException
from ibm_cloud_sdk_core.authenticators import IAMAuthenticator
from ibm_cloud_sdk_core.token_managers import token_manager

now = time.time()
start = now
statuses = []
requests = 0


def sleep(seconds):
    global now
    now += seconds


def token():
    """A JWT whose signature nobody checks."""
    parts = ({"alg": "RS256"}, {"iat": int(now), "exp": int(now) + 3600}, "signature")
    texts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts]
    return ".".join(text.rstrip("=") for text in texts)


token_manager.time = types.SimpleNamespace(time=lambda: now, sleep=sleep)


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        global requests
        requests += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        status = statuses.pop(0) if statuses else 200
        value = {"access_token": token(), "refresh_token": "r", "token_type": "Bearer",
                 "expires_in": 3600, "expiration": int(now) + 3600}
        body = json.dumps(value if status == 200 else {}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
seen = []
for first in (503, 200):
    statuses, requests, waits = [first], 0, []
    client = IAMAuthenticator("key", url=f"http://127.0.0.1:{server.server_port}")
    for _ in range(2):
        begun, outcome = now, "token"
        try:
            client.authenticate({"headers": {}})
        except ApiException as problem:
            outcome = str(problem.status_code)
        waits.append((outcome, round((now - begun) / 5) * 5))
    seen.append((requests, waits))
    print(f"ibm-cloud-sdk-core {version('ibm-cloud-sdk-core')}, first answered {first}:", requests,
          "requests;", ", ".join(f"{outcome} after {wait} s" for outcome, wait in waits))
expected = [(2, [("503", 0), ("token", 60)]), (1, [("token", 0), ("token", 0)])]
raise SystemExit(0 if seen == expected else 1)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
