#!/usr/bin/env bash
# requests 2.34.2 with urllib3 2.8.0: retries that are for connections alone repeat a 503, too.
#
# requests documents max_retries of its HTTPAdapter as for failed look-ups, connections and
# time-outs of connections, "never to requests where data has made it to the server". If a 503, 429
# or 413 has a Retry-After it is not so: HTTPAdapter(max_retries=3) sleeps as told and sends a GET
# four times, and urllib3.Retry(connect=3), which names connections only, eleven times. The caller
# sees one response, late. So a setting for a flaky network keeps threads for minutes when the
# server is busy, and multiplies with the app's own retries; without the header nothing is
# repeated.
#
# Expected below, of a GET that is answered 503: with Retry-After of 1 s 4 arrivals and 3 s of
# pauses by max_retries=3, 11 and 10 s by Retry(connect=3), 1 and none by default; without the
# header 1 and none each. Exits with 1 if that changes. Pauses are noted and not slept, the server
# is on this machine. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, threading, time
from importlib.metadata import version

import requests, urllib3


class Server(http.server.BaseHTTPRequestHandler):
    arrivals = 0

    def do_GET(self):
        Server.arrivals += 1
        self.send_response(503)
        if self.path == "/with":
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
slept, caller, sleep = [], threading.current_thread(), time.sleep
time.sleep = lambda s: slept.append(s) if threading.current_thread() is caller else sleep(s)
print("requests", version("requests"), "urllib3", version("urllib3"))
seen = {}
for name, retries in (("default", None), ("max_retries=3", 3),
                      ("Retry(connect=3)", urllib3.Retry(connect=3))):
    for path in ("with", "without"):
        session = requests.Session()
        if retries is not None:
            session.mount("http://", requests.adapters.HTTPAdapter(max_retries=retries))
        Server.arrivals = 0
        slept.clear()
        try:
            end = session.get(f"http://127.0.0.1:{server.server_port}/{path}").status_code
        except requests.RequestException as error:
            end = type(error).__name__
        seen[name, path] = Server.arrivals, sum(slept)
        print(f"{name}, {path} Retry-After: arrivals, pauses, end:", *seen[name, path], end)
once = (1, 0)
raise SystemExit(seen != {
    ("default", "with"): once, ("default", "without"): once, ("max_retries=3", "with"): (4, 3),
    ("max_retries=3", "without"): once, ("Retry(connect=3)", "with"): (11, 10),
    ("Retry(connect=3)", "without"): once})
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
