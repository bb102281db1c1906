#!/usr/bin/env bash
# requests-cache 1.3.3 with stale_if_error: a 401 arrives as yesterday's 200, and so do 403, 404,
# 410 and 429.
#
# The setting is described as "return a stale response if a new request raises an exception"; RFC
# 5861, 4, has 500, 502, 503 and 504 for the extension of that name. Here each status outside of
# allowable_codes counts, which is 200 alone by itself. So code that refreshes at a 401 never sees
# one: when the token has ended, each call goes to the server, is refused, and looks like a
# success. Data that was deleted stays, and who asks for less load with 429 gets each call again
# next time, without a pause. A user who signed out elsewhere is shown the old data for ever.
#
# Expected below, of an entry that is over and three more GETs of it, answered by one status: with
# stale_if_error three times 200, whatever the server says, otherwise its status; 4 requests arrive
# in each case. Exits with 1 if that changes. The server is on this machine; needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install requests-cache==1.3.3 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, logging, threading, time
from importlib.metadata import version

import requests_cache

logging.disable()


class Server(http.server.BaseHTTPRequestHandler):
    status, arrived = 200, 0

    def log_message(self, *_): pass

    def do_GET(self):
        Server.arrived += 1
        self.send_response(self.status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}/"
print("requests-cache", version("requests-cache"))
changed = False
for stale in (True, False):
    for status in (401, 403, 404, 410, 429, 503):
        session = requests_cache.CachedSession(
            backend="memory", expire_after=0.05, stale_if_error=stale)
        Server.status, Server.arrived = 200, 0
        session.get(address)
        Server.status = status
        time.sleep(0.2)
        seen = [session.get(address).status_code for _ in range(3)]
        changed |= seen != [200 if stale else status] * 3 or Server.arrived != 4
        print(f"stale_if_error {stale}, server answers {status}: caller sees {seen},",
              Server.arrived, "requests")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
