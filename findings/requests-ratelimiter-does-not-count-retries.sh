#!/bin/bash
# requests-ratelimiter 0.10.0: a session that is limited to two requests a second sends ten, as soon
# as the server is in trouble.
#
# LimiterAdapter and LimiterSession count calls of send(). Retries are made below it, by the urllib3
# that the adapter passes max_retries to, an argument that LimiterAdapter takes like any adapter:
# each call is one of the limit, however often it is sent. So the limit holds while all is well, and
# is exceeded five-fold by a Retry of four when the server answers 503 or 429, which is when a limit
# is for. With limit_statuses, the package's answer to 429, the bucket is filled after the last
# attempt, when all have been sent. README and docstrings do not name the two together. A retry
# around the call, in the application, is limited.
#
# Expected below, of six calls with per_second=2 and Retry(4) without a pause: 6 requests, at most 3
# of them within any second, where the server answers 200; 30, and more than 5 within one second,
# where it answers 503; with the retries around the call 12 for two calls, at most 3 within any
# second. Exits with 1 if that changes. The server is on this machine; needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile requests==2.34.2 urllib3==2.8.0 \
    requests-ratelimiter==0.10.0 pyrate-limiter==4.5.1
cat >"$folder/try.py" <<'PYTHON'
import http.server, threading, time
from importlib.metadata import version

import requests, urllib3
from requests_ratelimiter import LimiterAdapter

arrived = []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        arrived.append(time.monotonic())
        self.send_response(200 if self.path == "/well" else 503)
        self.send_header("Content-Length", "0")
        self.end_headers()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()


def play(path, calls, retries, again=0):
    arrived.clear()
    session = requests.Session()
    session.mount("http://", LimiterAdapter(per_second=2, max_retries=urllib3.Retry(
        retries, status_forcelist=[503], raise_on_status=False)))
    for _ in range(calls):
        for _ in range(1 + again):
            session.get(f"http://127.0.0.1:{server.server_port}{path}")
    # A tenth of a second less, as the time of a request is taken after its way to the server.
    within = max(sum(0 <= later - first < 0.9 for later in arrived) for first in arrived)
    session.close()
    return len(arrived), within


print("requests-ratelimiter", version("requests-ratelimiter"))
well, trouble = play("/well", 6, 4), play("/trouble", 6, 4)
around = play("/trouble", 2, 0, again=5)
for name, (count, within) in (("200", well), ("503", trouble), ("503, retries around", around)):
    print(f"{name}: {count} requests, at most {within} within a second")
is_so = well[0] == 6 and trouble[0] == 30 and around[0] == 12 and trouble[1] > 5
raise SystemExit(not is_so or well[1] > 3 or around[1] > 3)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
